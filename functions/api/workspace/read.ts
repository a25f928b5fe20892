import { readWorkspaceOperation } from '../../../lib/workspaces/operations.ts';
import { readWorkspace } from '../../../lib/workspaces/read.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/workspace` */
export const build = apiHandler(readWorkspaceOperation, {}, async ({ context }) => ({
  status: 200,
  body: { workspace: await readWorkspace(context) },
}));
