import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { markAccount } from '../../../lib/accounts/store.ts';
import { dayMs, hourMs, minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { updateItem } from '../../../lib/table/items.ts';
import { accountKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { acceptWithdrawal } from '../../../lib/withdrawals/accept.ts';
import type { MetaPlatform } from '../../../lib/withdrawals/schemas.ts';
import { findWithdrawal } from '../../../lib/withdrawals/store.ts';
import { signRequest } from '../../support/signed-request.ts';
import { app, openWithdrawals, person, told, type Withdrawals } from './fixture.ts';

let fixture: Withdrawals;
beforeEach(async () => {
  fixture = await openWithdrawals();
});

/** Accounts of each platform that belong to the person, by the id of the person that the callback names. */
const owned: readonly (readonly [string, MetaPlatform, Partial<Account>])[] = [
  ['Facebook’s person', 'facebook', { platformAccountId: '100200300', loginId: person }],
  ['Threads’ user', 'threads', { platformAccountId: person }],
  ['Instagram’s app-scoped id', 'instagram', { platformAccountId: '17841400000000001', loginId: person }],
  ['Instagram’s professional account', 'instagram', { platformAccountId: person, loginId: '25' }],
];

const connected = { status: 'ok', message: null, hasTokens: true };
const ended = { status: 'expired', hasTokens: false };

describe('a person who removes the app', () => {
  it.each(owned)('loses access for all accounts of the login: %s', async (_what, platform, changes) => {
    const account = await fixture.connect({ platform, ...changes });
    const elsewhere = await fixture.connect({ platform, ...changes });
    await fixture.ask('deauthorize', platform);
    expect(await fixture.sweep()).toEqual({ done: 1, failures: 0 });
    expect(await fixture.stateOf(account)).toMatchObject(ended);
    expect(await fixture.stateOf(elsewhere)).toMatchObject(ended);
    expect((await fixture.stateOf(account)).message).toMatch(/owner has removed this app at/);
  });

  it('changes no account of somebody else, or of another platform', async () => {
    const others = await Promise.all([
      fixture.connect({ platform: 'facebook', platformAccountId: person, loginId: '9' }),
      fixture.connect({ platform: 'threads', platformAccountId: person }),
      fixture.connect({ platform: 'instagram', platformAccountId: '178', loginId: '9' }),
    ]);
    await fixture.ask('deauthorize', 'instagram');
    await fixture.ask('deletion', 'facebook');
    expect(await fixture.sweep()).toEqual({ done: 2, failures: 0 });
    for (const other of others) expect(await fixture.stateOf(other)).toEqual(connected);
  });

  it('expires an account once: an account that was expired before keeps its time', async () => {
    const account = await fixture.connect({ loginId: person });
    await markAccount(fixture.table, account, 'expired', 'token refused', fixture.clock.time);
    const { statusSince } = (await fixture.find(account)) ?? {};
    fixture.clock.time += hourMs;
    await fixture.ask('deauthorize');
    await fixture.sweep();
    expect(await fixture.find(account)).toMatchObject({ status: 'expired', statusSince });
    expect(await fixture.stateOf(account)).toMatchObject(ended);
  });

  it('loses access for all other accounts even if one cannot be read', async () => {
    const accounts = [];
    for (let count = 0; count < 3; count += 1) accounts.push(await fixture.connect({ loginId: person }));
    const [unreadable, ...others] = accounts.toSorted((one, other) =>
      one.workspaceId < other.workspaceId ? -1 : 1,
    );
    const { workspaceId, id } = unreadable as Account;
    await updateItem(fixture.table, accountKey(workspaceId, id), { set: { status: 'no status' }, if: {} });
    await fixture.ask('deauthorize');
    expect(await fixture.sweep()).toEqual({ done: 0, failures: 1 });
    for (const other of others) expect(await fixture.stateOf(other)).toMatchObject(ended);
  });

  it('keeps the profile, so that the workspace recognizes the account', async () => {
    const account = await fixture.connect({ loginId: person });
    await fixture.ask('deauthorize');
    await fixture.sweep();
    const { username, displayName, avatarUrl, meta } = told;
    expect(await fixture.find(account)).toMatchObject({ username, displayName, avatarUrl, meta });
  });

  it('and then connects again, before the sweep or after it, keeps the new connection', async () => {
    for (const sweepsBetween of [false, true]) {
      fixture = await openWithdrawals();
      const account = await fixture.connect({ loginId: person });
      fixture.clock.time += minuteMs;
      await fixture.ask('deauthorize');
      if (sweepsBetween) await fixture.sweep();
      fixture.clock.time += 2 * secondMs;
      await fixture.connect({ ...account, connectedAt: toTimestamp(fixture.clock.time) });
      await fixture.sweep();
      expect(await fixture.stateOf(account)).toEqual(connected);
    }
  });

  it('is not undone by the same callback, sent again years later', async () => {
    const account = await fixture.connect({ loginId: person });
    const atMs = fixture.clock.time;
    const code = await fixture.ask('deletion', 'instagram', { atMs });
    await fixture.sweep();
    fixture.clock.time += 1_000 * dayMs;
    await fixture.connect({ ...account, connectedAt: toTimestamp(fixture.clock.time) });
    fixture.clock.time += minuteMs;
    expect(await fixture.ask('deletion', 'instagram', { atMs })).toBe(code);
    await fixture.sweep();
    expect(await fixture.stateOf(account)).toEqual(connected);
  });
});

describe('a person who has their data deleted', () => {
  it.each(owned)('leaves nothing of it in the table: %s', async (_what, platform, changes) => {
    const account = await fixture.connect({ platform, ...changes });
    await fixture.comment(account, '1');
    await fixture.ask('deletion', platform);
    expect(await fixture.dump()).toContain(told.username);
    expect(await fixture.sweep()).toEqual({ done: 1, failures: 0 });
    const left = await fixture.dump();
    for (const data of [person, account.platformAccountId, ...Object.values(told).flatMap(leaves)]) {
      expect(left).not.toContain(data);
    }
    expect(left).not.toContain('sealed tokens');
    expect(left).not.toContain('what a comment');
  });

  it('leaves the account to the workspace: its id, its status and the client’s own id', async () => {
    const account = await fixture.connect({ loginId: person });
    await fixture.ask('deletion');
    await fixture.sweep();
    const { id, workspaceId } = account;
    expect(await fixture.find(account)).toMatchObject({
      id,
      workspaceId,
      status: 'expired',
      statusMessage: 'its owner has asked Instagram to have this app delete their data',
      externalId: 'customer-7',
      username: null,
      meta: {},
    });
  });

  it('loses everything that people wrote to their account, and nothing of another account', async () => {
    const account = await fixture.connect({ loginId: person });
    const other = await fixture.connect({ loginId: '9', platformAccountId: '178' });
    await Promise.all(Array.from({ length: 60 }, (_, number) => fixture.comment(account, `c${number}`)));
    await fixture.comment(other, 'of another');
    await fixture.ask('deletion');
    await fixture.sweep();
    const comments = (await fixture.items()).filter(({ kind }) => kind === 'inboundComment');
    expect(comments.map(({ commentId }) => commentId)).toEqual(['of another']);
  });

  it('also leaves no trace of a login that the account had before', async () => {
    const account = await fixture.connect({ platform: 'facebook', platformAccountId: '5', loginId: person });
    await fixture.connect({ ...account, loginId: 'colleague' });
    await fixture.ask('deletion', 'facebook');
    await fixture.sweep();
    expect(await fixture.dump()).not.toContain(`LOGIN#facebook#${person}`);
    expect(await fixture.stateOf(account)).toEqual(connected);
  });

  it('needs nothing more if the account was disconnected: its profile was erased then', async () => {
    const account = await fixture.connect({ loginId: person });
    await fixture.disconnect(account);
    // The note of the login's name stays with the workspace until its erasure.
    const left = JSON.stringify((await fixture.items()).filter(({ kind }) => kind !== 'ownedName'));
    for (const data of [person, '17841400000000001', told.username, told.avatarUrl, 'customer-7']) {
      expect(left).not.toContain(data);
    }
  });

  it('and has connected one of two Pages again keeps that one, and the erasure of its workspace still finds it', async () => {
    const page = await fixture.connect({ platform: 'facebook', platformAccountId: '5', loginId: person });
    const other = await fixture.connect({ ...page, id: newId(1), platformAccountId: '6' });
    await fixture.ask('deletion', 'facebook');
    fixture.clock.time += 2 * secondMs;
    await fixture.connect({ ...other, connectedAt: toTimestamp(fixture.clock.time) });
    await fixture.sweep();
    expect(await fixture.stateOf(page)).toMatchObject(ended);
    expect(await fixture.stateOf(other)).toEqual(connected);
    const noted = (await fixture.items()).filter(({ kind }) => kind === 'ownedName');
    expect(noted.map(({ sk }) => sk)).toEqual([`LOGIN#facebook#${person}`]);
  });

  it('is complete even if nobody knows them', async () => {
    const code = await fixture.ask('deletion');
    await fixture.sweep();
    const found = await findWithdrawal(fixture.table, code, fixture.clock.time);
    expect(found).toMatchObject({ status: 'complete', completedAt: toTimestamp(fixture.clock.time) });
    expect(found?.userId).toBeUndefined();
  });

  it('is complete after a crash before any write, once the sweep has run again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), async (crashAt) => {
        fixture = await openWithdrawals();
        const accounts = [
          await fixture.connect({ loginId: person }),
          await fixture.connect({ loginId: person, platformAccountId: '17841400000000005' }),
        ];
        for (const account of accounts) await fixture.comment(account, '1');
        const code = await fixture.ask('deletion');
        await fixture.sweep(crashing(fixture.table, crashAt)).catch(() => undefined);
        fixture.clock.time += hourMs;
        await fixture.sweep();
        expect(await fixture.dump()).not.toContain(person);
        expect(await fixture.dump()).not.toContain('what a comment');
        for (const account of accounts) expect(await fixture.stateOf(account)).toMatchObject(ended);
        expect(await findWithdrawal(fixture.table, code, fixture.clock.time)).toMatchObject({
          status: 'complete',
        });
      }),
      { numRuns: 8, examples: [[1], [2], [3], [4], [5], [6], [7]] },
    );
  });
});

