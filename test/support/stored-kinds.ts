import * as z from 'zod';
import { Account } from '../../lib/accounts/schemas.ts';
import { SealingKey } from '../../lib/accounts/sealing-keys.ts';
import { accountFromItem } from '../../lib/accounts/store.ts';
import { StoredTokens } from '../../lib/accounts/tokens/store.ts';
import { AuditEntry } from '../../lib/audit/schemas.ts';
import { actionFromItem } from '../../lib/automations/actions/item.ts';
import {
  Automation,
  InboundComment,
  InboundMessage,
  MessageAction,
  ReplyAction,
} from '../../lib/automations/schemas.ts';
import { Connection } from '../../lib/connections/schemas.ts';
import { Watch } from '../../lib/incidents/schemas.ts';
import { AccountDayRow } from '../../lib/insights/account-days.ts';
import { BestPosts } from '../../lib/insights/best-posts.ts';
import { NumbersRow, numbersFromItem } from '../../lib/insights/numbers-row.ts';
import { Rendition } from '../../lib/media/renditions/schemas.ts';
import { Media } from '../../lib/media/schemas.ts';
import { RepairTask, repairTaskFromItem } from '../../lib/overdue/repair-tasks.ts';
import { RiskCheck } from '../../lib/overdue/risk-checks.ts';
import { Pause } from '../../lib/pauses/schemas.ts';
import { Grant } from '../../lib/people/grants/schemas.ts';
import {
  Invitation,
  ListedSession,
  Member,
  MemberCounts,
  Membership,
  Session,
  SessionGrant,
  SessionUse,
  SignIn,
} from '../../lib/people/schemas.ts';
import { PostWord, SearchedPost } from '../../lib/posts/search/index-rows.ts';
import { Post } from '../../lib/posts/stored/schemas.ts';
import { StoredRhythm } from '../../lib/rhythm/schemas.ts';
import { AskedAccount } from '../../lib/risks/ask-account.ts';
import { Place } from '../../lib/risks/check-ahead.ts';
import { Snippet } from '../../lib/snippets/schemas.ts';
import type { ItemKind } from '../../lib/table/keys.ts';
import { WorkspaceTags } from '../../lib/tags/schemas.ts';
import { targetFromItem } from '../../lib/targets/item.ts';
import { Target } from '../../lib/targets/schemas.ts';
import { FeedPlace } from '../../lib/webhooks/feed/places.ts';
import { Delivery, Replay, Webhook, WebhookEvent } from '../../lib/webhooks/schemas.ts';
import { VersionNotice, VersionWalk } from '../../lib/webhooks/version-notices.ts';
import { Withdrawal } from '../../lib/withdrawals/schemas.ts';
import { FeedHead } from '../../lib/workspaces/event-feed.ts';
import { Caller, KeyUse, ListedKey, Workspace } from '../../lib/workspaces/schemas.ts';
import type { Item } from './stored-items.ts';

/** The way to read a kind of item. */
export interface StoredKind {
  readonly schema: z.ZodType;
  /** Reads a stored item; by default with the schema. */
  readonly read?: (item: Item) => unknown;
  /** Attributes that hold JSON as text. */
  readonly jsonText?: readonly string[];
  /** Attributes of earlier releases that the reader turns into others. */
  readonly converted?: readonly string[];
}

const storedAction = { read: actionFromItem, converted: ['intentAt', 'refusal', 'questions'] };

/** Today's readers of each kind of item; `without schema` for items of which code reads single attributes. */
export const kinds: Readonly<Record<ItemKind, StoredKind | 'without schema'>> = {
  workspace: { schema: Workspace },
  directoryEntry: 'without schema',
  ownedName: 'without schema',
  workspaceKey: { schema: ListedKey },
  key: { schema: Caller },
  keyUse: { schema: KeyUse },
  grant: { schema: Grant },
  auditEntry: { schema: AuditEntry },
  member: { schema: Member },
  memberCounts: { schema: MemberCounts },
  membership: { schema: Membership },
  listedSession: { schema: ListedSession },
  invitation: { schema: Invitation },
  signIn: { schema: SignIn },
  session: { schema: Session },
  sessionGrant: { schema: SessionGrant },
  sessionUse: { schema: SessionUse },
  account: { schema: Account, read: accountFromItem, jsonText: ['meta', 'defaultOptions'] },
  tokens: { schema: StoredTokens },
  connection: { schema: Connection },
  connectedAccount: 'without schema',
  connectedLogin: 'without schema',
  post: { schema: Post },
  target: {
    schema: Target,
    read: targetFromItem,
    jsonText: ['options', 'preparation'],
    converted: ['intentAt', 'refusal'],
  },
  calendarEntry: 'without schema',
  calendarVersion: 'without schema',
  rhythm: { schema: StoredRhythm },
  tags: { schema: WorkspaceTags },
  snippet: { schema: Snippet },
  dayPlace: 'without schema',
  livePost: 'without schema',
  idempotency: 'without schema',
  externalId: 'without schema',
  claimedExternalId: 'without schema',
  media: { schema: Media },
  mediaUse: 'without schema',
  rendition: { schema: Rendition },
  rate: 'without schema',
  chore: {
    schema: z.object({ chore: RepairTask }),
    read: (item) => {
      const { task, ...stored } = repairTaskFromItem(item);
      return { ...stored, chore: task };
    },
    jsonText: ['chore'],
  },
  webhook: { schema: Webhook },
  webhookUrl: 'without schema',
  webhookEvent: { schema: WebhookEvent },
  delivery: { schema: Delivery },
  feedHead: { schema: FeedHead },
  feedPlace: { schema: FeedPlace },
  replay: { schema: Replay },
  automation: { schema: Automation },
  automationPost: 'without schema',
  postTime: 'without schema',
  automationCounts: 'without schema',
  automationReply: { schema: ReplyAction, ...storedAction },
  automationMessage: { schema: MessageAction, ...storedAction },
  inboundComment: { schema: InboundComment },
  inboundMessage: { schema: InboundMessage },
  awaitedAnswer: 'without schema',
  waitingAction: 'without schema',
  privateReplyCap: 'without schema',
  sentClaim: 'without schema',
  link: 'without schema',
  clicks: 'without schema',
  punctuality: 'without schema',
  postNumbers: { schema: NumbersRow, read: numbersFromItem },
  bestPosts: { schema: BestPosts },
  accountNumbers: { schema: AccountDayRow },
  numbersProgress: 'without schema',
  pause: { schema: Pause },
  listedPause: { schema: Pause },
  withdrawal: { schema: Withdrawal },
  versionNotice: { schema: VersionNotice },
  versionWalk: { schema: VersionWalk },
  watch: { schema: Watch },
  sealingKey: { schema: SealingKey },
  postAtRisk: 'without schema',
  riskCheck: { schema: RiskCheck, jsonText: ['subject'] },
  askedAccount: { schema: AskedAccount },
  riskWindow: { schema: Place },
  searchedPost: { schema: SearchedPost },
  postWord: { schema: PostWord },
};

/** The kinds of items that have a schema. */
export const kindsWithSchema = Object.entries(kinds).flatMap(([kind, how]) =>
  how === 'without schema' ? [] : [[kind, how] as const],
);

/** The item with the values of attributes that hold JSON as text. */
export function decoded(item: Item, { jsonText = [] }: StoredKind): Item {
  const texts = jsonText.filter((name) => item[name] !== undefined);
  return { ...item, ...Object.fromEntries(texts.map((name) => [name, JSON.parse(String(item[name]))])) };
}
