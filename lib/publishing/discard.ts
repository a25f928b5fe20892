import { accountProblem } from '../accounts/problem.ts';
import { accountFromItem } from '../accounts/store.ts';
import { judgeFailure } from '../at-most-once/judge-failure.ts';
import { shortReason } from '../at-most-once/short-reason.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { type AbandonedUpload, removeRepairTask, repairTaskFromItem } from '../overdue/repair-tasks.ts';
import { Platform } from '../platforms/contract/names.ts';
import { batchGet } from '../table/batch-get.ts';
import { absent } from '../table/condition.ts';
import { getItem, updateItem } from '../table/items.ts';
import { accountKey, repairTaskKey, targetKey, tokensKey } from '../table/keys.ts';
import { targetFromItem } from '../targets/item.ts';
import { appendEntry, type LaterTimelineEvent, triesOf } from '../targets/timeline.ts';
import { type WorkerPorts, withCallLog } from './call-log.ts';
import type { PublishMessage } from './message.ts';
import type { PublishingPorts } from './ports.ts';

export type DiscardOutcome = 'discarded' | 'postponed' | 'obsolete';

/**
 * Deletes an upload that no target publishes any more, and says so in the timeline of its target, if there still is one. Safe to
 * repeat. While it fails, or the account is not connected, its task stays, and the sweep sends the message again: with growing
 * waits, for 30 days.
 *
 * @param message names the task
 */
export async function discardUpload(
  given: PublishingPorts,
  { discards = '' }: PublishMessage,
): Promise<DiscardOutcome> {
  const ports = withCallLog(given, () => {});
  const { table } = ports;
  const item = await getItem(table, repairTaskKey(discards));
  const stored = item && repairTaskFromItem(item);
  if (stored?.task.kind !== 'discard upload') return 'obsolete';
  const { upload } = stored.task;
  const { workspaceId, accountId } = upload;
  const platform = Platform.parse(upload.platform);
  const keys = { account: accountKey(workspaceId, accountId), tokens: tokensKey(workspaceId, accountId) };
  const found = await batchGet(table, Object.values(keys));
  const accountItem = found.get(keys.account);
  if (accountItem === undefined) {
    // The workspace was erased, and nobody can connect the account again.
    await removeRepairTask(table, stored);
    return 'obsolete';
  }
  const account = accountFromItem(accountItem);
  const tokensItem = found.get(keys.tokens);
  const postponed = async (reason: string): Promise<DiscardOutcome> => {
    await tell(ports, upload, 'not discarded', reason);
    return 'postponed';
  };
  const problem = accountProblem(account);
  if (problem !== undefined) return postponed(`an unpublished upload is still on ${platform}: ${problem}`);
  try {
    const adapter = await ports.adapterFor(platform);
    const tools = await ports.toolsFor(platform);
    const accessToken = await ports.accessToken(account, tokensItem);
    const { platformAccountId, username, meta, scopes } = account;
    const removed = await adapter.discard?.(
      {
        account: { platformAccountId, username, meta, scopes },
        accessToken,
        preparation: upload.preparation,
      },
      tools,
    );
    const isTold = removed === undefined || (await tell(ports, upload, 'discarded', removed));
    if (!isTold) return 'postponed';
  } catch (error) {
    ports.report('an unpublished upload was not deleted', error);
    const failed = {
      retries: { failures: 0 },
      account,
      tokensItem,
      activity: 'deleting an unpublished upload',
    };
    const decision = await judgeFailure(ports, failed, error);
    return decision.kind === 'retry' ? 'postponed' : postponed(decision.reason);
  }
  await removeRepairTask(table, stored);
  return 'discarded';
}

/**
 * Adds an entry to the timeline of the upload's target, unless it ends with that entry. Leaves the target alone while a worker
 * holds it: the worker's next commit would replace the timeline.
 *
 * @returns false if the entry must be added later
 */
async function tell(
  { table, now, takeCalls }: WorkerPorts,
  { workspaceId, postId, accountId }: AbandonedUpload,
  laterEvent: LaterTimelineEvent,
  reason: string,
): Promise<boolean> {
  const key = targetKey(workspaceId, postId, accountId);
  const item = await getItem(table, key);
  if (item === undefined) return true;
  const { attempt, status, wakeNumber, leaseUntil, timeline } = targetFromItem(item);
  const text = shortReason(reason);
  if (timeline.some((entry) => entry.laterEvent === laterEvent && entry.reason === text)) return true;
  if (leaseUntil !== undefined) return false;
  const tryNumber = triesOf(timeline).at(-1);
  const at = toTimestamp(now());
  const told = { event: 'waiting', laterEvent, reason: text, calls: takeCalls() } as const;
  const entry = { at, attempt, tryNumber, ...told };
  const { written } = await updateItem(table, key, {
    set: { timeline: appendEntry(timeline, entry) },
    if: { attempt, status, wakeNumber, leaseUntil: absent },
  });
  return written;
}
