import { accountsOf } from '../access/actor.ts';
import { countAccounts } from '../accounts/read.ts';
import type { Context } from '../api-contract/context.ts';
import { toldIncidents } from '../incidents/store.ts';
import { recordedSince } from './event-feed.ts';
import type { WorkspaceView } from './operations.ts';
import { getWorkspace, listKeys } from './store.ts';

/**
 * Returns the workspace of the calling API key. It counts only things that a few reads can count exactly, so not posts and files,
 * whose number is unbounded.
 */
export async function readWorkspace(context: Context): Promise<WorkspaceView> {
  const { table, workspaceId } = context;
  const [workspace, accounts, keys, incidents] = await Promise.all([
    getWorkspace(table, workspaceId),
    countAccounts(context),
    listKeys(table, workspaceId),
    toldIncidents(table, context.now),
  ]);
  return {
    id: workspace.id,
    name: workspace.name,
    timezone: workspace.timezone ?? 'UTC',
    createdAt: workspace.createdAt,
    eventFeed: recordedSince(workspace) !== undefined,
    eventFeedSince: recordedSince(workspace) ?? null,
    storage: {
      // It would tell about files that the actor does not see.
      usedBytes: accountsOf(context.actor) ? null : workspace.storageQuotaBytes - workspace.storageFreeBytes,
      quotaBytes: workspace.storageQuotaBytes,
    },
    counts: {
      accounts,
      webhooks: workspace.webhooks ?? 0,
      keys: keys.filter(({ revokedAt }) => revokedAt === undefined).length,
    },
    incidents,
  };
}
