import * as z from 'zod';
import { FreeForm } from '../api-contract/fields.ts';
import { operation } from '../api-contract/operation.ts';
import type { ApiRights } from '../api-contract/rights.ts';
import { ById, listQuery, pageReply } from '../api-contract/shapes.ts';
import { Platform } from '../platforms/contract/names.ts';
import { indexes } from '../table/schema.ts';
import { AccountView, ExternalId } from './schemas.ts';

const maxDefaultOptionsCharacters = 4_096;

/** The rights to read an account and its token, and to refresh the token if necessary. */
const refreshingRights = {
  reads: { GetItem: ['WORKSPACE#'] },
  writes: { UpdateItem: ['WORKSPACE#'] },
  tokens: ['Decrypt tokens', 'GenerateDataKey tokens'],
} as const satisfies ApiRights;

export const AccountReply = z.object({ account: AccountView });

export const listAccountsOperation = operation({
  id: 'listAccounts',
  handler: 'accounts/list',
  verb: 'account.read',
  method: 'GET',
  path: '/v1/accounts',
  summary: 'List the connected accounts',
  description: 'Returns all accounts that the key may use, unless `limit` is given.',
  query: listQuery({ platform: Platform.optional(), externalId: ExternalId.optional() }),
  replies: pageReply('accounts', AccountView, 'The accounts, ordered by id'),
  rights: { reads: { Query: ['WORKSPACE#'] } },
  settings: ['PLATFORM_FEATURES'],
});

export const readAccountOperation = operation({
  id: 'getAccount',
  handler: 'accounts/read',
  verb: 'account.read',
  method: 'GET',
  path: '/v1/accounts/{id}',
  summary: 'Read one account',
  description: 'Shows whether its access works, and what it can do. A disconnected account is not found.',
  pathParameters: ById,
  replies: { 200: { description: 'The account', body: AccountReply } },
  refusals: { 404: 'No such account in this workspace that the key may use' },
  rights: { reads: { GetItem: ['WORKSPACE#'] } },
  settings: ['PLATFORM_FEATURES'],
});

/** A change of an account. Absent fields keep their values. */
export const EditAccountBody = z
  .object({
    defaultOptions: FreeForm.refine(
      (options) => JSON.stringify(options).length <= maxDefaultOptionsCharacters,
      `must have at most ${maxDefaultOptionsCharacters} characters as JSON`,
    )
      .nullable()
      .optional()
      .meta({
        description:
          "The `platformSpecificData` that the panel's composer begins with for this account, up to 4,096 characters of JSON. Replaces all of them; null removes them. They do not change any request: a post has only the options that its request has",
      }),
  })
  .meta({ id: 'EditAccount' });
export type EditAccountBody = z.infer<typeof EditAccountBody>;

export const editAccountOperation = operation({
  id: 'updateAccount',
  handler: 'accounts/edit',
  verb: 'account.edit',
  method: 'PATCH',
  path: '/v1/accounts/{id}',
  summary: 'Set the default options of an account',
  description:
    'Everybody who composes a post for the account in the panel begins with them, and can change them for each post. Disconnecting the account removes them; connecting it again does not.',
  pathParameters: ById,
  body: EditAccountBody,
  replies: { 200: { description: 'The account as it is now', body: AccountReply } },
  refusals: { 404: 'No such account in this workspace that the key may use' },
  rights: { reads: { GetItem: ['WORKSPACE#'] }, writes: { UpdateItem: ['WORKSPACE#'] } },
  settings: ['PLATFORM_FEATURES'],
});

