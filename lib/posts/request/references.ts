import { accountKey, type Key, mediaKey } from '../../table/keys.ts';
import type { PostDraft } from './check-shape.ts';

/** The keys of everything that a post refers to: accounts and files. Its chain's posts refer to theirs themselves. */
export function referenceKeys(workspaceId: string, draft: PostDraft): Key[] {
  const files = [
    ...draft.mediaItems,
    ...(draft.cover ? [draft.cover] : []),
    ...draft.destinations.flatMap(({ customMedia = [] }) => customMedia),
  ];
  return [
    ...draft.destinations.map(({ entry }) => accountKey(workspaceId, entry.accountId)),
    ...files.map(({ mediaId }) => mediaKey(workspaceId, mediaId)),
  ];
}
