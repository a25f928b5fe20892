import { listAccounts } from '../accounts/read.ts';
import type { Context } from '../api-contract/context.ts';
import { getWorkspace, listKeys } from './store.ts';
import type { WorkspaceView } from './views.ts';

/**
 * The workspace of the calling key, as it is at this moment. Only what few reads count exactly is counted: posts and
 * files are without bound.
 */
export async function readWorkspace(context: Context): Promise<WorkspaceView> {
  const { table, workspaceId } = context;
  const [workspace, { accounts }, keys] = await Promise.all([
    getWorkspace(table, workspaceId),
    listAccounts(context, {}),
    listKeys(table, workspaceId),
  ]);
  return {
    id: workspace.id,
    name: workspace.name,
    createdAt: workspace.createdAt,
    storage: {
      usedBytes: workspace.storageQuotaBytes - workspace.storageFreeBytes,
      quotaBytes: workspace.storageQuotaBytes,
    },
    counts: {
      accounts: accounts.length,
      webhooks: workspace.webhooks ?? 0,
      keys: keys.filter(({ revokedAt }) => revokedAt === undefined).length,
    },
  };
}
