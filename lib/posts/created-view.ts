import type { CreatedPost } from './create.ts';
import { toFindingView, toPostView } from './view.ts';

/**
 * Returns the status and body of the response to a request that creates a post.
 *
 * @param mediaBaseUrl the media host, without a final slash
 */
export function toCreatedReply(
  { post, targets, replayed, isMismatch, warnings }: CreatedPost,
  mediaBaseUrl: string,
) {
  const shown = toPostView(post, mediaBaseUrl, targets);
  return replayed
    ? { status: 200, body: { existingPost: shown, post: shown, idempotencyMismatch: isMismatch } }
    : { status: 201, body: { post: shown, warnings: warnings.map(toFindingView) } };
}
