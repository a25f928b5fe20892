import { editWorkspace } from '../../../lib/workspaces/edit.ts';
import { editWorkspaceOperation } from '../../../lib/workspaces/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `PATCH /v1/workspace` */
export const build = apiHandler(editWorkspaceOperation, {}, async ({ context, body }) => ({
  status: 200,
  body: { workspace: await editWorkspace(context, body) },
}));
