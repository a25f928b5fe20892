import { dayMs, minuteMs, secondMs } from '../../kernel/clock.ts';
import { PlatformError } from '../contract/errors.ts';
import type { FacebookClient } from './client.ts';
import { reelsPerDay } from './limits.ts';

/** The shortest wait: an upload begins before its reel is published, and may count from the later time. */
const shortestWaitMs = 15 * minuteMs;

/**
 * Makes a call for a reel. If Facebook refuses it because of a rate limit, looks if the Page has reached its limit of reels: the error
 * of that limit is not documented. Then the reel waits until the oldest of them is a day old.
 *
 * @throws PlatformError as the call; for the daily limit, `retry` with its end
 */
export async function withinReelLimit<T>(
  client: Pick<FacebookClient, 'reelTimes'>,
  nowMs: number,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!mayBeLimit(error)) throw error;
    const times = await client.reelTimes(nowMs - dayMs, reelsPerDay).catch((unread: unknown) => {
      if (unread instanceof PlatformError) return [];
      throw unread;
    });
    if (times.length < reelsPerDay) throw error;
    const waitMs = Math.max(Math.min(...times) + dayMs - nowMs, shortestWaitMs);
    const { message, status, platformCode } = error;
    throw new PlatformError(
      'retry',
      `${message} The Page has ${reelsPerDay} reels of the last 24 hours, which is what Facebook allows apps.`,
      {
        concerns: 'feature',
        isDailyLimit: true,
        retryAfterSeconds: Math.ceil(waitMs / secondMs),
        status,
        platformCode,
        cause: error,
      },
    );
  }
}

/** True for a certain refusal because of too many calls or posts, or of a temporary block. */
function mayBeLimit(error: unknown): error is PlatformError {
  if (!(error instanceof PlatformError) || (error.status ?? 500) >= 500) return false;
  if (error.remedy === 'restricted') return error.platformCode?.split('/').includes('368') === true;
  return error.remedy === 'retry' && (error.retryAfterSeconds ?? 0) >= shortestWaitMs / secondMs;
}
