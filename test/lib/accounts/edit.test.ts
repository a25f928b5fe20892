import { beforeAll, describe, expect, it } from 'vitest';
import { connectionWrites, endConnection } from '../../../lib/accounts/connection-store.ts';
import { editAccount } from '../../../lib/accounts/edit.ts';
import { readAccount } from '../../../lib/accounts/read.ts';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { findAccount } from '../../../lib/accounts/store.ts';
import { secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import type { Json } from '../../../lib/kernel/json.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import type { Table } from '../../../lib/table/table.ts';
import { transact } from '../../../lib/table/transaction.ts';
import { auditLogOf } from '../../support/audit-log.ts';
import { openWorkspace, startMs, storeAccount } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

type Options = Readonly<Record<string, Json>>;

async function opened(changes: Partial<Account> = {}) {
  const context = { ...(await openWorkspace(table)).context, stageFeatures: {}, rulesFor };
  const account = await storeAccount(table, context.workspaceId, { platform: 'pinterest', ...changes });
  return {
    context,
    account,
    set: (defaultOptions: Options | null) => editAccount(context, account.id, { defaultOptions }),
    read: async () => (await readAccount(context, account.id)).defaultOptions,
  };
}

describe('the default options of an account', () => {
  it('are none at first', async () => {
    expect(await (await opened()).read()).toEqual({});
  });

  it('are what was set last', async () => {
    const { set, read } = await opened();
    await set({ boardId: '1', title: 'Bread' });
    expect((await set({ boardId: '2' })).defaultOptions).toEqual({ boardId: '2' });
    expect(await read()).toEqual({ boardId: '2' });
  });

  it.each([[null], [{}]])('are removed by %j', async (nothing) => {
    const { set, read, account, context } = await opened();
    await set({ boardId: '1' });
    expect((await set(nothing)).defaultOptions).toEqual({});
    expect(await read()).toEqual({});
    expect(await findAccount(table, context.workspaceId, account.id)).toEqual(account);
  });

  it('stay if the request does not name them', async () => {
    const { set, read, context, account } = await opened();
    await set({ boardId: '1' });
    expect((await editAccount(context, account.id, {})).defaultOptions).toEqual({ boardId: '1' });
    expect(await read()).toEqual({ boardId: '1' });
  });

  it('may leave out what every post needs', async () => {
    const { set, read } = await opened();
    await set({ title: 'Bread' });
    expect(await read()).toEqual({ title: 'Bread' });
  });

  it.each<[Platform, Options, string]>([
    ['pinterest', { boardId: 7 }, 'defaultOptions.boardId'],
    ['pinterest', { bordId: '7' }, 'defaultOptions.bordId'],
    ['youtube', { privacy: 'secret' }, 'defaultOptions.privacy'],
    ['instagram', { constructor: true }, 'defaultOptions.constructor'],
  ])('of %s are never %j, and the error names the option', async (platform, options, param) => {
    const { set, read, context, account } = await opened({ platform });
    await expect(set(options)).rejects.toMatchObject({ kind: 'invalid', param });
    expect(await read()).toEqual({});
    expect(await auditLogOf(table, context.workspaceId)).toEqual([]);
    expect(await findAccount(table, context.workspaceId, account.id)).toEqual(account);
  });

  it('stay when the account is connected again, and everything else is as if it were new', async () => {
    const { set, context, account } = await opened({
      externalId: 'customer-7',
      reconnectBy: toTimestamp(startMs),
    });
    await set({ boardId: '1' });
    const { externalId: _id, reconnectBy: _end, ...profile } = account;
    const connected = { ...profile, username: 'renamed', connectedAt: toTimestamp(startMs + secondMs) };
    const tokens = { ciphertext: '', set: { accessToken: '', obtainedAt: '', scopes: [] } };
    await transact(table, connectionWrites(table, connected, tokens));
    expect(await findAccount(table, context.workspaceId, account.id)).toEqual({
      ...connected,
      defaultOptions: { boardId: '1' },
    });
  });

  it('go when the account is disconnected', async () => {
    const { set, context, account } = await opened();
    await set({ boardId: '1' });
    await endConnection(table, account, startMs);
    const gone = await findAccount(table, context.workspaceId, account.id);
    expect(gone?.defaultOptions).toBeUndefined();
    await expect(set({ boardId: '2' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are set by an entry in the audit log', async () => {
    const { set, context, account } = await opened();
    await set({ boardId: '1' });
    expect(await auditLogOf(table, context.workspaceId)).toMatchObject([{ subjectId: account.id }]);
  });
});