export const readCreatorInfoOperation = operation({
  id: 'getCreatorInfo',
  handler: 'accounts/creator-info',
  verb: 'account.read',
  method: 'GET',
  path: '/v1/accounts/{id}/creator-info',
  summary: 'Ask TikTok what an account may post now',
  description:
    'TikTok requires that a composer shows this each time and keeps to it. The response comes from TikTok, which allows about 20 such requests per minute and account.',
  pathParameters: ById,
  replies: {
    200: {
      description: 'What TikTok says',
      body: z.object({
        creatorInfo: z
          .object({
            nickname: z.string().nullable(),
            username: z.string().nullable(),
            avatarUrl: z.string().nullable().meta({ description: 'TikTok serves it for two hours' }),
            privacyLevels: z
              .array(z.string())
              .meta({ description: 'The values of `privacyLevel` that the account allows' }),
            commentDisabled: z.boolean(),
            duetDisabled: z.boolean(),
            stitchDisabled: z.boolean(),
            maxVideoSeconds: z.number().nullable().meta({
              description: 'The longest video that the account may post; null if TikTok names none',
            }),
          })
          .meta({ id: 'CreatorInfo' }),
      }),
    },
  },
  refusals: {
    404: 'No such account in this workspace that the key may use',
    409: 'The account must be connected again, or TikTok has restricted it',
    503: 'TikTok gives no answer, or allows no post at the moment; `Retry-After` gives the wait in seconds',
  },
  // A TikTok token lasts two hours, so it is often refreshed here.
  rights: { ...refreshingRights, platformSecrets: 'tiktok' },
  timeoutSeconds: 29,
});

export const findMentionsOperation = operation({
  id: 'findMentions',
  handler: 'accounts/find-mentions',
  verb: 'account.read',
  method: 'GET',
  path: '/v1/accounts/{id}/mentions',
  summary: 'Find people and organizations to mention on LinkedIn',
  description:
    'Asks LinkedIn, for an account that is an organization. Organizations are found by their exact vanity name, which is the end of the address of their page, or by that address. The organization’s own followers are found by the beginning of a name, up to ten, if LinkedIn has granted the operator’s app that permission (`r_organization_followers`). LinkedIn offers no other search.',
  pathParameters: ById,
  query: z.object({
    query: z.string().trim().max(200, 'must have at most 200 characters').default('').meta({
      description:
        'A vanity name such as `harbour-coffee`, an address of a page, or the beginning of a name. Nothing is found without it',
    }),
  }),
  replies: {
    200: {
      description: 'The matches; empty if there are none',
      body: z.object({
        mentions: z.array(
          z
            .object({
              kind: z.enum(['organization', 'person']),
              name: z.string(),
              description: z.string().nullable().meta({
                description: 'The vanity name of an organization, or the headline of a person',
              }),
              text: z.string().meta({
                description:
                  'Put it into the content as it is, such as `@[Harbour Coffee](urn:li:organization:123)`',
              }),
            })
            .meta({ id: 'Mention' }),
        ),
      }),
    },
  },
  refusals: {
    404: 'No such account in this workspace that the key may use',
    409: 'The account must be connected again first',
    503: 'LinkedIn does not answer; `Retry-After` gives the wait in seconds',
  },
  rights: {
    reads: { GetItem: ['WORKSPACE#'] },
    tokens: ['Decrypt tokens'],
    platformSecrets: 'linkedin',
  },
  timeoutSeconds: 29,
});

export const listPlaylistsOperation = operation({
  id: 'listPlaylists',
  handler: 'accounts/list-playlists',
  verb: 'account.read',
  method: 'GET',
  path: '/v1/accounts/{id}/playlists',
  summary: 'List the playlists of a YouTube account',
  description:
    'Asks YouTube, and returns all playlists of the channel (at most 1,000), except uploads, likes and “watch later”, to which nothing can be added.',
  pathParameters: ById,
  replies: {
    200: {
      description: 'The playlists as they are now',
      body: z.object({
        playlists: z.array(
          z
            .object({
              id: z.string().meta({ description: 'Use it as `platformSpecificData.playlistId`' }),
              title: z.string(),
              privacy: z.string().nullable().meta({ description: 'The platform’s value, such as `public`' }),
              itemCount: z.int().nullable().meta({ description: 'Number of videos' }),
            })
            .meta({ id: 'Playlist' }),
        ),
      }),
    },
  },
  refusals: {
    404: 'No such account in this workspace that the key may use',
    409: 'The account must be connected again, or YouTube has restricted it',
    503: 'YouTube gives no answer; `Retry-After` gives the wait in seconds',
  },
  // A YouTube token lasts an hour, so it is often refreshed here.
  rights: { ...refreshingRights, platformSecrets: 'youtube' },
  timeoutSeconds: 29,
});

