import type { Account } from '../../accounts/account.ts';
import type { Movable } from '../../posts/moves.tsx';
import { type ListedPost, type ListedTarget, timeOf } from '../../posts/post.ts';
import { type Condition, conditionOfPost, type Known } from '../../posts/state.ts';

/** A card of the calendar: the destinations of a post that go out at the same time. */
export interface Entry {
  /** Made of the post and the time. */
  readonly key: string;
  readonly post: ListedPost;
  /** ISO 8601. */
  readonly at: string;
  readonly targets: readonly ListedTarget[];
  readonly condition: Condition;
  /** True if other destinations of the post have other times. */
  readonly isPart: boolean;
}

/** Returns what moves with an entry: all of the post, or the destinations that have its time. */
export const moveOf = ({ post, at, isPart, targets }: Entry): Movable => ({
  post,
  at,
  accountIds: isPart ? targets.map(({ accountId }) => accountId) : undefined,
});

/** The filters of the calendar. */
export interface Filters {
  readonly account?: string | undefined;
  readonly platform?: Account['platform'] | undefined;
  readonly status?: Condition | 'attention' | undefined;
  readonly tag?: string | undefined;
}

/** The cards of a post: one for each time that its destinations have; none without a time. Pure. */
export function entriesOf(post: ListedPost, known?: Known): Entry[] {
  const byTime = new Map<string, ListedTarget[]>();
  for (const target of post.platforms) {
    const at = timeOf(target, post);
    if (at !== null) byTime.set(at, [...(byTime.get(at) ?? []), target]);
  }
  // A draft may have a time, and no destination yet.
  if (post.platforms.length === 0 && post.scheduledFor !== null) byTime.set(post.scheduledFor, []);
  const isPart = byTime.size > 1;
  return [...byTime].map(([at, targets]) => ({
    key: keyOf(post.id, at),
    post,
    at,
    targets,
    condition: conditionOfPost(post, known, targets),
    isPart,
  }));
}

export const keyOf = (postId: string, at: string): string => `${postId}@${at}`;

const needsPerson: readonly Condition[] = ['failed', 'partial', 'unknown'];

/** Returns true if a card passes: one destination has the account and the platform, the card has the state, and the post the tag. */
export function passes(
  { targets, condition: shown, post: { tags } }: Entry,
  { account, platform, status, tag }: Filters,
): boolean {
  const isScheduled = status === 'scheduled' && shown === 'atRisk';
  if (status === 'attention' ? !needsPerson.includes(shown) : status && status !== shown && !isScheduled)
    return false;
  if (tag !== undefined && !tags?.includes(tag)) return false;
  if (account === undefined && platform === undefined) return true;
  return targets.some(
    (target) =>
      (account === undefined || target.accountId === account) &&
      (platform === undefined || target.platform === platform),
  );
}

/** The time around its due time in which a post changes within seconds. */
const nearMs = 120_000;

/** Returns true if a post is about to go out, or is on its way. */
export const isNearDue = ({ at, condition }: Entry, now: number): boolean =>
  condition === 'publishing' ||
  (['scheduled', 'waiting', 'atRisk'].includes(condition) && Math.abs(Date.parse(at) - now) < nearMs);

const quarterMs = 15 * 60_000;

/** The next quarter of an hour after a time at which no card is, for a copy: two posts at the same minute are hardly ever meant. Pure. */
export function freeTimeAfter(at: string, entries: readonly Entry[]): string {
  const taken = new Set(entries.map((entry) => Date.parse(entry.at)));
  let next = (Math.floor(Date.parse(at) / quarterMs) + 1) * quarterMs;
  while (taken.has(next)) next += quarterMs;
  return new Date(next).toISOString();
}
