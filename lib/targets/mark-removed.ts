import { toTimestamp } from '../kernel/clock.ts';
import { absent, anyOf, atMost } from '../table/condition.ts';
import { updateItem } from '../table/items.ts';
import type { Table } from '../table/table.ts';
import { removingNulls } from '../table/update.ts';
import type { Target } from './schemas.ts';
import { keyOf, type TargetChanges } from './store.ts';
import { platformPostIdsOf } from './thread.ts';
import { appendEntry, type TimelineEntry, triesOf } from './timeline.ts';

/**
 * Returns the changes of a target whose posts are all gone: it has no work left.
 *
 * @param by the one who has deleted them
 * @param nowMs epoch milliseconds
 */
export function removedChanges(target: Target, by: 'service' | 'person', nowMs: number) {
  const { error: _error, errorDetail: _detail, ...removal } = target.removal ?? {};
  return {
    removal: { ...removal, state: 'removed', by, gone: platformPostIdsOf(target) },
    removedAt: toTimestamp(nowMs),
    wakeAt: null,
  } as const satisfies TargetChanges;
}

/**
 * Marks a live target as removed because the platform shows its post no more. Nothing of it is finished, retried or answered from
 * then on. Idempotent. Leaves a target alone that a worker holds: look again later.
 *
 * If Herald was about to delete the post, its own call has done it.
 *
 * @param target as read; all of its posts are gone
 * @param nowMs epoch milliseconds
 * @param writeId unique to this call
 * @returns false if the target is not live, is held, or has changed since it was read
 */
export async function markRemoved(
  table: Table,
  target: Target,
  nowMs: number,
  writeId: string,
): Promise<boolean> {
  const { status, attempt, wakeNumber, timeline, removal } = target;
  if (target.removedAt !== undefined) return true;
  if (status !== 'published' && status !== 'partial') return false;
  const intended = removal?.intended ?? [];
  const by = platformPostIdsOf(target).some((id) => intended.includes(id)) ? 'service' : 'person';
  const entry: TimelineEntry = {
    at: toTimestamp(nowMs),
    attempt,
    tryNumber: triesOf(timeline).at(-1),
    event: 'waiting',
    laterEvent: 'removed',
    calls: [],
    ...(by === 'person' && { reason: 'the platform does not have the post any more' }),
  };
  const { written } = await updateItem(
    table,
    keyOf(target),
    {
      set: removingNulls({
        ...removedChanges(target, by, nowMs),
        ...{ dueAt: null, dueShard: null, leaseUntil: null, takes: null, takenSince: null },
        timeline: appendEntry(timeline, entry),
      }),
      // A worker that took an earlier wake and was held up must not write any more.
      add: { attempt: 1 },
      if: { status, attempt, wakeNumber, leaseUntil: anyOf(absent, atMost(toTimestamp(nowMs))) },
    },
    writeId,
  );
  return written;
}
