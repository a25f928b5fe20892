import { accountsOf } from '../../access/actor.ts';
import type { Context } from '../../api-contract/context.ts';
import { placeOf } from '../../daily-limits/place.ts';
import { type DayReader, eachDay } from '../../daily-limits/shared-days.ts';
import { divideDay, isWithinShare, type ListedPlace } from '../../daily-limits/shares.ts';
import type { DailyLimit, DailyLimits } from '../../platforms/contract/daily-limit.ts';
import { platformTitles } from '../../platforms/contract/names.ts';
import type { Target } from '../../targets/schemas.ts';
import type { Post } from '../stored/schemas.ts';
import type { PlanProblem, PlanWarning, RuleFindings } from './problems.ts';

/**
 * Finds the destinations of a planned post that have no place in their day: it is full, or the workspace has planned more than
 * its share of it. Such a destination waits for the next day, which is a warning; a post with `onQuota: "fail"` has a problem
 * instead. Reads one day per platform with a daily limit and date, and nothing for other platforms.
 *
 * Two requests at the same time may both find the last place. The later post then waits, without a warning.
 *
 * @param mayRefuse false if the post was accepted for these days before, so that later changes are only a warning
 */
export async function checkDays(
  context: DayContext & { readonly dailyLimits: DailyLimits },
  { post, targets }: { readonly post: Post; readonly targets: readonly Target[] },
  { mayRefuse }: { readonly mayRefuse: boolean },
): Promise<RuleFindings> {
  const planned = targets.flatMap((target) => {
    const limit = context.dailyLimits[target.platform];
    const place = limit && placeOf(target, limit.timeZone);
    return limit && place ? [{ target, limit, day: place.day }] : [];
  });
  const days = Map.groupBy(planned, ({ target, day }) => `${target.platform} ${day}`);
  const checked = await Promise.all([...days.values()].map((ofDay) => checkDay(context, post, ofDay)));
  const findings = checked.flat();
  return post.onQuota === 'fail' && mayRefuse
    ? { problems: findings, warnings: [] }
    : { problems: [], warnings: findings };
}

interface DayContext extends Pick<Context, 'table' | 'workspaceId' | 'actor'> {
  /** The reader of days. Default: reads each day for each post. */
  readonly days?: DayReader;
}

interface PlannedTarget {
  readonly target: Target;
  readonly limit: DailyLimit;
  readonly day: string;
}

async function checkDay(
  { table, workspaceId, actor, days = eachDay }: DayContext,
  post: Post,
  planned: readonly PlannedTarget[],
): Promise<(PlanProblem & PlanWarning)[]> {
  const [first] = planned;
  if (!first) return [];
  const { limit, day } = first;
  const { platform } = first.target;
  const read = await days(table, { platform, day, posts: limit.posts }, workspaceId);
  const stored = read.places();
  // A post that is being edited counts in its new form. Places that it has used stay used.
  const stays = ({ postId, isUsed }: ListedPlace) => postId !== post.id || isUsed;
  const kept = stored.filter(stays);
  const isKept = ({ accountId }: Target) =>
    kept.some((place) => place.postId === post.id && place.accountId === accountId);
  const added = planned
    .filter(({ target }) => !isKept(target))
    .map(({ target: { postId, accountId } }) => ({ workspaceId, postId, accountId, isUsed: false }));
  const places = [...kept, ...added];
  const division = divideDay(limit.posts, day, places, workspaceId);
  // The message does not say how much other workspaces have planned, and a key does not learn what is planned on accounts that it
  // may not use.
  const state =
    accountsOf(actor) === undefined
      ? `this workspace has planned or used ${division.own.length} with this one, and its share is ${division.share}.`
      : `this workspace has a share of ${division.share}, and no place is left in it.`;
  const beyond = planned.filter(({ target }) => !isWithinShare(division, target));
  // A post that is refused takes no place.
  if (post.onQuota !== 'fail' || beyond.length === 0) read.plan(added);
  return beyond.map(({ target: { accountId, position } }) => ({
    field: `platforms[${position}].scheduledFor`,
    code: 'quota_exhausted',
    message: [
      `${platformTitles[platform]} takes ${limit.posts} ${limit.counts} per day from this service.`,
      `For ${day} (${limit.timeZone}), ${state}`,
      post.onQuota === 'fail' ? 'So it would fail' : 'So it will wait for the next day',
    ].join(' '),
    accountId,
    platform,
  }));
}
