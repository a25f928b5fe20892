import { type ListedPost, type ListedTarget, timeOf } from '../../posts/post.ts';
import { type Condition, conditionOfPost, type Known } from '../../posts/state.ts';

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

/**
 * Returns what goes out from now on, within 24 hours, by time, with what is late and still to go out. A post whose destinations have times
 * of their own has an entry for each. Pure.
 */
export function entriesOf(posts: readonly ListedPost[], known: Known): Entry[] {
  return posts
    .flatMap((post) => entriesOfPost(post, known))
    .filter(({ at, condition }) => {
      const until = Date.parse(at) - known.now;
      return until <= dayMs && (until >= 0 || toGoOut.includes(condition));
    })
    .sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

const toGoOut: readonly Condition[] = ['scheduled', 'waiting', 'atRisk', 'publishing'];

function entriesOfPost(post: ListedPost, known: Known): Entry[] {
  const byTime = Map.groupBy(post.platforms, (target) => timeOf(target, post));
  // A draft may have a time and no destination yet.
  if (post.platforms.length === 0) byTime.set(post.scheduledFor, []);
  return [...byTime].flatMap(([at, targets]) =>
    at === null
      ? []
      : [{ key: `${post.id} ${at}`, post, at, targets, condition: conditionOfPost(post, known, targets) }],
  );
}
