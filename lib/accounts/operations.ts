import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';
import { ById, listQuery, pageReply } from '../api-contract/shapes.ts';
import { Platform } from '../platforms/contract/names.ts';
import { AccountView, ExternalId } from './schemas.ts';

export const AccountReply = z.object({ account: AccountView });

export const listAccountsOperation = operation({
  handler: 'accounts/list',
  method: 'GET',
  path: '/v1/accounts',
  summary: 'List the connected accounts',
  description: 'Returns all accounts, unless `limit` is given.',
  query: listQuery({ platform: Platform.optional(), externalId: ExternalId.optional() }),
  replies: pageReply('accounts', AccountView, 'The accounts, ordered by id'),
  rights: { table: ['Query'] },
});

export const readAccountOperation = operation({
  handler: 'accounts/read',
  method: 'GET',
  path: '/v1/accounts/{id}',
  summary: 'Read one account',
  pathParameters: ById,
  replies: { 200: { description: 'The account', body: AccountReply } },
  refusals: { 404: 'No such account in this workspace' },
});

export const disconnectAccountOperation = operation({
  handler: 'accounts/disconnect',
  method: 'DELETE',
  path: '/v1/accounts/{id}',
  summary: 'Disconnect an account',
  description:
    'Deletes the account’s tokens. Also revokes them, if the platform supports it and no other connection uses them. Connecting the account again restores the same id. Scheduled posts stay scheduled, and fail at their time unless the account is connected again by then.',
  pathParameters: ById,
  replies: {
    200: {
      description: 'Disconnected',
      body: z.object({
        ok: z.literal(true),
        scheduledTargets: z.int().meta({ description: 'How many posts are scheduled to this account' }),
      }),
    },
  },
  refusals: { 404: 'No such account in this workspace' },
  rights: { table: ['Query', 'DeleteItem'], tokens: ['Decrypt tokens'], platformSecrets: true },
  timeoutSeconds: 29,
});
