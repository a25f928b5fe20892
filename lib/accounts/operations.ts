import * as z from 'zod';
import { CursorQuery, limitQuery, NextCursor, PathId } from '../api-contract/fields.ts';
import { operation } from '../api-contract/operation.ts';
import { Platform } from '../platforms/contract/names.ts';
import { AccountView } from './schemas.ts';

export const AccountReply = z.object({ account: AccountView });

export const listAccountsOperation = operation({
  id: 'accounts-list',
  method: 'GET',
  path: '/v1/accounts',
  summary: 'List the connected accounts',
  description: 'All at once, unless `limit` is given.',
  access: 'key',
  query: z.object({ platform: Platform.optional(), limit: limitQuery(500).optional(), cursor: CursorQuery }),
  replies: {
    200: {
      description: 'The accounts, in the order of their ids',
      body: z.object({ accounts: z.array(AccountView), nextCursor: NextCursor }),
    },
  },
});

export const readAccountOperation = operation({
  id: 'accounts-read',
  method: 'GET',
  path: '/v1/accounts/{id}',
  summary: 'Read one account',
  access: 'key',
  pathParameters: z.object({ id: PathId }),
  replies: { 200: { description: 'The account', body: AccountReply } },
  refusals: { 404: 'No such account in this workspace' },
});

export const disconnectAccountOperation = operation({
  id: 'accounts-disconnect',
  method: 'DELETE',
  path: '/v1/accounts/{id}',
  summary: 'Disconnect an account',
  description:
    'Its tokens are deleted, and revoked where the platform can do that and nobody else has the account connected. Connecting it again brings the same id back. What is scheduled stays so, and fails at its time unless the account is back by then.',
  access: 'key',
  pathParameters: z.object({ id: PathId }),
  replies: {
    200: {
      description: 'Disconnected',
      body: z.object({
        ok: z.literal(true),
        scheduledTargets: z
          .int()
          .meta({ description: 'How many scheduled posts were to go to this account' }),
      }),
    },
  },
  refusals: { 404: 'No such account in this workspace' },
});
