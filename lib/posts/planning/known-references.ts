import type { InvalidCode } from '../../kernel/error-codes.ts';
import type { MediaReference, RequestedReference } from '../../media/schemas.ts';
import type { PostWithTargets } from '../store.ts';

/**
 * The accounts and files that a stored post refers to already. If one of them has gone since, a change of something else must not be
 * refused because of it: that is a warning.
 */
export interface KnownReferences {
  /** Of the post's destinations. */
  readonly accountIds: ReadonlySet<string>;
  /** Of the steps of its chain. */
  readonly chainAccountIds: ReadonlySet<string>;
  /** Of the post, its destinations and its chain. */
  readonly mediaIds: ReadonlySet<string>;
}

/** Returns what a stored post refers to. Pure. */
export function knownReferences({ post, targets }: PostWithTargets): KnownReferences {
  const { chain = [] } = post;
  return {
    accountIds: new Set(targets.map(({ accountId }) => accountId)),
    chainAccountIds: new Set(chain.flatMap(({ accountIds }) => accountIds)),
    mediaIds: new Set(referencesOf({ post, targets }).map(({ mediaId }) => mediaId)),
  };
}

/** Returns the references of a post, its destinations and its chain to files. Pure. */
export function referencesOf({ post, targets }: PostWithTargets): MediaReference[] {
  return [
    ...post.mediaItems,
    ...(post.cover ? [post.cover] : []),
    ...targets.flatMap(({ mediaItems = [] }) => mediaItems),
    ...(post.chain ?? []).flatMap(({ mediaItems = [] }) => mediaItems),
  ];
}

/** Whether a problem says that a file is gone or cannot be used, and the stored post refers to that file already. */
export function isKnownLoss(
  { code }: { readonly code: InvalidCode },
  { mediaId }: Pick<RequestedReference, 'mediaId'>,
  known: KnownReferences | undefined,
): boolean {
  const isLoss = code === 'media_unknown' || code === 'media_unusable';
  return isLoss && known?.mediaIds.has(mediaId) === true;
}
