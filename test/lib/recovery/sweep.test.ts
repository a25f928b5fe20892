import { DeleteCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { readCalendar } from '../../../lib/calendar/read.ts';
import { readDay } from '../../../lib/daily-limits/read.ts';
import { minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { putRepairTask, type RepairTask } from '../../../lib/overdue/repair-tasks.ts';
import { createPost } from '../../../lib/posts/create.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { effectsOf } from '../../../lib/publishing/relay/effects.ts';
import { keepSchedule } from '../../../lib/publishing/relay/keep-schedule.ts';
import type { RelayPorts } from '../../../lib/publishing/relay/relay.ts';
import { routineCounts, type SweepPorts, sweepOverdue } from '../../../lib/recovery/sweep.ts';
import { targetKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { targetItem } from '../../../lib/targets/item.ts';
import { changeTarget, startMs, storeAccount, storePost } from '../../support/builders.ts';
import { sweepPorts } from '../../support/sweep.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, openFixture } from '../posts/fixture.ts';
import { failingTable, relayChange, sweepAfter } from './fixture.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const workspaceId = newId(startMs);
const isUpdate = (command: object) => command instanceof UpdateCommand;

describe('a sweep', () => {
  it('handles everything else if one item cannot be read, and reports that item', async () => {
    const { targets } = await storePost(
      table,
      workspaceId,
      Array.from({ length: 3 }, (_, position) => ({ accountId: newId(startMs + position) })),
    );
    const [broken] = targets;
    if (!broken) throw new Error('no target');
    await table.client.send(
      new PutCommand({ TableName: table.name, Item: { ...targetItem(broken), options: 'no JSON' } }),
    );
    const { count, messages, reports } = await sweepAfter(table, 1);
    expect(messages.map(({ accountId }) => accountId).sort()).toEqual(
      targets
        .slice(1)
        .map(({ accountId }) => accountId)
        .sort(),
    );
    expect(count).toMatchObject({ targets: 2, failures: 1 });
    const { pk, sk } = targetKey(workspaceId, broken.postId, broken.accountId);
    expect(reports).toEqual([expect.stringContaining(`not swept: ${pk} ${sk}: SyntaxError`)]);
  });
});

/** The change of a target that has just gone live, as the stream delivers it. */
async function aLiveChange() {
  const account = await storeAccount(table, workspaceId);
  const { targets } = await storePost(table, workspaceId, [{ accountId: account.id }]);
  const [before] = targets;
  if (!before) throw new Error('no target');
  const live = { status: 'published', platformPostId: 'post-1', wakeAt: null } as const;
  const after = await changeTarget(table, before, live);
  return { before, after, atMs: startMs };
}

function relayPorts(seconds: number, changes: Partial<RelayPorts> = {}) {
  const reports: string[] = [];
  const ports: RelayPorts = {
    table,
    now: () => startMs + seconds * secondMs,
    enqueue: async () => {},
    stopAutomation: async () => {},
    enqueueChain: async () => {},
    enqueueDistant: async () => {},
    report: ({ kind }) => void reports.push(kind),
    ...changes,
  };
  return { ports, reports };
}

/** The table, with something that happens before each command. */
function beforeCommands(real: Table, happen: (command: object) => Promise<void>): Table {
  const send = async (command: Parameters<Table['client']['send']>[0]) => {
    await happen(command);
    return real.client.send(command);
  };
  return { ...real, client: { send } as unknown as Table['client'] };
}

const refusing = async () => {
  throw new Error('the service does not answer');
};

describe('the ordinary tasks of a sweep', () => {
  const upload = { workspaceId, postId: newId(startMs), accountId: newId(startMs), platform: 'youtube' };
  const tasks: readonly [string, RepairTask][] = [
    ['pauseLooks', { kind: 'held targets', scope: `workspace#${workspaceId}` }],
    [
      'forgottenAccounts',
      { kind: 'forget numbers', workspaceId, accountId: upload.accountId, until: toTimestamp(startMs) },
    ],
    ['discardedUploads', { kind: 'discard upload', upload: { ...upload, preparation: {} } }],
  ];

  it.each(tasks)('are counted as such, and not as repairs: %s', async (name, task) => {
    await putRepairTask(table, task, startMs, 0);
    const { count } = await sweepAfter(table, 1);
    const done = Object.entries(count).filter(([, value]) => value > 0);
    expect(done).toEqual([[name, 1]]);
    expect(routineCounts).toContain(name);
  });

  it('are all that count as routine', () => {
    expect(routineCounts.toSorted()).toEqual(tasks.map(([name]) => name).toSorted());
  });
});

describe('an effect that the relay cannot carry out', () => {
  it('is left to the sweep immediately, so that it holds up no other change', async () => {
    const change = await aLiveChange();
    expect(effectsOf(change.before, change.after, {}).map(({ kind }) => kind)).toContain('roll-up');
    const { ports, reports } = relayPorts(0, { table: failingTable(table, isUpdate) });
    await relayChange(change, ports);
    expect(reports).toEqual(['roll-up']);
  });

  it('is retried by the sweep at growing intervals until it succeeds', async () => {
    const change = await aLiveChange();
    const { postId } = change.after;
    const statusInLists = async () => (await findPost(table, workspaceId, postId))?.post.status;
    await relayChange(change, relayPorts(0, { table: failingTable(table, isUpdate) }).ports);
    const failing = failingTable(
      table,
      (command) =>
        command instanceof UpdateCommand && String(command.input.UpdateExpression).includes('statusList'),
    );
    const failures: number[] = [];
    for (let minute = 1; minute <= 20; minute += 1) {
      const { count, reports } = await sweepAfter(failing, minute);
      expect(reports).toHaveLength(count.failures);
      if (count.failures > 0) failures.push(minute);
    }
    expect(failures).toEqual([2, 4, 7, 12]);
    expect(await statusInLists()).toBe('scheduled');
    expect((await sweepAfter(table, 21)).count).toMatchObject({ repairs: 1, failures: 0 });
    expect(await statusInLists()).toBe('published');
    expect((await sweepAfter(table, 10_000)).count).toMatchObject({ repairs: 0, failures: 0 });
  });

  it('is done once more if it failed again while the sweep did it', async () => {
    const { before, after } = await aLiveChange();
    const task = { kind: 'roll-up', workspaceId, postId: after.postId } as const;
    await relayChange(
      { before, after, atMs: startMs },
      relayPorts(0, { table: failingTable(table, isUpdate) }).ports,
    );
    let isStoredAgain = false;
    // The same task is stored again after the sweep's roll-up has read the targets.
    const racing = beforeCommands(table, async (command) => {
      if (!(command instanceof UpdateCommand) || isStoredAgain) return;
      isStoredAgain = true;
      await putRepairTask(table, task, startMs + 3 * minuteMs);
    });
    expect((await sweepAfter(racing, 2)).count).toMatchObject({ repairs: 1, failures: 0 });
    expect(isStoredAgain).toBe(true);
    expect((await sweepAfter(table, 20)).count).toMatchObject({ repairs: 1, failures: 0 });
    expect((await sweepAfter(table, 40)).count).toMatchObject({ repairs: 0, failures: 0 });
  });

  it('blocks the stream as long as its repair task cannot be stored', async () => {
    const change = await aLiveChange();
    const { ports, reports } = relayPorts(6_000, { table: failingTable(table, () => true) });
    await expect(relayChange(change, ports)).rejects.toThrow('refuses the command');
    expect(reports).toEqual([]);
  });

  it('is repeated by the stream for a minute if it is a message, and then left to the sweep', async () => {
    const { targets } = await storePost(table, workspaceId, [{}]);
    const change = { before: undefined, after: targets[0], atMs: startMs };
    await expect(relayChange(change, relayPorts(60, { enqueue: refusing }).ports)).rejects.toThrow(
      'does not answer',
    );
    const { ports, reports } = relayPorts(61, { enqueue: refusing });
    await relayChange(change, ports);
    expect(reports).toEqual(['schedule wake']);
    expect((await sweepAfter(table, 2)).messages).toHaveLength(1);
  });
});

describe('the place of a target in a day of its platform’s limit', () => {
  const dailyLimits = { youtube: { posts: 100, timeZone: 'UTC', counts: 'uploads' } };
  const day = toTimestamp(startMs).slice(0, 10);

  async function planVideo() {
    const { post, targets } = await storePost(table, workspaceId, [{ platform: 'youtube' }]);
    const isPlaced = async () => {
      const places = await readDay(table, { platform: 'youtube', day, posts: 100 }, workspaceId);
      return places.some(({ postId }) => postId === post.id);
    };
    return { change: { before: undefined, after: targets[0], atMs: startMs }, isPlaced };
  }

  it('is written before the target has its wake, which makes the worker look for it', async () => {
    const { change, isPlaced } = await planVideo();
    const found: boolean[] = [];
    const enqueue = async () => void found.push(await isPlaced());
    await relayChange(change, relayPorts(0, { enqueue }).ports, dailyLimits);
    expect(found).toEqual([true, true]);
  });

  it('does not hold up its wake, and is left to the sweep, if the table refuses it', async () => {
    const { change, isPlaced } = await planVideo();
    let sent = 0;
    const enqueue = async () => {
      sent += 1;
    };
    const failing = failingTable(table, (command) => command instanceof TransactWriteCommand);
    const { ports, reports } = relayPorts(0, { enqueue, table: failing });
    await relayChange(change, ports, dailyLimits);
    expect({ sent, reports, isPlaced: await isPlaced() }).toEqual({
      sent: 2,
      reports: ['settle places'],
      isPlaced: false,
    });
    await sweepAfter(table, 2);
    expect(await isPlaced()).toBe(true);
  });
});

describe.each<[string, RelayPorts['enqueueDistant']]>([
  ['its queue', refusing],
  [
    'Scheduler',
    (wake) => keepSchedule({ ...relayPorts(0).ports, schedule: refusing, unschedule: refusing }, wake),
  ],
])('a distant wake that %s does not accept', (_what, enqueueDistant) => {
  async function relayDistantWake() {
    const wakeMs = startMs + 60 * minuteMs;
    const { post, targets } = await storePost(table, workspaceId, [{ wakeAt: toTimestamp(wakeMs) }]);
    const [target] = targets;
    if (!target) throw new Error('no target');
    await relayChange(
      { before: undefined, after: target, atMs: startMs },
      relayPorts(0, { enqueueDistant }).ports,
    );
    return { post, target };
  }

  /** Sweeps the table, and returns what was scheduled, as `<wake number> in <minutes>`, and what was enqueued. */
  async function sweptAfter(minutes: number, isAvailable = true) {
    const scheduled: string[] = [];
    const now = startMs + minutes * minuteMs;
    const schedule: SweepPorts['schedule'] = async ({ wakeNumber }, atMs) => {
      if (!isAvailable) throw new Error('Scheduler does not answer');
      scheduled.push(`schedule ${wakeNumber} in ${(atMs - now) / minuteMs} min`);
    };
    const enqueue: SweepPorts['enqueue'] = async ({ wakeNumber }, delaySeconds) =>
      void scheduled.push(`enqueue ${wakeNumber} in ${delaySeconds} s`);
    await sweepOverdue({ ...sweepPorts(table, () => now), schedule, enqueue }, Number.POSITIVE_INFINITY);
    return scheduled;
  }

  it('is scheduled by the sweep once Scheduler answers', async () => {
    await relayDistantWake();
    expect(await sweptAfter(2, false)).toEqual([]);
    expect(await sweptAfter(4)).toEqual(['schedule 1 in 54.5 min']);
    expect(await sweptAfter(5)).toEqual([]);
  });

  it('goes to the queue if it is near by then', async () => {
    await relayDistantWake();
    expect(await sweptAfter(58)).toEqual(['enqueue 1 in 119 s', 'enqueue 1 in 135 s']);
  });

  it('is forgotten if the target has another wake by then', async () => {
    const { target } = await relayDistantWake();
    await changeTarget(table, target, { wakeAt: toTimestamp(startMs + 90 * minuteMs) });
    expect(await sweptAfter(4)).toEqual([]);
  });

  it('is forgotten if the post was deleted', async () => {
    const { post } = await relayDistantWake();
    const { pk, sk } = targetKey(workspaceId, post.id, post.targets[0]?.accountId ?? '');
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }));
    expect(await sweptAfter(4)).toEqual([]);
  });
});

