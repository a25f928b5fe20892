import { publicUrl, toMediaItem } from '../media/urls.ts';
import { toErrorDetail } from '../targets/problem.ts';
import { summarise, type Target, type TargetSummary } from '../targets/schemas.ts';
import { toChainView } from './chain/view.ts';
import type { PlanProblem } from './planning/problems.ts';
import type { Post, PostFinding, PostTarget, PostView } from './schemas.ts';
import { postStatus } from './state.ts';

/**
 * Converts a post to the form that the API shows.
 *
 * @param mediaBaseUrl the media host, without a final slash
 * @param targets the post's targets if they were read; otherwise the summary on the post is used
 */
export function toPostView(post: Post, mediaBaseUrl: string, targets?: readonly Target[]): PostView {
  const summaries = targets ? byPosition(targets).map(summarise) : post.targets;
  const status = targets ? postStatus(summaries.map((target) => target.status)) : post.status;
  return {
    _id: post.id,
    id: post.id,
    content: post.content,
    status,
    scheduledFor: post.scheduledFor ?? null,
    timezone: post.timezone,
    onQuota: post.onQuota ?? 'wait',
    createdAt: post.createdAt,
    updatedAt: post.updatedAt,
    mediaItems: post.mediaItems.map((item) => toMediaItem(mediaBaseUrl, item)),
    coverUrl: post.cover ? publicUrl(mediaBaseUrl, post.cover.objectKey) : null,
    platforms: summaries.map(toPostTarget),
    chain: toChainView(post.chain ?? [], status),
    parentPostId: post.parentPostId ?? null,
  };
}

/** Converts a problem or a warning to the form that the API shows. */
export function toFindingView(finding: PlanProblem): PostFinding {
  return { accountId: null, platform: null, ...finding };
}

export function byPosition(targets: readonly Target[]): Target[] {
  return targets.toSorted((left, right) => left.position - right.position);
}

function toPostTarget(target: TargetSummary): PostTarget {
  return {
    platform: target.platform,
    accountId: target.accountId,
    status: target.status,
    scheduledFor: target.scheduledFor ?? null,
    platformPostId: target.platformPostId ?? null,
    permalink: target.permalink ?? null,
    error: target.error ?? null,
    errorDetail: toErrorDetail(target),
    publishedAt: target.publishedAt ?? null,
  };
}