describe('a callback', () => {
  it('is accepted in one write, and only its digest finds it', async () => {
    const writes: string[] = [];
    const table = recording(fixture.table, writes);
    const text = signRequest({ algorithm: 'HMAC-SHA256', user_id: person, issued_at: 1 }, app.clientSecret);
    const ports = { table, app, now: fixture.clock.time };
    const code = await acceptWithdrawal(ports, 'threads', 'deletion', text);
    expect(writes).toEqual(['PutCommand']);
    expect(await fixture.dump()).not.toContain(code);
    expect(await findWithdrawal(fixture.table, code, fixture.clock.time)).toMatchObject({ userId: person });
  });

  it('has a code of letters and digits that nobody can guess', async () => {
    const code = await fixture.ask('deletion');
    expect(code).toMatch(/^[0-9a-z]{40}$/);
    const others = await Promise.all([
      fixture.ask('deletion', 'threads'),
      fixture.ask('deauthorize'),
      fixture.ask('deletion', 'instagram', { userId: '1' }),
      fixture.ask('deletion', 'instagram', { atMs: 1 }),
    ]);
    expect(new Set([code, ...others]).size).toBe(5);
    expect(await fixture.ask('deletion')).toBe(code);
  });

  it('is refused if a stranger has signed it, and nothing is stored', async () => {
    const text = signRequest({ algorithm: 'HMAC-SHA256', user_id: person, issued_at: 1 }, 'stranger');
    const ports = { table: fixture.table, app, now: fixture.clock.time };
    await expect(acceptWithdrawal(ports, 'instagram', 'deletion', text)).rejects.toMatchObject({
      code: 'signature_wrong',
    });
    expect(await fixture.items()).toEqual([]);
  });

  it('that Meta’s clock has dated ahead means no account that is connected later', async () => {
    await fixture.ask('deletion', 'instagram', { atMs: fixture.clock.time + dayMs });
    fixture.clock.time += hourMs;
    const account = await fixture.connect({ loginId: person });
    await fixture.sweep();
    expect(await fixture.stateOf(account)).toEqual(connected);
  });

  it('means an account that was connected in the same second', async () => {
    fixture.clock.time = Date.parse('2026-03-01T12:00:00.500Z');
    const account = await fixture.connect({ loginId: person });
    fixture.clock.time += 100;
    await fixture.ask('deauthorize');
    await fixture.sweep();
    expect(await fixture.stateOf(account)).toMatchObject(ended);
  });

  it('that cannot be done is reported, tried again later and later, and does not stop others', async () => {
    await fixture.connect({ platform: 'facebook', platformAccountId: '5', loginId: person });
    const code = await fixture.ask('deauthorize', 'facebook');
    await fixture.ask('deletion', 'threads', { userId: '1' });
    const broken = failingTransactions(fixture.table);
    expect(await fixture.sweep(broken)).toEqual({ done: 1, failures: 1 });
    expect(fixture.reported).toHaveLength(1);
    expect(await fixture.sweep(broken)).toEqual({ done: 0, failures: 0 });
    fixture.clock.time += minuteMs;
    expect(await fixture.sweep(broken)).toEqual({ done: 0, failures: 1 });
    fixture.clock.time += minuteMs;
    expect(await fixture.sweep()).toEqual({ done: 0, failures: 0 });
    fixture.clock.time += minuteMs;
    expect(await fixture.sweep()).toEqual({ done: 1, failures: 0 });
    expect(await findWithdrawal(fixture.table, code, fixture.clock.time)).toMatchObject({ failures: 2 });
  });

  it('is forgotten after 400 days', async () => {
    const code = await fixture.ask('deletion');
    const { time } = fixture.clock;
    expect(await findWithdrawal(fixture.table, code, time + 399 * dayMs)).toBeDefined();
    expect(await findWithdrawal(fixture.table, code, time + 400 * dayMs)).toBeUndefined();
  });
});

