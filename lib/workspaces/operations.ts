import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';
import { WorkspaceView } from './views.ts';

export const readWorkspaceOperation = operation({
  handler: 'workspace/read',
  method: 'GET',
  path: '/v1/workspace',
  summary: 'Read the workspace of the key',
  description: 'Its name, how much of its storage is used, and how many accounts, webhooks and keys it has.',
  replies: { 200: { description: 'The workspace', body: z.object({ workspace: WorkspaceView }) } },
  rights: { table: ['Query'] },
});
