import { type DynamoDBDocumentClient, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { stageLog } from '../../../lib/audit/record.ts';
import { keyOf } from '../../../lib/erasure/delete-items.ts';
import type { ErasurePorts } from '../../../lib/erasure/ports.ts';
import { eraseDueWorkspaces } from '../../../lib/erasure/run.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { putRepairTask, type RepairTask } from '../../../lib/overdue/repair-tasks.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { sweepOverdue } from '../../../lib/recovery/sweep.ts';
import { unconditionally } from '../../../lib/table/condition.ts';
import { type Item, putItem, updateItem } from '../../../lib/table/items.ts';
import { auditPartition, feedHeadKey, type ItemKind } from '../../../lib/table/keys.ts';
import { queryAll } from '../../../lib/table/query.ts';
import type { Table } from '../../../lib/table/table.ts';
import { removed } from '../../../lib/table/update.ts';
import type { Operator } from '../../../lib/workspaces/operator.ts';
import { workspaceState } from '../../../lib/workspaces/schemas.ts';
import { getWorkspace } from '../../../lib/workspaces/store.ts';
import { deleteWorkspace, resumeWorkspace } from '../../../lib/workspaces/suspension.ts';
import { connectable } from '../../support/authorization.ts';
import { type ConnectingFixture, openConnectingFixture } from '../../support/connecting.ts';
import { sweepPorts } from '../../support/sweep.ts';
import { announceAt } from '../webhooks/feed/feed-fixture.ts';
import { anEventDraft } from '../webhooks/fixture.ts';
import { type Filled, fillWorkspace, textOf } from './filled-workspace.ts';

/**
 * Fate of each kind of item when its workspace is erased. A new kind needs a line here and an item in `filled-workspace.ts`.
 * - `expires`: some or all of them are left to their time to live, which ends within the grace
 * - `of no workspace`: they name no workspace and nothing of one
 */
const ends: Readonly<Record<ItemKind, 'erased' | 'expires' | 'of no workspace'>> = {
  workspace: 'erased',
  directoryEntry: 'erased',
  ownedName: 'erased',
  workspaceKey: 'erased',
  key: 'expires',
  keyUse: 'erased',
  grant: 'erased',
  auditEntry: 'erased',
  member: 'erased',
  memberCounts: 'erased',
  membership: 'erased',
  listedSession: 'of no workspace',
  invitation: 'erased',
  signIn: 'of no workspace',
  session: 'of no workspace',
  sessionGrant: 'of no workspace',
  sessionUse: 'of no workspace',
  account: 'erased',
  tokens: 'erased',
  connection: 'expires',
  connectedAccount: 'erased',
  connectedLogin: 'erased',
  post: 'erased',
  target: 'erased',
  calendarEntry: 'erased',
  calendarVersion: 'erased',
  rhythm: 'erased',
  tags: 'erased',
  snippet: 'erased',
  dayPlace: 'erased',
  livePost: 'erased',
  idempotency: 'erased',
  externalId: 'erased',
  claimedExternalId: 'erased',
  media: 'erased',
  mediaUse: 'erased',
  rendition: 'erased',
  rate: 'expires',
  chore: 'expires',
  webhook: 'erased',
  webhookUrl: 'erased',
  webhookEvent: 'expires',
  delivery: 'expires',
  feedHead: 'erased',
  feedPlace: 'erased',
  replay: 'erased',
  automation: 'erased',
  automationPost: 'erased',
  postTime: 'erased',
  automationCounts: 'erased',
  automationReply: 'erased',
  automationMessage: 'erased',
  inboundComment: 'erased',
  inboundMessage: 'erased',
  awaitedAnswer: 'erased',
  waitingAction: 'erased',
  privateReplyCap: 'expires',
  sentClaim: 'expires',
  link: 'erased',
  clicks: 'erased',
  punctuality: 'erased',
  postNumbers: 'erased',
  bestPosts: 'erased',
  accountNumbers: 'erased',
  numbersProgress: 'of no workspace',
  pause: 'erased',
  listedPause: 'erased',
  withdrawal: 'of no workspace',
  versionNotice: 'erased',
  versionWalk: 'of no workspace',
  // The sweep forgets a destination within a minute of its deletion.
  watch: 'of no workspace',
  postAtRisk: 'erased',
  riskCheck: 'erased',
  askedAccount: 'erased',
  riskWindow: 'of no workspace',
  sealingKey: 'of no workspace',
  searchedPost: 'erased',
  postWord: 'erased',
};
const kindsThat = (end: (typeof ends)[ItemKind]) =>
  Object.entries(ends).flatMap(([kind, each]) => (each === end ? [kind] : []));

let fixture: ConnectingFixture;
let table: Table;
let gone: Filled;
let kept: Filled;
let objects: Set<string>;
let invalidated: string[];
let reported: string[];
beforeEach(async () => {
  fixture = await openConnectingFixture();
  table = fixture.context().table;
  gone = await fillWorkspace(fixture, 'gone');
  kept = await fillWorkspace(fixture, 'kept');
  objects = new Set([...gone.objectKeys, ...kept.objectKeys]);
  invalidated = [];
  reported = [];
  fixture.authorization.asked.length = 0;
});

const operator = (): Operator => ({
  ...{ table, now: fixture.clock.time, requestId: 'run-1' },
  verb: 'workspace.delete',
  actor: { kind: 'operator', id: 'ann' },
});
const deletes = () => deleteWorkspace(operator(), gone.workspaceId, 'they have left');

const ports = (): ErasurePorts => ({
  table,
  now: () => fixture.clock.time,
  vault: fixture.vault,
  sleep: () => new Promise(() => {}),
  authorizationFor: fixture.context().authorizationFor,
  toolsFor: fixture.context().toolsFor,
  listObjects: async (prefix) => [...objects].filter((key) => key.startsWith(prefix)),
  removeObject: async (key) => {
    objects.delete(key);
  },
  invalidate: async ({ paths }) => {
    invalidated.push(...paths);
  },
  report: (message) => reported.push(message),
});
const runOnce = (changes: Partial<ErasurePorts> = {}, forMs = minuteMs) =>
  eraseDueWorkspaces({ ...ports(), ...changes }, fixture.clock.time + forMs);
const pass = (waitMs: number) => {
  fixture.clock.time += waitMs;
};

const mentions = (filled: Filled) => (item: Item) => {
  const text = textOf(item);
  return filled.ids.some((id) => text.includes(id));
};
const kindsOf = (items: readonly Item[]) => [...new Set(items.map(({ kind }) => String(kind)))].sort();
const isExpired = ({ expiresAtSeconds = Number.POSITIVE_INFINITY }: Item) =>
  Number(expiresAtSeconds) * secondMs <= fixture.clock.time;
const sorted = (items: readonly Item[]) => items.map(textOf).sort();
const sweep = () =>
  sweepOverdue(
    sweepPorts(table, () => fixture.clock.time),
    fixture.clock.time + minuteMs,
  );

/** Returns the remaining items of the workspace, except for the one line in the operators' own log. */
async function left(): Promise<Item[]> {
  const items = await fixture.items();
  return items.filter(({ pk }) => pk !== auditPartition(stageLog)).filter(mentions(gone));
}
const ofOthers = async () =>
  sorted(
    (await fixture.items()).filter(
      (item) => item['pk'] !== auditPartition(stageLog) && !mentions(gone)(item),
    ),
  );

/** A table whose requests all fail from the nth on, as if the process had crashed. */
function crashingAfter(requests: number, isDoneFirst: boolean): Table {
  let left = requests;
  const send = async (command: never) => {
    left -= 1;
    if (left < 0) throw new Error('crashed');
    if (left > 0 || isDoneFirst) return table.client.send(command);
    throw new Error('crashed');
  };
  return { ...table, client: { send } as unknown as DynamoDBDocumentClient };
}

/** A table whose requests all fail once a write has changed something, as if the process had crashed then. */
function crashingAfterOneChange(): Table {
  let isCrashed = false;
  const send = async (command: object) => {
    if (isCrashed) throw new Error('crashed');
    if (/^(Get|BatchGet|Query)/.test(command.constructor.name)) return table.client.send(command as never);
    const before = sorted(await fixture.items());
    const answer = await table.client.send(command as never);
    isCrashed = sorted(await fixture.items()).join() !== before.join();
    return answer;
  };
  return { ...table, client: { send } as unknown as DynamoDBDocumentClient };
}

it('a filled workspace has an item of every kind', async () => {
  await deletes();
  const items = await fixture.items();
  const own = kindsOf(items.filter(mentions(gone)));
  expect(own).toEqual([...kindsThat('erased'), ...kindsThat('expires')].sort());
});

describe('a deleted workspace', () => {
  it('leaves nothing in the table and the bucket, wherever its erasure crashes, and others are untouched', async () => {
    await deletes();
    pass(30 * dayMs);
    const before = await ofOthers();
    let runs = 0;
    for (let erased = 0; erased === 0; runs += 1) {
      const crashing = { table: crashingAfter(1 + 2 * runs, runs % 2 === 0) };
      const count = await runOnce(crashing).catch(() => undefined);
      erased = count?.erased ?? 0;
      pass(hourMs);
    }
    expect(runs).toBeGreaterThan(10);
    expect((await left()).filter((item) => !isExpired(item))).toEqual([]);
    expect(kindsOf(await left())).toEqual(kindsThat('expires').sort());
    expect(await ofOthers()).toEqual(before);
    expect([...objects].sort()).toEqual([...kept.objectKeys].sort());
    expect(new Set(invalidated)).toEqual(new Set([`/media/${gone.workspaceId}/*`]));
  }, 180_000);

  it('leaves nothing in the table if each of its runs crashes after its first change', async () => {
    await deletes();
    pass(30 * dayMs);
    for (let [erased, runs] = [0, 0]; erased === 0; runs += 1) {
      erased = (await runOnce({ table: crashingAfterOneChange() })).erased;
      pass(hourMs);
      expect(runs).toBeLessThan(300);
    }
    expect((await left()).filter((item) => !isExpired(item))).toEqual([]);
  }, 180_000);

  it('leaves no place in its feed for an event that is announced again during the erasure', async () => {
    await deletes();
    pass(30 * dayMs);
    await runOnce();
    pass(hourMs);
    const send = async (command: never) => {
      const answer = await table.client.send(command);
      if (JSON.stringify(command).includes(feedHeadKey(gone.workspaceId).pk))
        await announceAt(table, [anEventDraft(gone.workspaceId)], fixture.clock.time);
      return answer;
    };
    const busy = { ...table, client: { send } as unknown as DynamoDBDocumentClient };
    expect(await runOnce({ table: busy })).toMatchObject({ erased: 1 });
    expect((await left()).filter((item) => !isExpired(item))).toEqual([]);
  });

  it('leaves the accounts that another workspace shares with it, and the live posts that the other one has made there', async () => {
    const others: Item[] = [];
    for (const item of (await fixture.items()).filter(mentions(gone))) {
      const { kind, sk } = item;
      const workspaceId = kept.workspaceId;
      if (kind === 'connectedAccount' || kind === 'connectedLogin')
        others.push({ ...item, sk: String(sk).replace(gone.workspaceId, workspaceId), workspaceId });
      // The same post of the platform: the other workspace has claimed it.
      if (kind === 'livePost') others.push({ ...item, workspaceId });
    }
    expect(kindsOf(others)).toEqual(['connectedAccount', 'connectedLogin', 'livePost']);
    for (const item of others) await putItem(table, item, unconditionally);
    await deletes();
    pass(30 * dayMs);
    await runOnce();
    pass(hourMs);
    expect(await runOnce()).toMatchObject({ erased: 1 });
    const still = (await fixture.items()).map(({ pk, sk }) => `${pk} ${sk}`);
    expect(still).toEqual(expect.arrayContaining(others.map(({ pk, sk }) => `${pk} ${sk}`)));
  });

  it('leaves nothing to the repair tasks that still exist: the sweep removes them', async () => {
    await deletes();
    pass(30 * dayMs);
    await runOnce();
    pass(hourMs);
    const { workspaceId } = gone;
    const target = { workspaceId, postId: gone.postId, accountId: gone.accounts.own.id };
    const place = { ...target, platform: 'youtube', day: '2027-01-19', timeZone: 'UTC' };
    const scheduledFor = '2027-01-19T12:00:00.000Z';
    const tasks: RepairTask[] = [
      { kind: 'roll-up', ...target },
      { kind: 'free times', times: [{ ...target, scheduledFor }] },
      { kind: 'settle places', places: [place] },
      { kind: 'schedule wake', wake: { ...target, wakeNumber: 1 } },
    ];
    for (const task of tasks) await putRepairTask(table, task, fixture.clock.time, 0);
    expect(await runOnce()).toMatchObject({ erased: 1 });
    expect(kindsOf((await left()).filter((item) => !isExpired(item)))).toEqual(['chore']);
    pass(minuteMs);
    await sweep();
    expect((await left()).filter((item) => !isExpired(item))).toEqual([]);
  });

  it('leaves one line in the operators’ own log, which says who asked for it', async () => {
    await deletes();
    pass(30 * dayMs);
    await runOnce();
    pass(hourMs);
    expect(await runOnce()).toMatchObject({ erased: 1, failures: 0 });
    expect(await queryAll(table, { partition: auditPartition(stageLog) })).toMatchObject([
      { verb: 'workspace.delete', subjectId: gone.workspaceId, actor: { kind: 'operator', id: 'ann' } },
    ]);
    await expect(getWorkspace(table, gone.workspaceId)).rejects.toMatchObject({ code: 'not_found' });
    expect(await runOnce()).toEqual({ begun: 0, waiting: 0, unfinished: 0, erased: 0, failures: 0 });
  });

  it('is untouched until the 30 days are over', async () => {
    await deletes();
    const before = sorted(await fixture.items());
    pass(30 * dayMs - 1);
    expect(await runOnce()).toMatchObject({ begun: 0, erased: 0 });
    expect(sorted(await fixture.items())).toEqual(before);
    pass(1);
    expect(await runOnce()).toMatchObject({ begun: 1, waiting: 1 });
  });

  it('is not erased if it was resumed in the meantime', async () => {
    await deletes();
    pass(29 * dayMs);
    await resumeWorkspace({ ...operator(), verb: 'workspace.resume' }, gone.workspaceId);
    pass(2 * dayMs);
    expect(await runOnce()).toMatchObject({ begun: 0 });
    expect(await getWorkspace(table, gone.workspaceId)).not.toHaveProperty('erasingSince');
  });

  it('is not erased if it was resumed after the run had found it', async () => {
    await deletes();
    pass(30 * dayMs);
    const resume = () =>
      resumeWorkspace(
        { ...operator(), now: fixture.clock.time - 1, verb: 'workspace.resume' },
        gone.workspaceId,
      );
    let isResumed = false;
    const send = async (command: object) => {
      if (command instanceof UpdateCommand && !isResumed) {
        isResumed = true;
        await resume();
      }
      return table.client.send(command as never);
    };
    const found = { ...table, client: { send } as unknown as DynamoDBDocumentClient };
    expect(await runOnce({ table: found })).toEqual({
      ...{ begun: 0, waiting: 0, unfinished: 0, erased: 0, failures: 0 },
    });
    expect(isResumed).toBe(true);
    const workspace = await getWorkspace(table, gone.workspaceId);
    expect(workspaceState(workspace)).toBe('active');
    expect(kindsOf(await left())).toContain('link');
    expect(fixture.authorization.asked).toEqual([]);
  });

  it('cannot be resumed by an operator who has read it just before its erasure began', async () => {
    await deletes();
    pass(30 * dayMs);
    let begun = 0;
    const send = async (command: object) => {
      if (command instanceof TransactWriteCommand) begun += (await runOnce()).begun;
      return table.client.send(command as never);
    };
    const late = { ...table, client: { send } as unknown as DynamoDBDocumentClient };
    const act = { ...operator(), now: fixture.clock.time - 1, verb: 'workspace.resume' } as const;
    await expect(resumeWorkspace({ ...act, table: late }, gone.workspaceId)).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(begun).toBe(1);
    pass(hourMs);
    expect(await runOnce()).toMatchObject({ erased: 1 });
  });

  it('continues with the next run if the time is over', async () => {
    await deletes();
    pass(30 * dayMs);
    await runOnce();
    pass(hourMs);
    let looks = 0;
    const now = () => fixture.clock.time + (looks++ > 15 ? hourMs : 0);
    expect(await runOnce({ now })).toMatchObject({ unfinished: 1, erased: 0, failures: 0 });
    expect(await left()).not.toEqual([]);
    pass(hourMs);
    expect(await runOnce()).toMatchObject({ erased: 1 });
  });

  it('gives what still runs an hour to end, after links and accounts are gone and before the rest goes', async () => {
    await deletes();
    pass(30 * dayMs);
    await runOnce();
    const kinds = kindsOf(await left());
    expect(kinds).not.toContain('link');
    expect(kinds).not.toContain('tokens');
    expect(kinds).toContain('clicks');
    pass(hourMs - 1);
    expect(await runOnce()).toMatchObject({ erased: 0 });
  });

  it('is erased even if some of its rows cannot be read', async () => {
    await deletes();
    for (const item of (await left()).filter(({ kind }) => kind === 'account' || kind === 'target'))
      await updateItem(table, keyOf(item), { set: { status: removed }, if: unconditionally });
    pass(30 * dayMs);
    await runOnce();
    pass(4 * dayMs);
    await runOnce();
    pass(hourMs);
    expect(await runOnce()).toMatchObject({ erased: 1 });
    expect(kindsOf((await left()).filter((item) => !isExpired(item)))).toEqual([]);
  });
});

describe('the accounts of a deleted workspace', () => {
  const revoke = 'revoke secret-access-channel-gone';

  it('are revoked at the platforms, except those that another workspace has connected too', async () => {
    await deletes();
    pass(30 * dayMs);
    await runOnce();
    expect(fixture.authorization.asked).toEqual([revoke]);
  });

  it('are revoked once, also if several belong to one login', async () => {
    fixture.authorization.answers.exchange = async () => [
      connectable('second', fixture.clock.time, {
        loginId: 'person-gone',
      }),
    ];
    await fixture.connect(gone.workspaceId);
    fixture.authorization.asked.length = 0;
    await deletes();
    pass(30 * dayMs);
    await runOnce();
    expect(fixture.authorization.asked).toHaveLength(1);
  });

  it('are tried for three days if the platform fails, then reported and given up', async () => {
    fixture.authorization.answers.revoke = async () => {
      throw new Error('the platform is down');
    };
    await deletes();
    pass(30 * dayMs);
    for (let hours = 0; hours < 72; hours += 6) {
      expect(await runOnce()).toMatchObject({ waiting: 1, erased: 0 });
      expect(kindsOf(await left())).toContain('tokens');
      pass(6 * hourMs);
    }
    expect(fixture.authorization.asked).toHaveLength(12);
    await runOnce();
    expect(reported.at(-1)).toContain('given up');
    expect(kindsOf(await left())).not.toContain('tokens');
    pass(hourMs);
    expect(await runOnce()).toMatchObject({ erased: 1 });
  });

  it('need no revocation if the platform has ended the authorization already', async () => {
    fixture.authorization.answers.revoke = async () => {
      throw new PlatformError('reauthorise', 'the token is revoked', {});
    };
    await deletes();
    pass(30 * dayMs);
    await runOnce();
    expect(reported).toEqual([]);
    pass(hourMs);
    expect(await runOnce()).toMatchObject({ erased: 1 });
  });
});
