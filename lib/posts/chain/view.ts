import { toMediaItem } from '../../media/urls.ts';
import type { PostStatus } from '../../targets/state.ts';
import type { ChainStep } from '../request/schemas.ts';
import type { ChainStepView, StoredChainStep } from './schemas.ts';
import { stepOptions } from './step-post.ts';

/**
 * The steps as the API shows them. A step that waits is skipped for as long as its post has failed: like the post's
 * status this follows from the targets, so that nothing has to be written when the last one fails or one is retried.
 */
export function toChainView(chain: readonly StoredChainStep[], postStatus: PostStatus): ChainStepView[] {
  return chain.map(({ kind, status, postId, error }) => ({
    kind,
    status: status === 'waiting' && postStatus === 'failed' ? 'skipped' : status,
    postId: postId ?? null,
    error: error ?? null,
  }));
}

/** A step as the request named it. */
export function toChainStep(step: StoredChainStep, mediaBaseUrl: string): ChainStep {
  const { kind, accountIds, afterMinutes, content, mediaItems } = step;
  return {
    kind,
    accountIds,
    afterMinutes,
    options: stepOptions(step),
    ...(content !== undefined && { content }),
    ...(mediaItems && { mediaItems: mediaItems.map((item) => toMediaItem(mediaBaseUrl, item)) }),
  };
}
