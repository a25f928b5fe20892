import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { stages } from '../../infra/stages.ts';
import { auditDays } from '../../lib/audit/schemas.ts';
import { awaitAnswerWrite } from '../../lib/automations/actions/awaited-answers.ts';
import { newConversation, newReply } from '../../lib/automations/actions/new-actions.ts';
import { waitingActionItem } from '../../lib/automations/actions/noted-waits.ts';
import { claimWrite } from '../../lib/automations/actions/sent-claims.ts';
import { actionPut } from '../../lib/automations/actions/store.ts';
import { inboundComment, inboundMessage, inboundPut } from '../../lib/automations/inbound/store.ts';
import { dayMs, secondMs } from '../../lib/kernel/clock.ts';
import { newId } from '../../lib/kernel/ids.ts';
import { unconditionally } from '../../lib/table/condition.ts';
import type { ItemKind } from '../../lib/table/keys.ts';
import type { Table } from '../../lib/table/table.ts';
import { putPart, transact } from '../../lib/table/transaction.ts';
import { deliveryPut, newDelivery } from '../../lib/webhooks/deliveries/store.ts';
import { eventPut, newEvent } from '../../lib/webhooks/events/store.ts';
import { copiesKeptDays } from '../../lib/withdrawals/status-page.ts';
import { putWithdrawal } from '../../lib/withdrawals/store.ts';
import { anAccount, startMs } from '../support/builders.ts';
import { createTestTable } from '../support/table.ts';
import { synthesizeOnce, type Templates } from './support/synthesize.ts';

/** The most days for which anything about people who comment or write is kept, with all copies. */
const mostDays = 400;
/** DynamoDB removes expired items "within a few days". https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html */
const removalDays = 4;

/** The people an item is about: those who comment or write, those who connect accounts, a client, or nobody. */
type Subject = 'commenters' | 'owners' | 'clients' | 'nobody';

/** Every kind of item. A new one must be classified here and, unless it is about nobody, be listed in docs/privacy.md. */
const subjects: Readonly<Record<ItemKind, Subject>> = {
  workspace: 'nobody',
  directoryEntry: 'nobody',
  ownedName: 'owners',
  workspaceKey: 'nobody',
  key: 'nobody',
  keyUse: 'nobody',
  grant: 'nobody',
  auditEntry: 'clients',
  member: 'clients',
  memberCounts: 'nobody',
  membership: 'clients',
  listedSession: 'clients',
  invitation: 'clients',
  signIn: 'clients',
  session: 'clients',
  sessionGrant: 'clients',
  sessionUse: 'clients',
  account: 'owners',
  tokens: 'owners',
  connection: 'owners',
  connectedAccount: 'owners',
  connectedLogin: 'owners',
  post: 'clients',
  target: 'clients',
  calendarEntry: 'nobody',
  calendarVersion: 'nobody',
  rhythm: 'nobody',
  tags: 'clients',
  snippet: 'clients',
  dayPlace: 'nobody',
  livePost: 'nobody',
  idempotency: 'nobody',
  externalId: 'nobody',
  claimedExternalId: 'nobody',
  media: 'clients',
  mediaUse: 'nobody',
  rendition: 'clients',
  rate: 'clients',
  watch: 'clients',
  askedAccount: 'owners',
  chore: 'nobody',
  webhook: 'nobody',
  webhookUrl: 'nobody',
  webhookEvent: 'commenters',
  delivery: 'commenters',
  feedHead: 'nobody',
  feedPlace: 'nobody',
  replay: 'nobody',
  automation: 'clients',
  automationPost: 'nobody',
  postTime: 'nobody',
  automationCounts: 'nobody',
  automationReply: 'commenters',
  automationMessage: 'commenters',
  inboundComment: 'commenters',
  inboundMessage: 'commenters',
  awaitedAnswer: 'commenters',
  waitingAction: 'commenters',
  privateReplyCap: 'nobody',
  sentClaim: 'commenters',
  link: 'nobody',
  clicks: 'nobody',
  punctuality: 'nobody',
  postNumbers: 'clients',
  bestPosts: 'clients',
  accountNumbers: 'owners',
  numbersProgress: 'nobody',
  withdrawal: 'owners',
  pause: 'nobody',
  listedPause: 'nobody',
  versionNotice: 'nobody',
  versionWalk: 'nobody',
  postAtRisk: 'nobody',
  riskCheck: 'nobody',
  riskWindow: 'nobody',
  sealingKey: 'nobody',
  searchedPost: 'clients',
  postWord: 'clients',
};
const about = (subject: Subject) =>
  (Object.keys(subjects) as ItemKind[]).filter((kind) => subjects[kind] === subject);

const page = readFileSync(join(import.meta.dirname, '../../docs/privacy.md'), 'utf8');

