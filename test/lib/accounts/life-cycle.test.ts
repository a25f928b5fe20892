import { beforeEach, expect, it } from 'vitest';
import { connectionWrites } from '../../../lib/accounts/connection-store.ts';
import { disconnectAccount } from '../../../lib/accounts/disconnect.ts';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { findAccount, markAccount, markRefreshed } from '../../../lib/accounts/store.ts';
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
    expect(await markAccount(table, await stored(), status, 'why')).toBe(true);
    expect(await stored()).toMatchObject({ status, statusMessage: 'why' });
  }
  expect(await markRefreshed(table, await stored())).toBe(true);
  expect(await stored()).toMatchObject({ status: 'ok', statusMessage: null });
});

it('does not mark a disconnected account', async () => {
  await disconnectAccount({ ...fixture.context(), sleep: () => new Promise(() => {}) }, account.id);
  const before = await stored();
  expect(await markAccount(fixture.context().table, before, 'expired', 'why')).toBe(false);
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
