import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../lib/api-contract/context.ts';
import { hourMs } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { chooseSlot } from '../../../lib/rhythm/choose-slot.ts';
import { calendarEntryKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { transact } from '../../../lib/table/transaction.ts';
import { openWorkspace, startMs } from '../../support/builders.ts';
import { countRequests } from '../../support/requests.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let context: Context;
beforeAll(async () => {
  table = await createTestTable();
  context = (await openWorkspace(table)).context;
});

const request = (accountId: string) => ({
  postId: newId(startMs),
  accountIds: [accountId],
  earliestMs: startMs,
});

async function chooseFree(accountId: string, caller: Context = context) {
  const choice = await chooseSlot(caller, request(accountId));
  if (choice.state !== 'free') throw new Error(`the slot is ${choice.state}`);
  return choice;
}

describe('a claim', () => {
  it('fails if another was committed since the calendar was read', async () => {
    const accountId = newId(startMs);
    const [first, second] = [await chooseFree(accountId), await chooseFree(accountId)];
    expect(await transact(table, first.claims)).toMatchObject({ committed: true });
    expect(await transact(table, second.claims)).toMatchObject({ committed: false });
    const third = await chooseFree(accountId);
    expect(await transact(table, third.claims)).toMatchObject({ committed: true });
    expect(await transact(table, first.claims)).toMatchObject({ committed: false });
  });

  it('does not affect other accounts', async () => {
    const [first, second] = [await chooseFree(newId(startMs)), await chooseFree(newId(startMs))];
    expect(await transact(table, first.claims)).toMatchObject({ committed: true });
    expect(await transact(table, second.claims)).toMatchObject({ committed: true });
  });
});

describe('the entry of the last claim', () => {
  /** An account whose last claim is committed, but whose calendar entry is missing. */
  async function claimedWithoutEntry() {
    const accountId = newId(startMs);
    await transact(table, (await chooseFree(accountId)).claims);
    return accountId;
  }

  it('is read if the calendar does not show it, and is ignored if its slot was freed', async () => {
    const accountId = await claimedWithoutEntry();
    const { counted, requests } = countRequests(context);
    expect((await chooseFree(accountId, counted)).atMs).toBe(startMs);
    expect(requests).toEqual(['BatchGetCommand', 'QueryCommand', 'TransactGetCommand']);
  });

  it('leaves the choice unsettled while it is being committed', async () => {
    const accountId = await claimedWithoutEntry();
    const { counted } = countRequests(context, async (name) => {
      if (name !== 'TransactGetCommand') return;
      throw new TransactionCanceledException({
        message: 'canceled',
        $metadata: {},
        CancellationReasons: [{ Code: 'TransactionConflict' }],
      });
    });
    expect(await chooseSlot(counted, request(accountId))).toEqual({ state: 'unsettled' });
  });

  it('counts if it becomes visible only then', async () => {
    const accountId = newId(startMs);
    const { atMs, claims } = await chooseFree(accountId);
    await transact(table, claims);
    const [{ Update: { ExpressionAttributeValues: values = {} } = {} } = {}] = claims;
    const [time = '', postId = ''] = String(values[':lastEntry']).split('#');
    const entry = { workspaceId: context.workspaceId, accountId, postId, scheduledFor: time };
    const Item = { ...calendarEntryKey(entry), postId, autoKeyId: context.actor.id };
    const { counted } = countRequests(context, async (name) => {
      if (name === 'TransactGetCommand') await transact(table, [{ Put: { TableName: table.name, Item } }]);
    });
    expect((await chooseFree(accountId, counted)).atMs).toBe(atMs + 2 * hourMs);
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: calendarEntryKey(entry) }));
    expect((await chooseFree(accountId)).atMs).toBe(atMs);
  });
});
