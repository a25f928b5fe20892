import { toTimestamp } from '../kernel/clock.ts';
import { mediaUseKey } from '../table/keys.ts';
import type { PostWithTargets } from './store.ts';

/** Every file that a post, its destinations and its chain refer to, each once. */
export function filesOf({ post, targets }: PostWithTargets): Set<string> {
  const references = [
    ...post.mediaItems,
    ...(post.cover ? [post.cover] : []),
    ...targets.flatMap(({ mediaItems = [] }) => mediaItems),
    ...(post.chain ?? []).flatMap(({ mediaItems = [] }) => mediaItems),
  ];
  return new Set(references.map(({ mediaId }) => mediaId));
}

/**
 * The items by which a file finds the posts that refer to it, for those that the post did not refer to before. They are
 * never taken back: who asks what needs a file reads the posts themselves.
 */
export function fileUseItems(after: PostWithTargets, before?: PostWithTargets): Record<string, unknown>[] {
  const known = before ? filesOf(before) : new Set<string>();
  const { workspaceId, id } = after.post;
  return [...filesOf(after)]
    .filter((mediaId) => !known.has(mediaId))
    .map((mediaId) => ({ ...mediaUseKey(workspaceId, mediaId, id), kind: 'mediaUse', postId: id }));
}

/** The same items, written before the post is: they count as a use for a while, whatever the post says. */
export function fileUsesAhead(items: readonly Record<string, unknown>[], now: number) {
  return items.map((item) => ({ ...item, writtenAt: toTimestamp(now) }));
}
