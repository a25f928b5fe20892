import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';
import { isTimezone } from '../kernel/time-zone.ts';
import { WorkspaceView } from './views.ts';

const maxNameCharacters = 100;

/**
 * A pattern for control characters and characters that change the direction of text: people read names in pages and in terminals.
 */
const unreadable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** A change of a workspace. Absent fields keep their values. */
export const EditWorkspaceBody = z
  .object({
    name: z
      .string()
      .trim()
      .min(1)
      .max(maxNameCharacters)
      .refine((name) => !unreadable.test(name), 'must not contain control characters')
      .optional()
      .meta({ description: 'People who connect an account see it' }),
    timezone: z
      .string()
      .max(64)
      .refine(isTimezone, 'must be an IANA time zone, such as Europe/Istanbul')
      .optional()
      .meta({ description: 'IANA time zone, such as `Europe/Istanbul`' }),
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
  description: 'Its name, its used storage, and its number of accounts, webhooks and API keys.',
  replies: { 200: { description: 'The workspace', body: z.object({ workspace: WorkspaceView }) } },
  rights: { reads: { GetItem: ['WORKSPACE#'], Query: ['WORKSPACE#'] } },
});

export const editWorkspaceOperation = operation({
  handler: 'workspace/edit',
  id: 'updateWorkspace',
  verb: 'workspace.edit',
  method: 'PATCH',
  path: '/v1/workspace',
  summary: "Change the workspace's name or time zone",
  description: 'Fields that are left out stay unchanged.',
  body: EditWorkspaceBody,
  replies: {
    200: { description: 'The workspace as it is now', body: z.object({ workspace: WorkspaceView }) },
  },
  refusals: { 409: 'The workspace is being deleted' },
  rights: {
    reads: { GetItem: ['WORKSPACE#'], Query: ['WORKSPACE#'] },
    writes: { UpdateItem: ['WORKSPACE#', 'DIRECTORY'] },
  },
});
