import * as z from 'zod';
import { Timestamp } from '../api-contract/fields.ts';
import { operation } from '../api-contract/operation.ts';
import { isReadable, unreadableProblem } from '../kernel/readable-names.ts';
import { isTimezone } from '../kernel/time-zone.ts';
import { Platform } from '../platforms/contract/names.ts';
import { isNameOfPlatform, platformNameProblem } from './platform-names.ts';

export const WorkspaceView = z
  .object({
    id: z.uuid(),
    name: z.string().meta({ description: 'People who connect an account see it' }),
    timezone: z.string().meta({
      description:
        'The time zone in which the panel shows times. It changes no request: `timezone` of a post is UTC by default',
    }),
    createdAt: Timestamp,
    eventFeed: z
      .boolean()
      .meta({ description: 'True if the events of the workspace are recorded: see `GET /v1/events`' }),
    eventFeedSince: Timestamp.nullable().meta({
      description: 'The time since which they are recorded; null if they are not',
    }),
    storage: z.object({
      usedBytes: z.int().nullable().meta({
        description:
          'Bytes that uploads use: the declared size from the grant on, the real size once the file has arrived. It may exceed the quota if files turned out larger than declared. Null for a key that is limited to accounts',
      }),
      quotaBytes: z.int(),
    }),
    counts: z.object({
      accounts: z
        .int()
        .meta({ description: 'Connected accounts that the key may use, including expired ones' }),
      webhooks: z.int().meta({ description: 'Registered endpoints, including disabled ones' }),
      keys: z.int().meta({ description: 'API keys that are not revoked' }),
    }),
    incidents: z
      .array(
        z.object({
          platform: Platform,
          since: Timestamp.meta({ description: 'The first failure' }),
          message: z.string().meta({ description: 'A sentence for people, in English' }),
        }),
      )
      .meta({
        description:
          'Platforms that do not take posts at present, from whichever workspace. Destinations wait and are tried again; empty if all is well',
      }),
  })
  .meta({ id: 'Workspace' });
export type WorkspaceView = z.infer<typeof WorkspaceView>;

const maxNameCharacters = 100;

/** A change of a workspace. Absent fields keep their values. */
export const EditWorkspaceBody = z
  .object({
    name: z
      .string()
      .trim()
      .min(1)
      .max(maxNameCharacters)
      .refine(isReadable, unreadableProblem)
      .refine((name) => !isNameOfPlatform(name), platformNameProblem)
      .optional()
      .meta({ description: 'People who connect an account see it' }),
    timezone: z
      .string()
      .max(64)
      .refine(isTimezone, 'must be an IANA time zone, such as Europe/Istanbul')
      .optional()
      .meta({ description: 'IANA time zone, such as `Europe/Istanbul`' }),
    eventFeed: z.boolean().optional().meta({
      description:
        'Turns the recording of events on or off. The first `GET /v1/events` and the first webhook turn it on too, unless it was turned off here. If it is turned on again, the feed begins anew',
    }),
  })
  .meta({ id: 'EditWorkspace' });
export type EditWorkspaceBody = z.infer<typeof EditWorkspaceBody>;

export const readWorkspaceOperation = operation({
  id: 'getWorkspace',
  handler: 'workspace/read',
  verb: 'workspace.read',
  method: 'GET',
  path: '/v1/workspace',
  summary: "Read the API key's workspace",
  description:
    'Its name, its used storage, its number of accounts, webhooks and API keys, and the platforms that have trouble at present.',
  replies: { 200: { description: 'The workspace', body: z.object({ workspace: WorkspaceView }) } },
  rights: { reads: { GetItem: ['WORKSPACE#', 'WATCH'], Query: ['WORKSPACE#'] } },
});

export const editWorkspaceOperation = operation({
  handler: 'workspace/edit',
  id: 'updateWorkspace',
  verb: 'workspace.edit',
  method: 'PATCH',
  path: '/v1/workspace',
  summary: "Change the workspace's name, time zone or event feed",
  description: 'Fields that are left out stay unchanged.',
  body: EditWorkspaceBody,
  replies: {
    200: { description: 'The workspace as it is now', body: z.object({ workspace: WorkspaceView }) },
  },
  refusals: { 409: 'The workspace is being deleted, or was changed at the same time' },
  rights: {
    reads: { GetItem: ['WORKSPACE#', 'WATCH', 'FEED-HEAD#'], Query: ['WORKSPACE#'] },
    writes: { UpdateItem: ['WORKSPACE#', 'DIRECTORY'] },
  },
});
