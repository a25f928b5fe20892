import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectionWrites, endConnection } from '../../../../lib/accounts/connection-store.ts';
import type { Account } from '../../../../lib/accounts/schemas.ts';
import { findAccount, markAccount, markRefreshed, recordAccessEnd } from '../../../../lib/accounts/store.ts';
import { noteLive, putOff, storeFresh, storeReading } from '../../../../lib/insights/store.ts';
import { toTimestamp } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { unconditionally } from '../../../../lib/table/condition.ts';
import { deleteItem } from '../../../../lib/table/items.ts';
import { accountKey, type Key, postNumbersKey } from '../../../../lib/table/keys.ts';
import type { ItemChange } from '../../../../lib/table/stream.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { transact } from '../../../../lib/table/transaction.ts';
import { eventsFromChange } from '../../../../lib/webhooks/events/events-from-changes.ts';
import type { EventDraft } from '../../../../lib/webhooks/events/store.ts';
import { tokenSet } from '../../../support/authorization.ts';
import { anAccount, openWorkspace, startMs, storeAccount } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';

const mediaBaseUrl = 'https://media.example.com';
const settings = { mediaBaseUrl, stageFeatures: {} };
let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

let changes = 0;
/** The stream's record of what `act` changes in an item. */
async function changeOf(key: Key, act: () => Promise<unknown>): Promise<ItemChange> {
  const read = async () =>
    (await table.client.send(new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }))).Item;
  const before = await read();
  await act();
  changes += 1;
  return { before, after: await read(), atMs: startMs, sequenceNumber: String(changes) };
}

/** The event that a change causes, which is the same if the stream repeats the change. */
function eventFromChange(change: ItemChange): EventDraft | undefined {
  const events = eventsFromChange(change, settings);
  expect(eventsFromChange({ ...change }, settings)).toEqual(events);
  expect(events.length).toBeLessThanOrEqual(1);
  return events[0];
}

describe('an account', () => {
  const expire = async () => {
    const { context } = await openWorkspace(table);
    const account = await storeAccount(table, context.workspaceId, { username: 'someone' });
    const key = accountKey(account.workspaceId, account.id);
    return {
      account,
      change: await changeOf(key, () => markAccount(table, account, 'expired', 'refused', startMs)),
    };
  };

  it('expires once, however often its token is rejected', async () => {
    const { account, change } = await expire();
    expect(eventFromChange(change)).toMatchObject({
      type: 'account.expired',
      workspaceId: account.workspaceId,
      data: { account: { id: account.id, status: 'expired', statusMessage: 'refused', isActive: false } },
    });
    const again = await changeOf(accountKey(account.workspaceId, account.id), () =>
      markAccount(table, account, 'expired', 'refused again', startMs),
    );
    expect(eventFromChange(again)).toBeUndefined();
  });

  it('has another event each time it expires, and the same event for the same change', async () => {
    const { change } = await expire();
    const laterChange = { ...change, sequenceNumber: '999' };
    expect(eventFromChange(change)?.id).toBe(eventFromChange({ ...change })?.id);
    expect(eventFromChange(laterChange)?.id).not.toBe(eventFromChange(change)?.id);
  });

  it.each(['ok', 'error'])('that becomes %s causes no event', async (status) => {
    const { change } = await expire();
    expect(eventFromChange({ ...change, after: { ...change.after, status } })).toBeUndefined();
  });
});

describe('a connection', () => {
  const secondMs = 1_000;
  /** A new account, and what its changes announce. */
  async function openConnection() {
    const { context } = await openWorkspace(table);
    const account = anAccount(context.workspaceId, { username: 'someone', externalId: 'customer-7' });
    const key = accountKey(account.workspaceId, account.id);
    const announced = async (act: () => Promise<unknown>) => {
      const change = await changeOf(key, act);
      return eventFromChange(change);
    };
    const tokens = { ciphertext: 'sealed', set: tokenSet('a', startMs) };
    return {
      account,
      announced,
      connect: (atMs: number, changed: Partial<Account> = {}) =>
        announced(() =>
          transact(
            table,
            connectionWrites(table, { ...account, connectedAt: toTimestamp(atMs), ...changed }, tokens),
          ),
        ),
      disconnect: (atMs: number) => announced(() => endConnection(table, account, atMs)),
      read: async () => {
        const found = await findAccount(table, account.workspaceId, account.id);
        if (!found) throw new Error('no account');
        return found;
      },
    };
  }

  it('is announced with the account as the API shows it', async () => {
    const { account, connect } = await openConnection();
    expect(await connect(startMs)).toMatchObject({
      type: 'account.connected',
      workspaceId: account.workspaceId,
      data: {
        account: {
          id: account.id,
          externalId: 'customer-7',
          connectedAt: toTimestamp(startMs),
          status: 'ok',
          isActive: true,
        },
      },
    });
  });

  it('is announced when it ends, as inactive, and once', async () => {
    const { account, connect, disconnect } = await openConnection();
    await connect(startMs);
    expect(await disconnect(startMs + secondMs)).toMatchObject({
      type: 'account.disconnected',
      workspaceId: account.workspaceId,
      // The stored profile is erased, but the event still shows whose account it was.
      data: { account: { id: account.id, isActive: false, username: 'someone', externalId: 'customer-7' } },
    });
    expect(await disconnect(startMs + 2 * secondMs)).toBeUndefined();
  });

  it('is announced again, with another id, after it ended and after a person renewed it', async () => {
    const { connect, disconnect } = await openConnection();
    const first = await connect(startMs);
    await disconnect(startMs + secondMs);
    const second = await connect(startMs + 2 * secondMs);
    const third = await connect(startMs + 3 * secondMs);
    expect([first, second, third].map((draft) => draft?.type)).toEqual(Array(3).fill('account.connected'));
    expect(new Set([first?.id, second?.id, third?.id])).toHaveLength(3);
  });

  it('is announced once if the write is repeated', async () => {
    const { connect } = await openConnection();
    await connect(startMs);
    expect(await connect(startMs)).toBeUndefined();
  });

  it('is not announced when its tokens are renewed or its status changes', async () => {
    const { connect, announced, read } = await openConnection();
    await connect(startMs);
    const connected = await read();
    const reconnectBy = toTimestamp(startMs + secondMs);
    expect(await announced(() => recordAccessEnd(table, connected, reconnectBy))).toBeUndefined();
    expect(
      await announced(() => markAccount(table, connected, 'error', 'restricted', startMs)),
    ).toBeUndefined();
    expect(await announced(async () => markRefreshed(table, await read(), { scopes: [] }))).toBeUndefined();
    expect(await read()).toMatchObject({ status: 'ok' });
  });
});