/** The kinds of items that a section of the page lists, with how long they are kept. */
function listed(heading: string): Map<string, string> {
  const [section = ''] = page.split(`\n### ${heading}\n`)[1]?.split('\n## ') ?? [];
  const [own = ''] = section.split('\n### ');
  const rows = own.split('\n').filter((line) => line.startsWith('| `'));
  return new Map(
    rows.flatMap((row) => {
      const [, kinds = '', , , kept = ''] = row.split('|');
      return [...kinds.matchAll(/`(\w+)`/g)].map(([, kind = '']) => [kind, kept.trim()] as const);
    }),
  );
}
const daysOf = (kept: string | undefined) => Number(/^(\d+) days$/.exec(kept ?? '')?.[1]);

describe('the page about privacy', () => {
  it.each([
    ['People who comment or write', 'commenters'],
    ['People who connect accounts', 'owners'],
    ['Clients', 'clients'],
  ] as const)('lists every kind of item about: %s', (heading, subject) => {
    expect([...listed(heading).keys()].sort()).toEqual(about(subject).sort());
  });

  it('states how long the audit log is kept', () => {
    expect(daysOf(listed('Clients').get('auditEntry'))).toBe(auditDays);
  });

  it('states a time of at most 400 days, with removal and backups, for all who comment or write', () => {
    for (const [kind, kept] of listed('People who comment or write')) {
      expect({ kind, days: daysOf(kept) + removalDays + copiesKeptDays.backups }).toSatisfy(
        ({ days }: { days: number }) => days <= mostDays,
      );
    }
  });
});

describe('what is stored about people', () => {
  let table: Table;
  let items: Record<string, unknown>[];
  beforeAll(async () => {
    table = await createTestTable();
    await storeAll(table);
    ({ Items: items = [] } = await table.client.send(new ScanCommand({ TableName: table.name })));
  });

  it.each([...about('commenters'), 'withdrawal'])('%s expires when the page says', (kind) => {
    const stored = items.filter((item) => item['kind'] === kind);
    expect(stored).not.toEqual([]);
    const promised = daysOf(
      listed('People who comment or write').get(kind) ?? listed('People who connect accounts').get(kind),
    );
    for (const item of stored) {
      const days = (Number(item['expiresAtSeconds']) * secondMs - startMs) / dayMs;
      expect(days).toBeCloseTo(promised, 3);
    }
  });
});

describe('what is kept outside the table', () => {
  let service: Templates;
  beforeAll(() => {
    service = synthesizeOnce();
  });

  it('are logs, for no longer than the page says', () => {
    const days = Object.values(stages).map(({ logRetentionDays }) => logRetentionDays);
    expect(Math.max(...days)).toBe(copiesKeptDays.logs);
    expect(page).toContain(`${copiesKeptDays.logs} days in production`);
  });

  it('are queues, for no longer than the page says', () => {
    const periods = service
      .ofType('AWS::SQS::Queue')
      .map(({ Properties }) => Number(Properties.MessageRetentionPeriod) / 86_400);
    expect([...new Set(periods)].sort((one, other) => one - other)).toEqual([4, 14]);
    expect(page).toContain('at most 4 days; 14 days among the dead letters');
  });

  it('are backups of the table, for as long as DynamoDB keeps them if nothing else is set', () => {
    const [found] = service.ofType('AWS::DynamoDB::GlobalTable');
    const [replica] = found?.Properties.Replicas ?? [];
    expect(replica.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
    expect(copiesKeptDays.backups).toBe(35);
    expect(page).toContain('| every item as it was | 35 days |');
  });
});

/** Stores one item of each kind about people who comment or write, and a withdrawal, as the service does. */
async function storeAll(table: Table): Promise<void> {
  const account = anAccount(newId(startMs));
  const { workspaceId } = account;
  const event = { accountPlatformId: account.platformAccountId, personId: 'person', at: startMs };
  const comment = inboundComment(
    account,
    { ...event, kind: 'comment', commentId: 'comment', platformPostId: '1', username: 'who', text: 'hi' },
    startMs,
  );
  const message = inboundMessage(account, { ...event, kind: 'message', messageId: 'm', text: 'hi' }, startMs);
  const automationId = newId(startMs);
  const reply = newReply(comment, automationId, startMs);
  const told = newEvent({
    id: newId(startMs),
    workspaceId,
    type: 'comment.received',
    atMs: startMs,
    data: { text: 'hi' },
  });
  await transact(table, [
    inboundPut(table, comment),
    inboundPut(table, message),
    actionPut(table, reply),
    claimWrite(table, { platform: 'instagram', id: '17' }, reply, startMs),
    actionPut(table, newConversation(comment, automationId, startMs)),
    awaitAnswerWrite(
      table,
      { workspaceId, accountId: account.id, personId: 'person', automationId },
      startMs,
    ),
    putPart(
      table,
      waitingActionItem(reply, { cause: 'paused', endMs: startMs, noteId: 'a', now: startMs }),
      unconditionally,
    ),
    eventPut(table, told),
    deliveryPut(table, newDelivery(told, newId(startMs), startMs)),
  ]);
  const asked = { platform: 'threads', request: 'deletion', userId: '1', connectedBy: '2026' } as const;
  await putWithdrawal(table, 'code', asked, startMs);
}
