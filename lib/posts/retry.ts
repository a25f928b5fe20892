import type { Context } from '../api-contract/context.ts';
import { calendarEntryItem } from '../calendar/entries.ts';
import { freeTime } from '../calendar/free.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { HeraldError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { unconditionally } from '../table/condition.ts';
import { putItem } from '../table/items.ts';
import type { Target } from '../targets/schemas.ts';
import { LeaseLostError, updateTarget } from '../targets/store.ts';
import { scheduleCheckAfterRetry } from './chain/next-check.ts';
import { readPost } from './read.ts';
import type { PostWithTargets } from './store.ts';

/**
 * Retries the failed targets of a post, due now. If the outcome of a target's last call is unknown, its retry starts by
 * reconciling that call.
 *
 * @throws HeraldError `not_found`; `conflict` if no target has failed, or if the post changes at the same time
 */
export async function retryPost(context: Context, postId: string): Promise<PostWithTargets> {
  const { post, targets } = await readPost(context, postId);
  if (!targets.some(isFailed)) throw new HeraldError('conflict', 'no destination of this post has failed');
  await scheduleCheckAfterRetry(context.table, post, context.now);
  const retried = await Promise.all(
    targets.map((target) => (isFailed(target) ? retryTarget(context, target) : target)),
  );
  return { post, targets: retried };
}

const isFailed = ({ status }: Target): boolean => status === 'failed';

async function retryTarget(context: Context, target: Target): Promise<Target> {
  const { table } = context;
  const now = toTimestamp(context.now);
  const { autoKeyId: _chosenBefore, ...rest } = target;
  const due = { ...rest, scheduledFor: now };
  // The time is taken first: a crash in between leaves an unused time, never a used one that the calendar does not show.
  await putItem(table, calendarEntryItem(due), unconditionally);
  try {
    return await updateTarget(
      table,
      target,
      {
        status: target.intentAt === undefined ? 'scheduled' : 'publishing',
        scheduledFor: now,
        autoKeyId: null,
        wakeAt: now,
        failures: 0,
        firstFailureAt: null,
        error: null,
        ...(target.intentAt === undefined && { preparation: null }),
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
