import type { listPostsOperation, readPostOperation } from '../../posts/operations.ts';
import type { ReplyOf } from '../api/operation-types.ts';

/** A post as lists have it: without what its destinations have of their own. */
export type ListedPost = ReplyOf<typeof listPostsOperation>['posts'][number];
export type ListedTarget = ListedPost['platforms'][number];

/** A post as it is read alone. */
export type Post = ReplyOf<typeof readPostOperation>['post'];
export type Target = Post['platforms'][number];

/**
 * What a person has to know about a post or a destination. `waiting`: it is scheduled, and something keeps it back, such as a limit of
 * the platform. `unknown`: the platform gave no answer, so a person must look there before it is tried again.
 */
export type Condition =
  | 'draft'
  | 'scheduled'
  | 'waiting'
  | 'publishing'
  | 'published'
  | 'partial'
  | 'failed'
  | 'unknown';

/** The condition of a destination. */
export function conditionOfTarget({ status, errorDetail }: ListedTarget): Condition {
  if (status === 'failed' && errorDetail?.category === 'unknown') return 'unknown';
  return status === 'scheduled' && errorDetail !== null ? 'waiting' : status;
}

const mostUrgentFirst: readonly Condition[] = ['unknown', 'failed', 'partial', 'waiting'];

/** The condition of a post: its status, unless a destination needs a person more. */
export function conditionOfPost({ status, platforms }: ListedPost): Condition {
  const conditions = platforms.map(conditionOfTarget);
  const urgent = mostUrgentFirst.find((each) => conditions.includes(each));
  if (urgent === 'unknown' || (urgent === 'waiting' && status === 'scheduled')) return urgent;
  return status;
}

/** When the post goes out, or went; ISO 8601. A destination may have a time of its own. */
export const timeOf = (target: ListedTarget, post: ListedPost): string | null =>
  target.scheduledFor ?? post.scheduledFor;

/** The first words of a post, for lists, links and titles; `undefined` if it has none. */
export function excerptOf({ content }: Pick<ListedPost, 'content'>, mostCharacters = 80): string | undefined {
  const [line = ''] = content.trim().split(/\s*\n/);
  const characters = [...line];
  if (characters.length <= mostCharacters) return line || undefined;
  return `${characters.slice(0, mostCharacters).join('').trimEnd()}…`;
}
