import { isDeepStrictEqual } from 'node:util';
import { dayMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { unconditionally } from '../table/condition.ts';
import { updateItem } from '../table/items.ts';
import { type Key, postAtRiskKey, postKey } from '../table/keys.ts';
import { isExpired } from '../table/retention.ts';
import { backOff, retentionOf, type Table } from '../table/table.ts';
import { deletePart, putPart, type TransactionItems, transact, updatePart } from '../table/transaction.ts';
import { type ItemUpdate, removingUndefined } from '../table/update.ts';
import { summarise, type TargetSummary } from '../targets/schemas.ts';
import { isSettled } from '../targets/state.ts';

import { expireTogether, expiryOf } from './stored/expiry.ts';
import { externalIdKeys } from './stored/external-id-items.ts';
import { listKeysIn, listKeysOf } from './stored/list-keys.ts';
import type { Post } from './stored/schemas.ts';
import { postStatus } from './stored/state.ts';
import { findPostAsStored } from './stored/store.ts';
import { byPosition, isAtRisk } from './view/to-view.ts';

/** The number of tries of a roll-up if the post keeps changing, over about four seconds. Our judgement. */
const maxTries = 8;
const contentionRange = { baseMs: 50, capMs: 1_000 };

/**
 * Updates a post's status, its list of targets and the keys of its indexes from the targets themselves. Safe to run concurrently: on a
 * version conflict, re-reads after a jittered backoff. Once all targets are settled, it also sets the time at which the post expires.
 *
 * @param now epoch milliseconds
 * @throws Error after eight conflicts
 */
export async function rollUpPost(
  table: Table,
  workspaceId: string,
  postId: string,
  now: number,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await findPostAsStored(table, workspaceId, postId);
    if (!found) return;
    const { post } = found;
    // TTL may have removed a part of it already.
    if (isExpired(post, now)) return;
    const targets = byPosition(found.targets).map(summarise);
    const status = postStatus(targets.map((target) => target.status));
    const listKeys = listKeysOf({ ...post, status, targets });
    const expiresAtSeconds = expiryOf(found, retentionOf(table));
    // Before the post: if the process crashes in between, the next roll-up still finds a difference.
    await expireTogether(table, found, expiresAtSeconds);
    const isUpToDate =
      post.status === status && isDeepStrictEqual(post.targets.map(untimed), targets.map(untimed));
    const isSameExpiry = post.expiresAtSeconds === expiresAtSeconds;
    const listing = listingAtRisk(table, post, targets, now);
    // Items of an earlier release have other list keys.
    if (isUpToDate && isSameExpiry && isDeepStrictEqual(listKeysIn(found.item), listKeys)) {
      if (listing.length > 0) await transact(table, listing);
      return;
    }
    const update: ItemUpdate = {
      set: {
        status,
        targets,
        ...removingUndefined({ ...listKeys, expiresAtSeconds }),
        version: post.version + 1,
        updatedAt: isUpToDate ? post.updatedAt : toTimestamp(now),
        settledResult: settledResult(targets),
      },
      if: { version: post.version },
    };
    const labels = isSameExpiry ? [] : externalIdKeys(post);
    if (await writeTogether(table, post, update, { labels, listing })) return;
    if (attempt === maxTries) throw new Error(`post ${postId} changed during each of ${maxTries} roll-ups`);
    await backOff(table, attempt, contentionRange);
  }
}

/**
 * Writes a post with its time of expiry, and gives the items of its external id the same: an edit that restores all of them must not
 * come in between. An item that belongs to another post by now is left alone.
 *
 * @returns false if the post has changed since it was read
 */
async function writeTogether(
  table: Table,
  { workspaceId, id }: Post,
  update: ItemUpdate,
  { labels, listing }: { readonly labels: readonly Key[]; readonly listing: TransactionItems },
): Promise<boolean> {
  const key = postKey(workspaceId, id);
  const parts = [updatePart(table, key, update), ...listing];
  if (labels.length > 0) {
    const set = { expiresAtSeconds: update.set?.['expiresAtSeconds'] };
    const outcome = await transact(table, [
      ...parts,
      ...labels.map((label) => updatePart(table, label, { set, if: { postId: id } })),
    ]);
    if (outcome.committed || outcome.failedIndex === 0) return outcome.committed;
  }
  if (listing.length > 0) return (await transact(table, parts)).committed;
  return (await updateItem(table, key, update)).written;
}

/** The time after its due time for which a post stays in the list if nothing takes it out, such as when it was deleted. */
const listedMs = 2 * dayMs;

/**
 * Returns the write that keeps a post at risk in their list, or takes it out; none for a post that was not at risk before either. An edit
 * or a deletion does not write the list: it may name posts that are no longer at risk, and a moved post is kept by its next roll-up.
 */
function listingAtRisk(
  table: Table,
  { workspaceId, id, targets: before }: Post,
  targets: readonly TargetSummary[],
  now: number,
): TransactionItems {
  const key = postAtRiskKey(workspaceId, id);
  if (!isAtRisk(targets)) return isAtRisk(before) ? [deletePart(table, key, unconditionally)] : [];
  const dueMs = targets.map(({ scheduledFor }) =>
    scheduledFor === undefined ? now : Date.parse(scheduledFor),
  );
  const expiresAtSeconds = Math.ceil((Math.max(now, ...dueMs) + listedMs) / secondMs);
  const entry = { ...key, kind: 'postAtRisk', workspaceId, postId: id, expiresAtSeconds };
  return [putPart(table, entry, unconditionally)];
}

/** Returns a summary without the time of the next try: in an outage every failed try would update the post. */
function untimed({ errorDetail, removal, ...summary }: TargetSummary) {
  const { retryAt: _retryAt, ...detail } = errorDetail ?? {};
  const { retryAt: _removalRetryAt, ...removalDetail } = removal?.errorDetail ?? {};
  return { ...summary, detail, ...(removal && { removal: { ...removal, errorDetail: removalDetail } }) };
}

/** Returns the results of all targets as text, equal for equal results; `undefined` until all are settled. */
function settledResult(targets: readonly TargetSummary[]): string | undefined {
  if (targets.length === 0 || !targets.every(({ status }) => isSettled(status))) return undefined;
  return targets.map(({ accountId, status }) => `${accountId}:${status}`).join(' ');
}
