import type { Context } from '../api-contract/context.ts';
import { auditPart } from '../audit/record.ts';
import { HeraldError } from '../kernel/errors.ts';
import { absent, present } from '../table/condition.ts';
import { directoryKey, workspaceKey } from '../table/keys.ts';
import { transact, updatePart } from '../table/transaction.ts';
import { switchFeed } from './event-feed.ts';
import type { EditWorkspaceBody, WorkspaceView } from './operations.ts';
import { readWorkspace } from './read.ts';
import { getWorkspace } from './store.ts';

/**
 * Changes the given fields of the workspace. The directory, which operators read, gets the new name in the same transaction.
 *
 * @throws HeraldError `conflict` if the workspace is to be deleted, or its event feed was turned on or off at the same time
 */
export async function editWorkspace(
  context: Context,
  { name, timezone, eventFeed }: EditWorkspaceBody,
): Promise<WorkspaceView> {
  const { table, workspaceId, now } = context;
  if (name !== undefined || timezone !== undefined || eventFeed !== undefined) {
    const before = await getWorkspace(table, workspaceId);
    const feed = eventFeed === undefined ? undefined : await switchFeed(table, before, eventFeed, now);
    if (name === undefined && timezone === undefined && feed === undefined) return readWorkspace(context);
    const outcome = await transact(table, [
      updatePart(table, workspaceKey(workspaceId), {
        set: { name, timezone, ...feed?.set },
        if: { pk: present, deleteAfter: absent, ...feed?.if },
      }),
      ...(name === undefined
        ? []
        : [updatePart(table, directoryKey(workspaceId), { set: { name }, if: { pk: present } })]),
      auditPart(context, before),
    ]);
    if (!outcome.committed)
      throw new HeraldError(
        'conflict',
        'workspace: it is to be deleted, or another request has just changed it; read it again',
      );
  }
  return readWorkspace(context);
}
