import { beforeAll, describe, expect, it } from 'vitest';
import type { AccountsContext } from '../../../lib/accounts/read.ts';
import { listAccounts, readAccount } from '../../../lib/accounts/read.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import type { Table } from '../../../lib/table/table.ts';
import { openWorkspace, startMs, storeAccount } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let context: AccountsContext;
beforeAll(async () => {
  table = await createTestTable();
  context = { ...(await openWorkspace(table)).context, stageFeatures: {} };
  for (const changes of [
    { username: 'one', externalId: 'customer-7' },
    { username: 'two', externalId: 'customer-7', platform: 'threads' as const },
    { username: 'three', externalId: 'customer-8' },
    { username: 'four' },
    { username: 'gone', externalId: 'customer-7', disconnectedAt: toTimestamp(startMs) },
  ]) {
    await storeAccount(table, context.workspaceId, changes);
  }
});

const usernames = async (query: Parameters<typeof listAccounts>[1]) =>
  (await listAccounts(context, query)).accounts.map(({ username }) => username).sort();

describe('the list of accounts', () => {
  it.each([
    [{}, ['four', 'one', 'three', 'two']],
    [{ externalId: 'customer-7' }, ['one', 'two']],
    [{ externalId: 'customer-7', platform: 'threads' }, ['two']],
    [{ externalId: 'customer-9' }, []],
  ])('with %j returns %j', async (query, expected) => {
    expect(await usernames(query)).toEqual(expected);
  });

  it('reaches every account of a customer page by page, with a cursor that is bound to the customer', async () => {
    const found: (string | null)[] = [];
    let cursor: string | undefined;
    do {
      const page = await listAccounts(context, { externalId: 'customer-7', limit: 1, cursor });
      found.push(...page.accounts.map(({ username }) => username));
      cursor = page.nextCursor ?? undefined;
      const other = { externalId: 'customer-8', limit: 1, cursor };
      if (cursor !== undefined) await expect(listAccounts(context, other)).rejects.toThrow('cursor');
    } while (cursor !== undefined);
    expect(found.sort()).toEqual(['one', 'two']);
  });

  it('shows no account of another workspace with the same external id', async () => {
    const other = { ...(await openWorkspace(table)).context, stageFeatures: {} };
    expect(await listAccounts(other, { externalId: 'customer-7' })).toEqual({
      accounts: [],
      nextCursor: null,
    });
  });
});

describe('an account', () => {
  it.each([
    ['customer-7', { externalId: 'customer-7' }],
    [null, {}],
  ])('shows its external id as %j, and when it was connected', async (externalId, changes) => {
    const { id, connectedAt } = await storeAccount(table, context.workspaceId, changes);
    expect(await readAccount(context, id)).toMatchObject({ externalId, connectedAt });
  });
});
