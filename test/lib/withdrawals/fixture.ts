import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { connectionWrites, endConnection } from '../../../lib/accounts/connection-store.ts';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { findAccount } from '../../../lib/accounts/store.ts';
import { findTokens } from '../../../lib/accounts/tokens/store.ts';
import { inboundComment, inboundItem } from '../../../lib/automations/inbound/store.ts';
import { secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { putIfAbsent } from '../../../lib/table/items.ts';
import { loginPartition } from '../../../lib/table/keys.ts';
import { ownedNamePart } from '../../../lib/table/owned-names.ts';
import type { Table } from '../../../lib/table/table.ts';
import { transact } from '../../../lib/table/transaction.ts';
import { acceptWithdrawal } from '../../../lib/withdrawals/accept.ts';
import type { MetaPlatform, WithdrawalRequest } from '../../../lib/withdrawals/schemas.ts';
import { sweepWithdrawals } from '../../../lib/withdrawals/sweep.ts';
import { tokenSet } from '../../support/authorization.ts';
import { anAccount, startMs } from '../../support/builders.ts';
import { signRequest } from '../../support/signed-request.ts';
import { createTestTable } from '../../support/table.ts';

export const app = { clientSecret: 'app secret', metaAppSecret: 'secret of the Meta app' };
export const person = '25025320000000001';

/** Data about an account that came from Meta: none of it may be left after a deletion. */
export const told = {
  username: 'harbour.coffee',
  displayName: 'Harbour Coffee',
  avatarUrl: 'https://images.example/harbour.jpg',
  meta: { appScopedId: person, accountType: 'business' },
  scopes: ['instagram_business_basic'],
};

/** A table with accounts, a clock that tests move, and the sweep. */
export async function openWithdrawals() {
  const table = await createTestTable();
  const clock = { time: startMs };
  const reported: unknown[] = [];
  const fixture = {
    table,
    clock,
    reported,
    /** Stores a connected account with tokens, in a workspace of its own unless `changes` names one. */
    async connect(changes: Partial<Account>): Promise<Account> {
      const account = anAccount(newId(startMs), {
        ...told,
        platformAccountId: '17841400000000001',
        connectedAt: toTimestamp(clock.time),
        externalId: 'customer-7',
        ...changes,
      });
      const tokens = { ciphertext: 'sealed tokens', set: tokenSet('a', clock.time) };
      const { workspaceId, platform, loginId } = account;
      await transact(table, [
        ...connectionWrites(table, account, tokens),
        ...(loginId === undefined
          ? []
          : [ownedNamePart(table, workspaceId, loginPartition(platform, loginId))]),
      ]);
      return account;
    },
    /** Somebody comments on a post of the account. */
    async comment(account: Account, commentId: string): Promise<void> {
      const event = {
        kind: 'comment' as const,
        accountPlatformId: account.platformAccountId,
        commentId,
        platformPostId: '1',
        personId: '26512000000000001',
        username: 'a.passer.by',
        text: 'what a comment',
        at: clock.time,
      };
      await putIfAbsent(table, inboundItem(inboundComment(account, event, clock.time)));
    },
    disconnect: (account: Account) => endConnection(table, account, clock.time),
    /** Meta sends a callback about the person, signed now. @returns the confirmation code */
    ask(
      request: WithdrawalRequest,
      platform: MetaPlatform = 'instagram',
      signed: { readonly userId?: string; readonly atMs?: number } = {},
    ): Promise<string> {
      const { userId = person, atMs = clock.time } = signed;
      const payload = {
        algorithm: 'HMAC-SHA256',
        user_id: userId,
        issued_at: Math.floor(atMs / secondMs),
      };
      const text = signRequest(payload, app.clientSecret);
      return acceptWithdrawal({ table, app, now: clock.time }, platform, request, text);
    },
    sweep: (using: Table = table) =>
      sweepWithdrawals(
        { table: using, now: () => clock.time, report: (_key, error) => reported.push(error) },
        clock.time + 30 * secondMs,
      ),
    async stateOf({ workspaceId, id }: Account) {
      const [account, tokens] = await Promise.all([
        findAccount(table, workspaceId, id),
        findTokens(table, { workspaceId, id }),
      ]);
      return { status: account?.status, message: account?.statusMessage, hasTokens: tokens !== undefined };
    },
    find: ({ workspaceId, id }: Account) => findAccount(table, workspaceId, id),
    async items(): Promise<Record<string, unknown>[]> {
      const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.name }));
      return Items;
    },
    dump: async () => JSON.stringify(await fixture.items()),
  };
  return fixture;
}

export type Withdrawals = Awaited<ReturnType<typeof openWithdrawals>>;
