import type { Context } from '../api-contract/context.ts';
import { auditPart } from '../audit/record.ts';
import { HeraldError } from '../kernel/errors.ts';
import { absent, present } from '../table/condition.ts';
import { directoryKey, workspaceKey } from '../table/keys.ts';
import { transact, updatePart } from '../table/transaction.ts';
import type { EditWorkspaceBody, WorkspaceView } from './operations.ts';
import { readWorkspace } from './read.ts';
import { getWorkspace } from './store.ts';

/**
 * Changes the given fields of the workspace. The directory, which operators read, gets the new name in the same transaction.
 *
 * @throws HeraldError `conflict` if the workspace is to be deleted
 */
export async function editWorkspace(
  context: Context,
  { name, timezone }: EditWorkspaceBody,
): Promise<WorkspaceView> {
  const { table, workspaceId } = context;
  if (name !== undefined || timezone !== undefined) {
    const before = await getWorkspace(table, workspaceId);
    const outcome = await transact(table, [
      updatePart(table, workspaceKey(workspaceId), {
        set: { name, timezone },
        if: { pk: present, deleteAfter: absent },
      }),
      ...(name === undefined
        ? []
        : [updatePart(table, directoryKey(workspaceId), { set: { name }, if: { pk: present } })]),
      auditPart(context, before),
    ]);
    if (!outcome.committed)
      throw new HeraldError('conflict', 'workspace: it is to be deleted, and cannot be changed');
  }
  return readWorkspace(context);
}