describe('the times of a post that needs two transactions', () => {
  it.each([
    ['are freed if the post was never stored', true],
    ['stay taken if the post was stored', false],
  ])('%s', async (_what, crashes) => {
    const fixture = await openFixture(table);
    const accounts = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        storeAccount(table, fixture.context.workspaceId, { platformAccountId: `${index}` }),
      ),
    );
    let transactions = 0;
    const failing = failingTable(table, ({ constructor: { name } }) => {
      if (name === 'TransactWriteCommand') transactions += 1;
      return crashes && transactions > 1;
    });
    const asked = { platforms: accounts.map(({ id }) => ({ accountId: id })), scheduledFor: inOneHour };
    const created = createPost({ ...fixture.context, table: failing }, fixture.body(asked), { rawBody: '' });
    if (crashes) await expect(created).rejects.toThrow('refuses the command');
    else await created;
    const takenOn = async (accountId: string) =>
      (
        await readCalendar(
          table,
          { workspaceId: fixture.context.workspaceId, accountId },
          { fromMs: startMs, untilMs: startMs + 120 * minuteMs },
        )
      ).entries.length;
    const taken = async () => new Set(await Promise.all(accounts.map(({ id }) => takenOn(id))));
    expect(await taken()).toEqual(new Set([1]));
    expect((await sweepAfter(table, 11)).count.repairs).toBe(crashes ? 1 : 0);
    expect(await taken()).toEqual(new Set([crashes ? 0 : 1]));
  });
});
