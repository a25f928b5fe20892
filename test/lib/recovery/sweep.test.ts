import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { readCalendar } from '../../../lib/calendar/read.ts';
import { minuteMs } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { createPost } from '../../../lib/posts/create.ts';
import { findPost } from '../../../lib/posts/store.ts';
import { effectsOf } from '../../../lib/publishing/relay/effects.ts';
import { type RelayPorts, relayChange } from '../../../lib/publishing/relay/relay.ts';
import { targetKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { targetItem } from '../../../lib/targets/item.ts';
import { changeTarget, startMs, storeAccount, storePost } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, openFixture } from '../posts/fixture.ts';
import { failingTable, sweepAfter } from './fixture.ts';

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

function relayPorts(minutes: number, given = table) {
  const deadLetters: string[] = [];
  const ports: RelayPorts = {
    table: given,
    now: () => startMs + minutes * minuteMs,
    enqueue: async () => {},
    enqueueChain: async () => {},
    schedule: async () => {},
    unschedule: async () => {},
    sendToDeadLetters: async ({ kind }) => void deadLetters.push(kind),
  };
  return { ports, deadLetters };
}

describe('an effect that the relay cannot carry out', () => {
  it('is retried for ten minutes, and blocks the stream no longer than that', async () => {
    const change = await aLiveChange();
    expect(effectsOf(change.before, change.after).map(({ kind }) => kind)).toContain('roll-up');
    const failing = failingTable(table, isUpdate);
    const early = relayPorts(10, failing);
    await expect(relayChange(change, early.ports)).rejects.toThrow('refuses the command');
    expect(early.deadLetters).toEqual([]);
    const late = relayPorts(11, failing);
    await relayChange(change, late.ports);
    expect(late.deadLetters).toEqual(['roll-up']);
  });

  it('is retried by the sweep at growing intervals until it succeeds', async () => {
    const change = await aLiveChange();
    const { postId } = change.after;
    const statusInLists = async () => (await findPost(table, workspaceId, postId))?.post.status;
    await relayChange(change, relayPorts(11, failingTable(table, isUpdate)).ports);

    expect((await sweepAfter(table, 20)).count).toMatchObject({ repairs: 0, failures: 0 });
    const failing = failingTable(
      table,
      (command) =>
        command instanceof UpdateCommand && String(command.input.UpdateExpression).includes('statusList'),
    );
    const { count, reports } = await sweepAfter(failing, 22);
    expect(count).toMatchObject({ repairs: 0, failures: 1 });
    expect(reports).toHaveLength(1);
    expect((await sweepAfter(failing, 26)).count).toMatchObject({ repairs: 0, failures: 0 });
    expect((await sweepAfter(failing, 28)).count).toMatchObject({ repairs: 0, failures: 1 });
    expect((await sweepAfter(table, 37)).count).toMatchObject({ repairs: 0, failures: 0 });
    expect(await statusInLists()).toBe('scheduled');
    expect((await sweepAfter(table, 39)).count).toMatchObject({ repairs: 1, failures: 0 });
    expect(await statusInLists()).toBe('published');
    expect((await sweepAfter(table, 10_000)).count).toMatchObject({ repairs: 0, failures: 0 });
  });

  it('blocks the stream as long as its repair task cannot be stored', async () => {
    const change = await aLiveChange();
    const { ports, deadLetters } = relayPorts(
      100,
      failingTable(table, () => true),
    );
    await expect(relayChange(change, ports)).rejects.toThrow('refuses the command');
    expect(deadLetters).toEqual([]);
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
    expect((await sweepAfter(table, 11)).count.repairs).toBe(1);
    expect(await taken()).toEqual(new Set([crashes ? 0 : 1]));
  });
});
