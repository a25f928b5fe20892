import { toMediaItem, toRequestedItem } from '../../media/urls.ts';
import type { PostStatus } from '../../targets/state.ts';
import type { ChainStep } from '../request/schemas.ts';
import type { ChainStepView, StoredChainStep } from './schemas.ts';
import { stepOptions } from './step-post.ts';

/**
 * Converts steps to the API's form. A waiting step is shown as skipped while its post is failed. Like the post's status, this
 * follows from the targets, so nothing is written when the last target fails or one is retried.
 *
 * @param mediaBaseUrl the media host, without a final slash
 */
export function toChainView(
  chain: readonly StoredChainStep[],
  postStatus: PostStatus,
  mediaBaseUrl: string,
): ChainStepView[] {
  return chain.map((step) => {
    const { kind, status, postId, error, accountIds, afterMinutes, content, mediaItems = [] } = step;
    return {
      kind,
      status: status === 'waiting' && postStatus === 'failed' ? 'skipped' : status,
      postId: postId ?? null,
      error: error ?? null,
      accountIds,
      afterMinutes,
      content: content ?? null,
      mediaItems: mediaItems.map((item) => toMediaItem(mediaBaseUrl, item)),
      options: stepOptions(step),
    };
  });
}

/** Converts a stored step back to the form of the request. */
export function toChainStep(step: StoredChainStep, mediaBaseUrl: string): ChainStep {
  const { kind, accountIds, afterMinutes, content, mediaItems } = step;
  return {
    kind,
    accountIds,
    afterMinutes,
    options: stepOptions(step),
    ...(content !== undefined && { content }),
    ...(mediaItems && { mediaItems: mediaItems.map((item) => toRequestedItem(mediaBaseUrl, item)) }),
  };
}
