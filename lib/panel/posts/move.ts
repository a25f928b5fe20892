import type { editPostOperation } from '../../posts/request/operations.ts';
import type { RequestOf } from '../api/operation-types.ts';
import { addDaysTo, instantOf, type Reading, type WallClock, wallClockOf } from '../wall-clock.ts';
import { type ListedPost, type Post, timeOf } from './post.ts';

/** Another time for a post, or for some of its destinations. */
export interface Move {
  readonly post: ListedPost;
  /** The destinations that move; all if absent. Others keep their own times. */
  readonly accountIds?: readonly string[] | undefined;
  /** ISO 8601; `null`: a draft had no time, or loses it. */
  readonly from: string | null;
  readonly to: string | null;
  /** What to say once it is done, such as that the clocks skip the time. */
  readonly remark?: string | undefined;
}

/** Where a move leads. */
export type Destination =
  | { readonly kind: 'same' }
  | { readonly kind: 'past'; readonly at: Date }
  /** `reading` says whether the clocks skip what was `typed`, or show it twice. */
  | { readonly kind: 'time'; readonly at: Date; readonly reading: Reading; readonly typed?: WallClock };

/** Why a post cannot have another time: the state of a destination. `undefined` if it can. */
export function lockOf({ platforms }: Pick<ListedPost, 'platforms'>) {
  const statuses = platforms.map(({ status }) => status);
  return locks.find((each) => statuses.includes(each));
}

const locks = ['publishing', 'published', 'partial', 'failed'] as const;
export type Lock = (typeof locks)[number];

/** The same time of day on another day, by the clocks of a zone. */
export function onDay(from: string, day: string, timeZone: string, now: number): Destination {
  const { date, time } = wallClockOf(new Date(from), timeZone);
  return date === day ? { kind: 'same' } : atWallClock({ date: day, time }, from, timeZone, now);
}

/** Some days later, at the same time of day. */
export function afterDays(from: string, days: number, timeZone: string, now: number): Destination {
  const wall = wallClockOf(new Date(from), timeZone);
  return atWallClock(addDaysTo(wall, days), from, timeZone, now);
}

/** Some minutes later. The next quarter of an hour is a quarter of an hour away, whatever clocks do. */
export function afterMinutes(from: string, minutes: number, now: number): Destination {
  const at = new Date(Date.parse(from) + minutes * 60_000);
  return destinationAt({ kind: 'exact', at }, from, now);
}

/** @param from the time until now; `null`: none */
export function atWallClock(
  wall: WallClock,
  from: string | null,
  timeZone: string,
  now: number,
): Destination {
  const reading = instantOf(wall, timeZone);
  return reading === undefined ? { kind: 'same' } : destinationAt(reading, from, now, wall);
}

function destinationAt(reading: Reading, from: string | null, now: number, typed?: WallClock): Destination {
  const { at } = reading;
  if (from !== null && at.getTime() === Date.parse(from)) return { kind: 'same' };
  return at.getTime() < now ? { kind: 'past', at } : { kind: 'time', at, reading, ...(typed && { typed }) };
}

/** The post as it will be, to be shown until the service has answered. */
export function moved({ post, accountIds, to }: Move): ListedPost {
  const platforms = post.platforms.map((target) =>
    accountIds === undefined || accountIds.includes(target.accountId)
      ? { ...target, scheduledFor: to }
      : target,
  );
  return { ...post, platforms, ...(movesAll({ post, accountIds }) && { scheduledFor: to }) };
}

/** Whether the post moves with all its destinations. */
export const movesAll = ({ post, accountIds }: Pick<Move, 'post' | 'accountIds'>): boolean =>
  accountIds === undefined || post.platforms.every(({ accountId }) => accountIds.includes(accountId));

/** The move that undoes another one. @param post as it is now: it may have moved on since */
export const undoing = (move: Move, post: ListedPost): Move => ({
  ...move,
  post,
  from: timeIn(post, move.accountIds),
  to: move.from,
  remark: undefined,
});

/** When a post goes out, or those of its destinations. */
function timeIn(post: ListedPost, accountIds: Move['accountIds']): string | null {
  const target = accountIds && post.platforms.find(({ accountId }) => accountIds.includes(accountId));
  return target === undefined ? post.scheduledFor : timeOf(target, post);
}

type Change = NonNullable<RequestOf<typeof editPostOperation>['body']>;

/**
 * The request that moves a post. A draft stays one. If only some destinations move, each keeps or gets a time of its own: a time of the
 * post would take theirs away.
 *
 * @param whole the post as it is read alone, needed if only some destinations move
 */
export function changeFor(move: Move, whole?: Post): Change {
  const { post, accountIds, to } = move;
  const isDraft = post.status === 'draft';
  if (movesAll(move) || whole === undefined || to === null)
    return { scheduledFor: to, ...(isDraft && to !== null && { isDraft: true }) };
  return {
    platforms: whole.platforms.map((target) => ({
      accountId: target.accountId,
      customContent: target.customContent ?? undefined,
      customMedia: target.customMedia ?? undefined,
      platformSpecificData: target.platformSpecificData,
      scheduledFor:
        (accountIds?.includes(target.accountId) ? to : (target.scheduledFor ?? whole.scheduledFor)) ??
        undefined,
    })),
  };
}
