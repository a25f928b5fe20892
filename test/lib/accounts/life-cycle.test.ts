import { beforeEach, expect, it } from 'vitest';
import { connectionWrites } from '../../../lib/accounts/connection-store.ts';
import { disconnectAccount } from '../../../lib/accounts/disconnect.ts';
import { type Account, toAccountView } from '../../../lib/accounts/schemas.ts';
import { clearMark, findAccount, markAccount, markRefreshed } from '../../../lib/accounts/store.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { ForbiddenMoveError } from '../../../lib/kernel/life-cycle.ts';
import { transact } from '../../../lib/table/transaction.ts';
import { connectable } from '../../support/authorization.ts';
import { type ConnectingFixture, openConnectingFixture } from '../../support/connecting.ts';

let fixture: ConnectingFixture;
let account: Account;
beforeEach(async () => {
  fixture = await openConnectingFixture();
  fixture.authorization.answers.exchange = async () => [connectable('a', fixture.clock.time)];
  account = await fixture.connect();
});

const stored = async (): Promise<Account> => {
  const found = await findAccount(fixture.context().table, fixture.workspaceId, account.id);
  if (!found) throw new Error('the account was not found');
  return found;
};

it('moves a connected account from any status to any other', async () => {
  const { table } = fixture.context();
  for (const status of ['error', 'expired', 'error'] as const) {
    expect(await markAccount(table, await stored(), status, 'why', fixture.clock.time)).toBe(true);
    expect(await stored()).toMatchObject({ status, statusMessage: 'why' });
  }
  expect(await markRefreshed(table, await stored(), { scopes: ['publish'] })).toBe(true);
  expect(await stored()).toMatchObject({ status: 'ok', statusMessage: null });
});

it('says what marked an account and since when, until a call succeeds', async () => {
  const { table } = fixture.context();
  const before = await stored();
  expect(await clearMark(table, before)).toBe(false);
  await markAccount(table, before, 'error', 'why', fixture.clock.time);
  const marked = await stored();
  const statusSince = toTimestamp(fixture.clock.time);
  expect(toAccountView(marked, {})).toMatchObject({ status: 'error', statusMessage: 'why', statusSince });
  expect(await clearMark(table, marked)).toBe(true);
  expect(await stored()).toEqual(before);
  expect(toAccountView(await stored(), {})).toMatchObject({ isActive: true, statusSince: null });
});

it('keeps a mark that is newer than the call that succeeded', async () => {
  const { table } = fixture.context();
  await markAccount(table, await stored(), 'error', 'first', fixture.clock.time);
  const seen = await stored();
  await markAccount(table, await stored(), 'expired', 'revoked', fixture.clock.time + 1);
  expect(await clearMark(table, seen)).toBe(false);
  await clearMark(table, await stored());
  await markAccount(table, await stored(), 'error', 'again', fixture.clock.time + 2);
  expect(await clearMark(table, seen)).toBe(false);
  expect(await stored()).toMatchObject({ status: 'error', statusMessage: 'again' });
});

it('does not mark a disconnected account', async () => {
  await disconnectAccount({ ...fixture.context(), sleep: () => new Promise(() => {}) }, account.id);
  const before = await stored();
  expect(await markAccount(fixture.context().table, before, 'expired', 'why', fixture.clock.time)).toBe(
    false,
  );
  expect(await stored()).toEqual(before);
});

it('connects only with status `ok`: refuses an expired account, and writes nothing', async () => {
  const { table } = fixture.context();
  const tokens = { ciphertext: '', set: { accessToken: '', obtainedAt: '', scopes: [] } };
  const attempt = async () =>
    transact(table, connectionWrites(table, { ...account, status: 'expired' }, tokens));
  await expect(attempt()).rejects.toThrow(ForbiddenMoveError);
  expect(await stored()).toEqual(account);
});
