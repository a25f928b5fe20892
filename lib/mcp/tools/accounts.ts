import * as z from 'zod';
import { listBoardsOperation } from '../../accounts/boards/operations.ts';
import {
  listAccountsOperation,
  listPlaylistsOperation,
  readAccountOperation,
  readCreatorInfoOperation,
} from '../../accounts/operations.ts';
import { AccountView, ExternalId } from '../../accounts/schemas.ts';
import { Id } from '../../api-contract/fields.ts';
import { beginConnectionOperation, readAttemptOperation } from '../../connections/operations.ts';
import { BegunConnection } from '../../connections/schemas.ts';
import { HeraldError } from '../../kernel/errors.ts';
import { AccountKind, Platform } from '../../platforms/contract/names.ts';
import { reads, type ToolPorts, tool } from '../tool.ts';
import { AccountState, toAccountState } from '../views.ts';

/** The maximum number of boards or playlists in a result. */
const maxChoices = 200;

const CustomerId = ExternalId.meta({ description: 'Your id of the customer' });

export const listAccounts = tool({
  name: 'list_accounts',
  title: 'List accounts',
  description: 'Lists connected accounts. If a status is not ok, its owner must connect it again.',
  effects: reads,
  input: z.strictObject({ externalId: CustomerId.optional(), cursor: z.string().max(2_000).optional() }),
  output: z.object({ accounts: z.array(AccountState), nextCursor: z.string().nullable() }),
  operations: [listAccountsOperation],
  run: async ({ call }, query) => {
    const { accounts, nextCursor } = await call(listAccountsOperation, { query: { ...query, limit: '100' } });
    return { accounts: accounts.map(toAccountState), nextCursor };
  },
});

const Choice = z.object({ id: z.string(), name: z.string() });

export const describeAccount = tool({
  name: 'describe_account',
  title: 'Describe an account',
  description:
    'What an account accepts: limits, the JSON Schema of its options, its boards or playlists as `choices`. Call it before you write for it.',
  effects: { ...reads, openWorldHint: true },
  input: z.strictObject({ accountId: Id }),
  output: z.object({
    platform: Platform,
    status: AccountView.shape.status,
    accepts: z.string(),
    features: z.array(z.string()),
    options: z.record(z.string(), z.unknown()),
    defaultOptions: z.record(z.string(), z.unknown()),
    choices: z.array(Choice).optional(),
    privacyLevels: z.array(z.string()).optional(),
    maxVideoSeconds: z.number().nullish(),
    missing: z.string().optional(),
  }),
  operations: [readAccountOperation, listBoardsOperation, listPlaylistsOperation, readCreatorInfoOperation],
  run: async ({ call, guides }, { accountId }) => {
    const path = { id: accountId };
    const { account } = await call(readAccountOperation, { path });
    const { accepts, options } = guides[account.platform];
    return {
      platform: account.platform,
      status: account.status,
      accepts,
      options,
      features: account.capabilities,
      defaultOptions: account.defaultOptions,
      ...(account.isActive && (await choicesOf(call, account.platform, path))),
    };
  },
});

/** Asks the platform what to choose from. If it does not answer, the rest of the description is still of use. */
async function choicesOf(call: ToolPorts['call'], platform: Platform, path: { readonly id: string }) {
  try {
    switch (platform) {
      case 'pinterest': {
        const { boards } = await call(listBoardsOperation, { path });
        return { choices: boards.slice(0, maxChoices).map(({ id, name }) => ({ id, name })) };
      }
      case 'youtube': {
        const { playlists } = await call(listPlaylistsOperation, { path });
        return { choices: playlists.slice(0, maxChoices).map(({ id, title }) => ({ id, name: title })) };
      }
      case 'tiktok': {
        const { creatorInfo } = await call(readCreatorInfoOperation, { path });
        const { privacyLevels, maxVideoSeconds } = creatorInfo;
        return { privacyLevels, maxVideoSeconds };
      }
      default:
        return {};
    }
  } catch (error) {
    if (error instanceof HeraldError) return { missing: error.message };
    throw error;
  }
}

export const connectAccount = tool({
  name: 'connect_account',
  title: 'Connect an account',
  description:
    'Begins to connect an account, also an expired one. Give `link` to its owner, who opens it within ten minutes. Then call get_connection.',
  effects: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    platform: Platform,
    externalId: CustomerId.optional(),
    as: AccountKind.optional().meta({ description: 'LinkedIn only' }),
  }),
  output: z.object({
    connectionId: z.string(),
    link: z.string(),
    expiresAt: BegunConnection.shape.expiresAt,
  }),
  operations: [beginConnectionOperation],
  run: async ({ call }, { platform, ...body }) => {
    const begun = await call(beginConnectionOperation, { path: { platform }, body });
    return { connectionId: begun.state, link: begun.authUrl, expiresAt: begun.expiresAt };
  },
});

export const getConnection = tool({
  name: 'get_connection',
  title: 'Read a connection',
  description: 'The state of a connect_account: pending, choosing, connected, refused or expired.',
  effects: reads,
  input: z.strictObject({ connectionId: z.string().max(200) }),
  output: z.object({ status: z.string(), accountIds: z.array(z.string()), error: z.string().nullable() }),
  operations: [readAttemptOperation],
  run: async ({ call }, { connectionId }) => {
    const { attempt } = await call(readAttemptOperation, { path: { state: connectionId } });
    const { status, accounts, error = null } = attempt;
    return { status, accountIds: accounts.map(({ id }) => id), error };
  },
});
