import type { editPostOperation } from '../../posts/request/operations.ts';
import type { RequestOf } from '../api/operation-types.ts';
import { createStore } from '../api/store.ts';
import { addDaysTo, instantOf, type Reading, type WallClock, wallClockOf } from '../wall-clock.ts';
import { type ListedPost, type Post, type Target, timeOf } from './post.ts';

/** Another time for a post, or for some of its destinations. */
export interface Move {
  readonly post: ListedPost;
  /** The destinations that move; all if absent. Others keep their own times. */
  readonly accountIds?: readonly string[] | undefined;
  /** ISO 8601; `null`: a draft had no time, or loses it. */
  readonly from: string | null;
  readonly to: string | null;
  /** A remark for once it is done, such as that the clocks skip the time. */
  readonly remark?: string | undefined;
}

/** The target of a move. */
export type Destination =
  | { readonly kind: 'same' }
  | { readonly kind: 'past'; readonly at: Date }
  /** `reading` says whether the clocks skip what was `typed`, or show it twice. */
  | { readonly kind: 'time'; readonly at: Date; readonly reading: Reading; readonly typed?: WallClock };

/** Returns the reason why a post cannot have another time: the state of a destination. `undefined` if it can. */
export function lockOf({ platforms }: Pick<ListedPost, 'platforms'>) {
  const statuses = platforms.map(({ status }) => status);
  return locks.find((each) => statuses.includes(each));
}

const locks = ['publishing', 'published', 'partial', 'failed'] as const;

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

/** An exact time, such as where somebody drops it. @param from the time until now; `null`: none */
export const atInstant = (at: Date, from: string | null, now: number): Destination =>
  destinationAt({ kind: 'exact', at }, from, now);

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

/** Returns true if the post moves with all its destinations. */
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

/** Returns the time of a post, or of those of its destinations. */
function timeIn(post: ListedPost, accountIds: Move['accountIds']): string | null {
  const target = accountIds && post.platforms.find(({ accountId }) => accountIds.includes(accountId));
  return target === undefined ? post.scheduledFor : timeOf(target, post);
}

export type Change = NonNullable<RequestOf<typeof editPostOperation>['body']>;

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
    platforms: whole.platforms.map((target) =>
      entryFor(
        target,
        accountIds?.includes(target.accountId) ? to : (target.scheduledFor ?? whole.scheduledFor),
      ),
    ),
  };
}

/** A destination as the request that changes a post has it, with a time of its own unless `at` is null. */
export const entryFor = (target: Target, at: string | null) => ({
  accountId: target.accountId,
  customContent: target.customContent ?? undefined,
  customMedia: target.customMedia ?? undefined,
  fit: target.fit ?? undefined,
  padColor: target.padColor ?? undefined,
  focalPoint: target.focalPoint ?? undefined,
  platformSpecificData: target.platformSpecificData,
  scheduledFor: at ?? undefined,
});

interface Outcome {
  readonly post: ListedPost;
}

interface Hooks<Reply extends Outcome> {
  readonly send: (move: Move) => Promise<Reply>;
  readonly onDone: (move: Move, reply: Reply) => void;
  readonly onFailed: (move: Move, error: unknown) => void;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** A post as it is shown instead of what the list says. */
interface Shown {
  readonly post: ListedPost;
  /** The time until which it counts whatever the list says; `undefined` while the service has not answered. */
  readonly until: number | undefined;
}

/** Lists may be this much behind. */
const listDelayMs = 20_000;

/**
 * Moves posts: each is shown at its new time at once, and back at its old one if the service refuses. Moves of one post are sent one
 * after the other; those that follow each other quickly, such as from a key that is held down, are sent as one.
 */
export class Mover<Reply extends Outcome> {
  /** Posts by id. */
  readonly shown = createStore<ReadonlyMap<string, Shown>>(new Map());
  private readonly waiting = new Map<string, { move: Move; timer: ReturnType<typeof setTimeout> }>();
  /** The service's last answers, by id. */
  private readonly stored = new Map<string, ListedPost>();
  private readonly last = new Map<string, Promise<void>>();
  private readonly hooks: Hooks<Reply>;

  constructor(hooks: Hooks<Reply>) {
    this.hooks = hooks;
  }

  /** @param settleMs how long to wait for further moves of the post before it is sent */
  move(move: Move, settleMs = 0): void {
    const { id } = move.post;
    const before = this.waiting.get(id);
    if (before !== undefined) clearTimeout(before.timer);
    const continues = before !== undefined && before.move.to === move.from && sameTargets(before.move, move);
    if (before !== undefined && !continues) this.send(id);
    const joined = continues ? { ...before.move, to: move.to, remark: move.remark } : move;
    this.show(id, { post: moved(joined), until: undefined });
    this.waiting.set(id, { move: joined, timer: setTimeout(() => this.send(id), settleMs) });
  }

  /** Takes a move back, from wherever its post is by now. @param post as the service has answered to the move */
  undo(move: Move, post: ListedPost): void {
    const { id } = post;
    const shown = this.shown.get().get(id);
    const present = shown?.until === undefined ? shown?.post : undefined;
    this.move(undoing(move, present ?? this.stored.get(id) ?? post));
  }

  /** Sends what waits, such as when the page is left. */
  flush(): void {
    for (const id of [...this.waiting.keys()]) this.send(id);
  }

  /** The posts of a list with what was moved since it was read. Pure but for the clock. */
  overlay(posts: readonly ListedPost[], shown: ReadonlyMap<string, Shown>): readonly ListedPost[] {
    if (shown.size === 0) return posts;
    const now = this.hooks.now();
    const counts = ({ until, post }: Shown, listed?: ListedPost) =>
      until === undefined || (until > now && (listed === undefined || listed.updatedAt < post.updatedAt));
    const listed = new Set(posts.map(({ id }) => id));
    const missing = [...shown.values()].filter((each) => !listed.has(each.post.id) && counts(each));
    return [
      ...posts.map((post) => {
        const own = shown.get(post.id);
        return own !== undefined && counts(own, post) ? own.post : post;
      }),
      ...missing.map(({ post }) => post),
    ];
  }

  private send(id: string): void {
    const waiting = this.waiting.get(id);
    if (waiting === undefined) return;
    clearTimeout(waiting.timer);
    this.waiting.delete(id);
    const { move } = waiting;
    // Moved there and back: nothing changes.
    if (move.from === move.to) {
      this.show(id, undefined);
      return;
    }
    const sent: Promise<void> = (this.last.get(id) ?? Promise.resolve()).then(() =>
      this.settle(id, move, sent),
    );
    this.last.set(id, sent);
  }

  private async settle(id: string, move: Move, sent: Promise<void>): Promise<void> {
    const isLatest = () => this.last.get(id) === sent && !this.waiting.has(id);
    try {
      const reply = await this.hooks.send(move);
      this.stored.set(id, reply.post);
      if (isLatest()) this.show(id, { post: reply.post, until: this.hooks.now() + listDelayMs });
      this.hooks.onDone(move, reply);
    } catch (error) {
      if (isLatest()) this.show(id, undefined);
      this.hooks.onFailed(move, error);
    }
  }

  private show(id: string, shown: Shown | undefined): void {
    const next = new Map(this.shown.get());
    if (shown === undefined) next.delete(id);
    else next.set(id, shown);
    this.shown.set(next);
  }
}

const sameTargets = (one: Move, other: Move) => String(one.accountIds) === String(other.accountIds);
