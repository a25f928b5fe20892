/** The reduced results: the parts of the API's replies with which an agent can act. */
import * as z from 'zod';
import { AccountView } from '../accounts/schemas.ts';
import { AutomationView } from '../automations/views.ts';
import { MediaView } from '../media/view.ts';
import {
  ListedPostTarget,
  ListedPostView,
  PostApproval,
  PostFinding,
  type PostView,
} from '../posts/view/schemas.ts';
import { type OutcomeCategory, outcomeCodes } from '../targets/outcome-codes.ts';
import { ErrorDetail } from '../targets/problem.ts';

/** The one who has to act before something can succeed. */
const WhoActs = z.enum(['nobody', 'you', 'account owner', 'platform or operator', 'a person']);
type WhoActs = z.infer<typeof WhoActs>;

const Problem = ErrorDetail.extend({
  message: z.string(),
  whoActs: WhoActs,
  remedy: z.string().optional(),
});

const Destination = ListedPostTarget.pick({
  accountId: true,
  platform: true,
  status: true,
}).extend({
  when: ListedPostTarget.shape.scheduledFor,
  link: ListedPostTarget.shape.permalink,
});

/** The part of a problem that a list shows. */
const ShortProblem = Problem.pick({ code: true, category: true, message: true, whoActs: true });

const DestinationWithError = Destination.extend({
  platformPostId: ListedPostTarget.shape.platformPostId,
  removedAt: ListedPostTarget.shape.removedAt,
  error: Problem.nullable(),
});
type DestinationWithError = z.infer<typeof DestinationWithError>;

/** A post that was just changed. Its destinations have no problems yet. */
export const ChangedPost = ListedPostView.pick({ id: true, status: true }).extend({
  when: ListedPostView.shape.scheduledFor,
  destinations: z.array(Destination),
});

export const PostState = ChangedPost.extend({
  externalId: ListedPostView.shape.externalId,
  destinations: z.array(DestinationWithError),
});
export type PostState = z.infer<typeof PostState>;

/** The decision of a person about a draft that was proposed. */
export const Approval = PostApproval.pick({ state: true, note: true }).nullable();

export const ListedPost = PostState.extend({
  content: z.string(),
  destinations: z.array(DestinationWithError.extend({ error: ShortProblem.nullable() })),
});

const whoActsOn: Readonly<Record<OutcomeCategory, WhoActs>> = {
  // If no time is named, a try has to be asked for.
  retryable: 'you',
  reconnect: 'account owner',
  content: 'you',
  platform: 'platform or operator',
  unknown: 'a person',
};

const isDescribed = (code: string): code is keyof typeof outcomeCodes => Object.hasOwn(outcomeCodes, code);

const remedyOf = (code: string) => (isDescribed(code) ? { remedy: outcomeCodes[code].remedy } : {});

/** Returns the problem of a destination, or the one that it will probably have; null if it has none. */
function toProblem({
  status,
  error,
  errorDetail,
  risk,
}: Pick<ListedPostTarget, 'status' | 'error' | 'errorDetail' | 'risk'>): z.infer<typeof Problem> | null {
  if (error === null || errorDetail === null) return toExpected(risk?.findings[0]);
  const waits = status === 'scheduled' || status === 'publishing';
  return {
    ...errorDetail,
    message: error,
    whoActs: waits ? 'nobody' : whoActsOn[errorDetail.category],
    ...remedyOf(errorDetail.code),
  };
}

type Expected = NonNullable<ListedPostTarget['risk']>['findings'][number];

const whoActsBefore: Readonly<Record<Expected['by'], WhoActs>> = {
  author: 'you',
  account_owner: 'account owner',
  operator: 'platform or operator',
};

function toExpected(finding: Expected | undefined): z.infer<typeof Problem> | null {
  if (finding === undefined) return null;
  const { code, category, message, by } = finding;
  return {
    ...{ code, category, platformMessage: null, retryAt: null },
    message: `will probably fail: ${message}`,
    whoActs: whoActsBefore[by],
    ...remedyOf(code),
  };
}

export function toDestination(target: ListedPostTarget): DestinationWithError {
  const { accountId, platform, status, platformPostId, scheduledFor, permalink, removedAt } = target;
  return {
    ...{ accountId, platform, status, platformPostId, removedAt },
    when: scheduledFor,
    link: permalink,
    error: toProblem(target),
  };
}

export function toPostState({
  id,
  status,
  externalId,
  scheduledFor,
  platforms,
}: ListedPostView | PostView): PostState {
  return { id, status, externalId, when: scheduledFor, destinations: platforms.map(toDestination) };
}

export const Finding = PostFinding.omit({ platform: true });
export type Finding = z.infer<typeof Finding>;

/** An account without what only people look at. */
export const AccountState = AccountView.pick({
  id: true,
  platform: true,
  username: true,
  status: true,
  statusMessage: true,
  externalId: true,
}).extend({ whoActs: WhoActs });
type AccountState = z.infer<typeof AccountState>;

export function toAccountState(account: AccountView): AccountState {
  const { id, platform, username, status, statusMessage, externalId } = account;
  const whoActs = status === 'ok' ? 'nobody' : 'account owner';
  return { id, platform, username, status, statusMessage, externalId, whoActs };
}

/** Names that somebody else has chosen. */
const Untrusted = z.object({ filename: z.string() });

export const FileState = MediaView.pick({
  id: true,
  status: true,
  statusMessage: true,
}).extend({ mediaUrl: MediaView.shape.publicUrl, untrusted: Untrusted });

export function toFileState(media: MediaView): z.infer<typeof FileState> {
  const { id, status, statusMessage, publicUrl, filename } = media;
  return { id, status, statusMessage, mediaUrl: publicUrl, untrusted: { filename } };
}

export const AutomationState = AutomationView.pick({
  id: true,
  accountId: true,
  platformPostId: true,
  appliesTo: true,
  name: true,
  isActive: true,
  keywords: true,
  commentReply: true,
  dmMessage: true,
});
