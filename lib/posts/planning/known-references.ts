import type { InvalidCode } from '../../kernel/error-codes.ts';
import type { MediaReference, RequestedReference } from '../../media/schemas.ts';
import type { PostWithTargets } from '../store.ts';

/**
 * The accounts and files to which a stored post already refers. If one of them is gone by now, this is only a warning: a change
 * of something else must not be refused because of it.
 */
export interface KnownReferences {
  /** The accounts of the post's destinations. */
  readonly accountIds: ReadonlySet<string>;
  /** The accounts of the steps of its chain. */
  readonly chainAccountIds: ReadonlySet<string>;
  /** The files of the post, its destinations and its chain. */
  readonly mediaIds: ReadonlySet<string>;
}

/** Returns the accounts and files to which a stored post refers. Pure. */
export function knownReferences({ post, targets }: PostWithTargets): KnownReferences {
  const { chain = [] } = post;
  return {
    accountIds: new Set(targets.map(({ accountId }) => accountId)),
    chainAccountIds: new Set(chain.flatMap(({ accountIds }) => accountIds)),
    mediaIds: new Set(referencesOf({ post, targets }).map(({ mediaId }) => mediaId)),
  };
}

/** Returns the file references of a post, its destinations and its chain. Pure. */
export function referencesOf({ post, targets }: PostWithTargets): MediaReference[] {
  return [
    ...post.mediaItems,
    ...(post.cover ? [post.cover] : []),
    ...targets.flatMap(({ mediaItems = [] }) => mediaItems),
    ...(post.chain ?? []).flatMap(({ mediaItems = [] }) => mediaItems),
  ];
}

/** True if a problem means that a file is gone or cannot be used, and the stored post already refers to that file. */
export function isKnownLoss(
  { code }: { readonly code: InvalidCode },
  { mediaId }: Pick<RequestedReference, 'mediaId'>,
  known: KnownReferences | undefined,
): boolean {
  const isLoss = code === 'media_unknown' || code === 'media_unusable';
  return isLoss && known?.mediaIds.has(mediaId) === true;
}