const waitingSteps =
  'Number of steps of chains of scheduled posts that go to this account, in addition to `scheduledTargets`. Each becomes a post once its own post is live, and fails then unless the account is connected again by then';

export const disconnectAccountOperation = operation({
  id: 'disconnectAccount',
  handler: 'accounts/disconnect',
  verb: 'account.disconnect',
  method: 'DELETE',
  path: '/v1/accounts/{id}',
  summary: 'Disconnect an account',
  description:
    'Deletes the account’s tokens, and within minutes the numbers of its posts. Also revokes them, if the platform supports it and no other connection uses them. Connecting the account again restores the same id. Scheduled posts stay scheduled, and fail at their time unless the account is connected again by then.',
  pathParameters: ById,
  replies: {
    200: {
      description: 'Disconnected',
      body: z.object({
        ok: z.literal(true),
        scheduledTargets: z.int().meta({ description: 'Number of posts that are scheduled to this account' }),
        waitingChainSteps: z.int().meta({ description: waitingSteps }),
      }),
    },
  },
  refusals: { 404: 'No such account in this workspace that the key may use' },
  rights: {
    reads: { GetItem: ['WORKSPACE#'], Query: ['CALENDAR#', 'PLATFORM#', 'LOGIN#'] },
    indexes: [indexes.postsByStatus.indexName],
    writes: {
      PutItem: ['CHORE#'],
      UpdateItem: ['WORKSPACE#'],
      DeleteItem: ['WORKSPACE#', 'PLATFORM#', 'LOGIN#'],
    },
    tokens: ['Decrypt tokens'],
    platformSecrets: true,
  },
  timeoutSeconds: 29,
});

export const previewDisconnectOperation = operation({
  id: 'previewDisconnect',
  handler: 'accounts/preview-disconnect',
  verb: 'account.read',
  method: 'GET',
  path: '/v1/accounts/{id}/disconnect-preview',
  summary: 'Preview what disconnecting an account does',
  description:
    'Changes nothing. Other accounts stay connected in any case: access at the platform is revoked only if no other connection uses the same login.',
  pathParameters: ById,
  replies: {
    200: {
      description: 'The effects that `DELETE /v1/accounts/{id}` would have now',
      body: z.object({
        scheduledTargets: z.int().meta({
          description:
            'Number of destinations that are scheduled to this account. They fail at their time, unless it is connected again by then',
        }),
        waitingChainSteps: z.int().meta({ description: waitingSteps }),
        activeAutomations: z.int().meta({
          description:
            'Number of active comment automations of the account. They do nothing until it is connected again',
        }),
        revokesAccess: z.boolean().meta({
          description:
            'True if the permission that the user gave is also revoked at the platform. False if the platform has no such request, or if another connection uses the same login',
        }),
        accountsOfSameLogin: z
          .array(
            z
              .object({
                id: z.uuid(),
                platform: Platform,
                username: z.string().nullable(),
                displayName: z.string().nullable(),
              })
              .meta({ id: 'AccountOfSameLogin' }),
          )
          .meta({
            description:
              'The other connected accounts of the same login that the key may use. They stay connected',
          }),
      }),
    },
  },
  refusals: { 404: 'No such account in this workspace that the key may use' },
  rights: {
    reads: {
      GetItem: ['WORKSPACE#'],
      BatchGetItem: ['WORKSPACE#'],
      Query: ['CALENDAR#', 'AUTOMATIONS#', 'PLATFORM#', 'LOGIN#'],
    },
    indexes: [indexes.postsByStatus.indexName],
  },
});
