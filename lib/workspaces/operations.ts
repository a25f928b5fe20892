import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';
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
