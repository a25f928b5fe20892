import { placeOf } from '../daily-limits/place.ts';
import { readDay } from '../daily-limits/read.ts';
import { divideDay, isWithinShare } from '../daily-limits/shares.ts';
import { dayMs, secondMs } from '../kernel/clock.ts';
import { platformTitles } from '../platforms/contract/names.ts';
import { OwnFailure } from '../targets/problem.ts';
import type { PublishingPorts } from './ports.ts';
import type { Work } from './work.ts';

/**
 * Checks that a target which has not begun is within its workspace's share of the day. One request, and none for a platform
 * without a daily limit. A target that has begun its work at the platform is never stopped.
 *
 * Places follow the stream, so targets that several workspaces create at the same moment, due at once, may find the same
 * last place. The platform then refuses the last of them, which wait in the same way.
 *
 * The platform alone decides about a target that has waited for a limit before, so that nothing waits day after day, and
 * about one that must not wait: its share was checked when the post was accepted, and others may have planned since.
 *
 * @throws PlatformError `retry`, as for a daily limit of the platform, until the end of the day
 */
export async function requirePlace(
  { table, dailyLimits, now }: Pick<PublishingPorts, 'table' | 'dailyLimits' | 'now'>,
  { target, post: { onQuota } }: Pick<Work, 'target' | 'post'>,
): Promise<void> {
  const { workspaceId, postId, accountId, platform, limitedUntil } = target;
  if (limitedUntil !== undefined || onQuota === 'fail') return;
  const limit = dailyLimits[platform];
  const place = limit && placeOf(target, limit.timeZone);
  if (!place || place.isUsed) return;
  const { day, endsMs } = place;
  const { posts, counts, timeZone } = limit;
  const listed = await readDay(table, { platform, day, posts }, workspaceId);
  const isListed = listed.some((other) => other.postId === postId && other.accountId === accountId);
  const own = { workspaceId, postId, accountId, isUsed: false };
  const division = divideDay(posts, day, isListed ? listed : [...listed, own], workspaceId);
  if (isWithinShare(division, target)) return;
  throw new OwnFailure(
    'retry',
    'quota_exhausted',
    `${platformTitles[platform]} takes ${posts} ${counts} per day from this service, and earlier posts of this workspace take its share of ${division.share} for ${day} (${timeZone})`,
    {
      concerns: 'app',
      isDailyLimit: true,
      // A preparation may begin on the evening before its day. No wait for a limit is longer than a day.
      retryAfterSeconds: Math.max(0, Math.ceil(Math.min(endsMs - now(), dayMs) / secondMs)),
    },
  );
}