it.each(['target', 'webhook', 'delivery', 'webhookEvent', 'media'])(
  'a change of a %s causes no event',
  (kind) => {
    const change = { before: undefined, after: { kind }, atMs: startMs, sequenceNumber: '1' };
    expect(eventFromChange(change)).toBeUndefined();
  },
);

describe('what people write', () => {
  const workspaceId = newId(startMs);
  const accountId = newId(startMs);
  const change = (after: Record<string, unknown>, before?: Record<string, unknown>): ItemChange => ({
    before,
    after: { workspaceId, accountId, at: toTimestamp(startMs), expiresAtSeconds: 1, ...after },
    atMs: startMs + 1_000,
    sequenceNumber: '1',
  });
  const comment = {
    kind: 'inboundComment',
    commentId: '1',
    platformPostId: '2',
    personId: '3',
    username: 'ann',
    text: 'link?',
  };
  const message = { kind: 'inboundMessage', messageId: 'mid', personId: '3', text: 'hello' };

  it('causes an event when it arrives: a comment', () => {
    const at = toTimestamp(startMs);
    const data = { accountId, platformPostId: '2', commentId: '1', text: 'link?', username: 'ann', at };
    const draft = eventFromChange(change(comment));
    expect(draft).toMatchObject({ workspaceId, type: 'comment.received', atMs: startMs });
    expect(draft?.data).toEqual(data);
    const matched = eventFromChange(change({ ...comment, automationId: accountId }));
    expect(matched?.data).toEqual({ ...data, automationId: accountId });
  });

  it('causes an event when it arrives: a message', () => {
    const draft = eventFromChange(change(message));
    expect(draft?.type).toBe('dm.received');
    expect(draft?.data).toEqual({ accountId, senderId: '3', text: 'hello', at: toTimestamp(startMs) });
  });

  it('keeps its event id if the stream repeats the change, and causes no event when it expires', () => {
    const ids = [1, 2].map(() => eventFromChange(change(comment))?.id);
    expect(new Set(ids).size).toBe(1);
    expect(eventFromChange({ ...change(comment, comment), after: undefined })).toBeUndefined();
    expect(eventFromChange(change(message, message))).toBeUndefined();
  });

  it('causes no event if it is a tap on a button of Herald', () => {
    expect(eventFromChange(change({ ...message, payload: 'herald:x' }))).toBeUndefined();
  });
});

describe('a reading of numbers', () => {
  const live = {
    ...{ workspaceId: newId(startMs), postId: newId(startMs), accountId: newId(startMs) },
    ...{ platform: 'instagram' as const, platformPostId: '17895695668004550' },
    ...{ publishedAt: toTimestamp(startMs), isStory: false },
  };
  const key = () => postNumbersKey(live);
  const at = (minutes: number) => toTimestamp(startMs + (60 + minutes) * 60_000);
  const reading = { at: at(1), n: [310, 268, 41, 4, 2, 'withheld', null] };
  const store = (age: '1h' | '1d', isAnnounced: boolean) =>
    changeOf(key(), () => storeReading(table, live, age, reading, { isAnnounced, isRetried: false }));
  beforeEach(async () => {
    await deleteItem(table, key(), unconditionally);
    await noteLive(table, live, startMs);
  });

  it('causes one event with its numbers, which is the same if the stream repeats it', async () => {
    expect(eventFromChange(await store('1h', true))).toMatchObject({
      type: 'post.metrics',
      accountIds: [live.accountId],
      data: {
        postId: live.postId,
        snapshot: {
          age: '1h',
          metrics: {
            views: { value: 310, reason: null, platformName: 'views', asOf: reading.at },
            saves: { value: null, reason: 'withheld' },
            clicks: { value: null, reason: 'not_offered' },
          },
        },
      },
    });
    expect(eventFromChange(await store('1d', true))?.data).toMatchObject({ snapshot: { age: '1d' } });
  });

  it('that is taken twice causes no second event', async () => {
    await store('1h', true);
    expect(eventFromChange(await store('1h', true))).toBeUndefined();
  });

  it('causes none if nobody listens, nor does one that a client has asked for, or a try that has failed', async () => {
    expect(eventFromChange(await store('1h', false))).toBeUndefined();
    await store('1d', true);
    const account = await storeAccount(table, live.workspaceId, { id: live.accountId });
    const fresh = await changeOf(key(), () =>
      storeFresh(table, account, live, { ...reading, at: at(99) }, undefined),
    );
    expect(fresh.after).toMatchObject({ rNow: { at: at(99) } });
    expect(eventFromChange(fresh)).toBeUndefined();
    expect(eventFromChange(await changeOf(key(), () => putOff(table, key(), startMs)))).toBeUndefined();
  });
});