/** The texts in a value. */
function leaves(value: unknown): string[] {
  return value instanceof Object ? Object.values(value).flatMap(leaves) : [String(value)];
}

type Send = Table['client']['send'];

/** The same table, whose requests pass through `before`. */
function watched(table: Table, before: (command: object) => void): Table {
  const send = (async (...request: Parameters<Send>) => {
    before(request[0]);
    return table.client.send(...request);
  }) as unknown as Send;
  const client = new Proxy(table.client, {
    get: (target, name) => (name === 'send' ? send : Reflect.get(target, name)),
  });
  return { ...table, client };
}

const isWrite = (command: object) =>
  /^(Put|Update|Delete|BatchWrite|TransactWrite)/.test(command.constructor.name);

function recording(table: Table, writes: string[]): Table {
  return watched(table, (command) => {
    if (isWrite(command)) writes.push(command.constructor.name);
  });
}

/** Returns the table; from this write on, no request reaches it. */
function crashing(table: Table, at: number): Table {
  let writes = 0;
  return watched(table, (command) => {
    if (isWrite(command)) writes += 1;
    if (writes >= at) throw new Error('crashed');
  });
}

function failingTransactions(table: Table): Table {
  return watched(table, (command) => {
    if (command instanceof TransactWriteCommand) throw new Error('no transactions');
  });
}
