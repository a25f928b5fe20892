import type { Account } from '../../accounts/schemas.ts';
import type { RequestedReference } from '../../media/schemas.ts';
import type { PublishableContent } from '../../platforms/contract/rules.ts';
import type { Destination, PostDraft } from '../request/check-shape.ts';
import { describedFile, type MediaLookup } from './problems.ts';

/** Returns what a destination is to publish: its own content and files, or else the post's. */
export function effectiveContent(
  draft: PostDraft,
  { entry, customMedia, thread }: Destination,
  lookup: MediaLookup,
  { platformAccountId, meta, scopes }: Account,
): PublishableContent {
  const describe = (reference: RequestedReference) => describedFile(reference, lookup);
  return {
    content: entry.customContent ?? draft.body.content,
    media: (customMedia ?? draft.mediaItems).map(describe),
    ...(draft.cover && { cover: describe(draft.cover) }),
    options: entry.platformSpecificData ?? {},
    ...(thread && {
      thread: thread.map(({ content, mediaItems }) => ({ content, media: mediaItems.map(describe) })),
    }),
    account: { platformAccountId, meta, scopes },
  };
}
