import {
  type Condition,
  conditionOfTarget,
  type ListedPost,
  type ListedTarget,
  timeOf,
} from '../../posts/post.ts';

/** The destinations of a post that share a time. */
export interface Entry {
  readonly key: string;
  readonly post: ListedPost;
  /** ISO 8601. */
  readonly at: string;
  readonly targets: readonly ListedTarget[];
  readonly condition: Condition;
}

const dayMs = 86_400_000;
const shownAfterMs = 15 * 60_000;

/**
 * Returns what goes out within 24 hours, what has just gone out and what is late, by time. A post whose destinations have times of their
 * own has an entry for each. Pure.
 *
 * @param now epoch milliseconds
 */
export function entriesOf(posts: readonly ListedPost[], now: number): Entry[] {
  return posts
    .flatMap((post) => entriesOfPost(post))
    .filter(({ at, condition }) => {
      const until = Date.parse(at) - now;
      if (until > dayMs) return false;
      return until >= -shownAfterMs || ['scheduled', 'waiting', 'atRisk', 'publishing'].includes(condition);
    })
    .sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

function entriesOfPost(post: ListedPost): Entry[] {
  const byTime = Map.groupBy(post.platforms, (target) => timeOf(target, post));
  // A draft may have a time and no destination yet.
  if (post.platforms.length === 0) byTime.set(post.scheduledFor, []);
  return [...byTime].flatMap(([at, targets]) =>
    at === null ? [] : [{ key: `${post.id} ${at}`, post, at, targets, condition: conditionOfAll(targets) }],
  );
}

const mostUrgentFirst: readonly Condition[] = [
  'unknown',
  'failed',
  'partial',
  'atRisk',
  'waiting',
  'publishing',
  'scheduled',
];

function conditionOfAll(targets: readonly ListedTarget[]): Condition {
  const all = targets.map(conditionOfTarget);
  const [first = 'draft'] = all;
  return all.every((each) => each === first)
    ? first
    : (mostUrgentFirst.find((each) => all.includes(each)) ?? first);
}
