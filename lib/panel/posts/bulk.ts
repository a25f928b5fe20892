import { ApiError, needsSignIn } from '../api/api-error.ts';
import { pause } from '../api/retry.ts';
import { dayIn } from '../time.ts';
import { afterDays, type Change, entryFor, lockOf } from './move.ts';
import { canRemove, type ListedPost, type Post, timeOf } from './post.ts';
import { failedTargets, unknownTargets } from './remedy.ts';

export type BulkAction = 'move' | 'retry' | 'remove' | 'tag';

/** The reason why an action leaves a post out. */
export type Hindrance =
  | NonNullable<ReturnType<typeof lockOf>>
  | 'live'
  | 'untimed'
  | 'past'
  | 'same'
  | 'notFailed'
  | 'unknown';

/** Returns the reason why an action cannot be done to a post; `undefined` if it can. Pure. */
export function hindranceOf(action: BulkAction, post: ListedPost): Hindrance | undefined {
  if (action === 'move') return lockOf(post) ?? (baseTimeOf(post) === undefined ? 'untimed' : undefined);
  if (action === 'remove') return canRemove(post) ? undefined : 'live';
  if (action === 'retry') {
    // A person has to look at the platform first. The page of the post asks for that.
    if (unknownTargets(post).length > 0) return 'unknown';
    return failedTargets(post).length === 0 ? 'notFailed' : undefined;
  }
  return undefined;
}

/** The times of a post. */
export interface Times {
  /** Its own time; ISO 8601. */
  readonly at: string | null;
  /** The times of those destinations that have another one, by account. */
  readonly others: ReadonlyMap<string, string>;
}

export const timesOf = (post: ListedPost): Times => ({
  at: post.scheduledFor,
  others: new Map(
    post.platforms.flatMap((target) => {
      const at = timeOf(target, post);
      return at === null || at === post.scheduledFor ? [] : [[target.accountId, at] as const];
    }),
  ),
});

/** Returns the first time of a post. */
function baseTimeOf(post: ListedPost): string | undefined {
  const { at, others } = timesOf(post);
  return at ?? [...others.values()].toSorted()[0];
}

/** The distance of a move: some days, or however many lead to a day (`2026-03-14`). */
export type Distance = { readonly days: number } | { readonly day: string };

const dayMs = 86_400_000;

/** Returns the times of a post after a move, which keeps the times of day on the clocks of a zone. Pure. @param now epoch milliseconds */
export function shifted(
  post: ListedPost,
  distance: Distance,
  timeZone: string,
  now: number,
): Times | 'past' | 'same' {
  const base = baseTimeOf(post);
  if (base === undefined) return 'same';
  const days =
    'days' in distance
      ? distance.days
      : (Date.parse(distance.day) - Date.parse(dayIn(new Date(base), timeZone))) / dayMs;
  if (days === 0) return 'same';
  const { at, others } = timesOf(post);
  const shift = (time: string) => afterDays(time, days, timeZone, now);
  const times = [...(at === null ? [] : [at]), ...others.values()].map(shift);
  if (times.some(({ kind }) => kind === 'past')) return 'past';
  const timeAfter = (time: string) => {
    const to = shift(time);
    return to.kind === 'time' ? to.at.toISOString() : time;
  };
  return {
    at: at === null ? null : timeAfter(at),
    others: new Map([...others].map(([accountId, time]) => [accountId, timeAfter(time)])),
  };
}

/** Returns the request that gives a post these times. A draft stays one. @param whole needed if destinations have times of their own */
export function changeTo({ at, others }: Times, post: ListedPost, whole?: Post): Change {
  return {
    ...(at !== null && { scheduledFor: at }),
    ...(post.status === 'draft' && { isDraft: true }),
    ...(whole !== undefined &&
      others.size > 0 && {
        platforms: whole.platforms.map((target) => entryFor(target, others.get(target.accountId) ?? null)),
      }),
  };
}

/** A post for which an action was refused. */
export interface Refused {
  readonly post: ListedPost;
  readonly error: Error;
}

export interface BulkResult<Result> {
  readonly worked: readonly { readonly post: ListedPost; readonly result: Result }[];
  readonly refused: readonly Refused[];
  /** Those for which it was stopped before their turn. */
  readonly left: readonly ListedPost[];
}

interface RunOptions {
  /** Stops after the requests that are on their way. */
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
  readonly wait?: (milliseconds: number) => Promise<void>;
}

const atOnce = 3;
const mostTries = 4;
const longestWaitMs = 60_000;

/**
 * Does something to posts, a few at once, in order. It goes on after a refusal, and stops if the person would have to sign in. If the
 * service has too many requests, it waits as long as that says.
 */
export async function runEach<Result>(
  posts: readonly ListedPost[],
  act: (post: ListedPost) => Promise<Result>,
  { signal, onProgress, wait = (ms) => pause(ms, undefined) }: RunOptions,
): Promise<BulkResult<Result>> {
  const waiting = [...posts];
  const worked: { post: ListedPost; result: Result }[] = [];
  const refused: Refused[] = [];
  let isSignedOut = false;
  const actPatiently = async (post: ListedPost): Promise<Result> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await act(post);
      } catch (error) {
        const waitMs = error instanceof ApiError && error.status === 429 ? error.retryAfterMs : undefined;
        if (waitMs === undefined || waitMs > longestWaitMs || attempt === mostTries) throw error;
        await wait(waitMs);
      }
    }
  };
  const work = async () => {
    for (;;) {
      const post = signal.aborted || isSignedOut ? undefined : waiting.shift();
      if (post === undefined) return;
      try {
        worked.push({ post, result: await actPatiently(post) });
      } catch (error) {
        if (needsSignIn(error)) isSignedOut = true;
        refused.push({ post, error: error instanceof Error ? error : new Error(String(error)) });
      }
      onProgress(worked.length + refused.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { worked, refused, left: waiting };
}
