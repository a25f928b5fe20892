import type { Context } from '../api-contract/context.ts';
import { unsettledCall } from '../at-most-once/call-records.ts';
import { calendarEntryItem } from '../calendar/entries.ts';
import { freeTime } from '../calendar/free.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { HeraldError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { unconditionally } from '../table/condition.ts';
import { putItem } from '../table/items.ts';
import { LeaseLostError } from '../table/lease.ts';
import type { Target } from '../targets/schemas.ts';
import { updateTarget } from '../targets/store.ts';
import { scheduleCheckAfterRetry } from './chain/next-check.ts';
import { readPost } from './read.ts';
import type { PostWithTargets } from './store.ts';

/**
 * Retries the failed targets of a post, due now. If the outcome of a target's last call is unknown, its retry asks the
 * platform about that call once more. If the post is still not found, the retry is the person's decision to call again.
 *
 * @throws HeraldError `not_found`; `conflict` if no target has failed, if one was tried 200 times, or if the post changes
 *   at the same time
 */
export async function retryPost(context: Context, postId: string): Promise<PostWithTargets> {
  const { post, targets } = await readPost(context, postId);
  if (!targets.some(isFailed)) throw new HeraldError('conflict', 'no destination of this post has failed');
  if (targets.some((target) => isFailed(target) && (target.calls?.length ?? 0) >= maxCalls))
    throw new HeraldError('conflict', 'a destination was tried too often; create a new post instead');
  await scheduleCheckAfterRetry(context.table, post, context.now);
  const retried = await Promise.all(
    targets.map((target) => (isFailed(target) ? retryTarget(context, target) : target)),
  );
  return { post, targets: retried };
}

/** Records of last calls are never removed, and DynamoDB limits an item to 400 KB. */
const maxCalls = 200;

const isFailed = ({ status }: Target): boolean => status === 'failed';

async function retryTarget(context: Context, target: Target): Promise<Target> {
  const { table } = context;
  const now = toTimestamp(context.now);
  const { autoKeyId: _chosenBefore, ...rest } = target;
  const due = { ...rest, scheduledFor: now };
  const unsettled = unsettledCall(target.calls);
  // The time is taken first: a crash in between leaves an unused time, never a used one that the calendar does not show.
  await putItem(table, calendarEntryItem(due), unconditionally);
  try {
    return await updateTarget(
      table,
      target,
      {
        status: unsettled ? 'publishing' : 'scheduled',
        scheduledFor: now,
        autoKeyId: null,
        wakeAt: now,
        failures: 0,
        firstFailureAt: null,
        limitedSince: null,
        limitedUntil: null,
        error: null,
        // Records that an earlier release stored in other fields must still say that the outcome was reported as unknown.
        ...(unsettled ? { calls: target.calls } : { preparation: null }),
      },
      newId(context.now),
    );
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error;
    await freeTime(table, due);
    throw new HeraldError('conflict', 'the post is being changed at the same time; try again', {
      cause: error,
    });
  }
}
