import { minuteMs, toTimestamp } from '../kernel/clock.ts';
import { PostNumber } from '../platforms/contract/insights.ts';
import { platformTitles } from '../platforms/contract/names.ts';
import { numbersOf } from '../platforms/registry/numbers.ts';
import { ages, readingAfterMs, storyDayMs, storyEndsMs } from './ages.ts';
import {
  type LiveTarget,
  lastAskedMs,
  latestReading,
  type NumbersRow,
  numberIn,
  type Reading,
  readingAt,
} from './numbers-row.ts';
import {
  type Metric,
  MetricReason,
  type MetricsSnapshot,
  type PostMetrics,
  type TargetMetrics,
} from './schemas.ts';

/** The least time between two questions to a platform about the same post. */
export const freshAfterMs = 15 * minuteMs;

/** Returns a reason as it is stored; a release that does not know it calls it `unavailable`. */
const reasonFrom = (stored: string): MetricReason => MetricReason.safeParse(stored).data ?? 'unavailable';

/**
 * Returns the numbers of a reading.
 *
 * @param missing the reason of numbers that the platform has and that were not read
 */
export function metricsOf(
  target: Pick<LiveTarget, 'platform' | 'isStory' | 'as'>,
  reading: Reading | undefined,
  missing: MetricReason,
): PostMetrics {
  const names = numbersOf(target.platform).ofPost(target);
  const entries = PostNumber.options.map((name): [PostNumber, Metric] => {
    const platformName = names[name] ?? null;
    const asOf = reading?.at ?? null;
    if (platformName === null)
      return [name, { value: null, reason: 'not_offered', platformName, asOf: null }];
    const stored = numberIn(reading, name);
    if (typeof stored === 'number') return [name, { value: stored, reason: null, platformName, asOf }];
    const reason = stored == null ? missing : reasonFrom(stored);
    return [name, { value: null, reason, platformName, asOf }];
  });
  return Object.fromEntries(entries) as PostMetrics;
}

/** Returns the snapshots of a live destination. @param why the reason of numbers that are not there, unless the time decides */
export function snapshotsOf(
  target: Pick<LiveTarget, 'platform' | 'isStory' | 'as' | 'publishedAt'>,
  row: NumbersRow | undefined,
  why: MetricReason,
  now: number,
): MetricsSnapshot[] {
  const publishedMs = Date.parse(target.publishedAt);
  return ages.map((age) => {
    const afterMs = readingAfterMs(age, target.isStory);
    const dueMs = publishedMs + (afterMs ?? readingAfterMs(age, false) ?? storyDayMs);
    const reading = row && readingAt(row, age);
    const missing = afterMs === undefined ? 'story_over' : dueMs > now ? 'pending' : why;
    return { age, dueAt: toTimestamp(dueMs), metrics: metricsOf(target, reading, missing) };
  });
}

/** A destination with what is known about its numbers. */
export interface Shown {
  readonly target: Pick<LiveTarget, 'accountId' | 'platform' | 'isStory' | 'as'> & {
    readonly platformPostId?: string | undefined;
    readonly publishedAt?: string | undefined;
    readonly removedAt?: string | undefined;
  };
  readonly row: NumbersRow | undefined;
  /** The numbers that a platform has just named, if they may not be stored. */
  readonly fresh?: Reading | undefined;
  /** The reason for which no numbers are read, with words; absent if they are. */
  readonly lack?: { readonly reason: MetricReason; readonly message: string } | undefined;
}

export function toTargetMetrics({ target, row, fresh, lack }: Shown, now: number): TargetMetrics {
  const { accountId, platform, platformPostId = null, publishedAt = null } = target;
  const reading = fresh ?? (row && latestReading(row));
  const problem = reading === undefined ? (lack ?? problemOf(target, row, now)) : undefined;
  const why = problem?.reason ?? 'pending';
  const freshMs = (fresh ? Date.parse(fresh.at) : lastAskedMs(row)) + freshAfterMs;
  return {
    ...{ accountId, platform, platformPostId, publishedAt },
    removedAt: target.removedAt ?? row?.goneAt ?? null,
    reason: problem?.reason ?? null,
    message: problem?.message ?? null,
    asOf: reading?.at ?? null,
    freshFrom: lack === undefined && freshMs > now ? toTimestamp(freshMs) : null,
    metrics: metricsOf(target, reading, why),
    snapshots:
      publishedAt === null ? [] : snapshotsOf({ ...target, publishedAt }, row, snapshotReason(why), now),
  };
}

/** A snapshot whose time has passed without one is not pending. */
const snapshotReason = (why: MetricReason): MetricReason => (why === 'pending' ? 'unavailable' : why);

/** Returns the reason that there are no numbers of a destination whose account has the feature. */
function problemOf(
  target: Shown['target'],
  row: NumbersRow | undefined,
  now: number,
): { readonly reason: MetricReason; readonly message: string } {
  const title = platformTitles[target.platform];
  if (target.publishedAt === undefined) return { reason: 'pending', message: 'It is not live yet.' };
  if (target.removedAt !== undefined || row?.goneAt !== undefined)
    return { reason: 'removed', message: `The post does not exist on ${title} any more.` };
  const numbers = numbersOf(target.platform);
  if (Object.keys(numbers.ofPost(target)).length === 0)
    return { reason: 'not_offered', message: `${title} has no numbers of such posts.` };
  const ageMs = now - Date.parse(target.publishedAt);
  if (target.isStory && ageMs >= storyEndsMs)
    return { reason: 'story_over', message: `${title} has numbers of a story for 24 hours only.` };
  const kept = numbers.keptDays(target);
  if (kept === 0)
    return {
      reason: 'not_kept',
      message: `${title} does not allow its numbers to be kept: ask for them with fresh=true.`,
    };
  if (row === undefined && ageMs >= (readingAfterMs('1h', target.isStory) ?? 0))
    return {
      reason: 'not_kept',
      message:
        kept === undefined
          ? 'No numbers are kept of this post: ask for them with fresh=true.'
          : `${title} allows its numbers to be kept for ${kept} days only: ask for them with fresh=true.`,
    };
  return { reason: 'pending', message: 'They are first taken an hour after the post went live.' };
}
