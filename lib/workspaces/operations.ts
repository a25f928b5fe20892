import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';
import { EditWorkspaceBody } from './request-schemas.ts';
import { WorkspaceView } from './views.ts';

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
