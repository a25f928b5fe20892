import { publicUrl, toMediaItem } from '../media/urls.ts';
import { toErrorDetail } from '../targets/problem.ts';
import { summarise, type Target, type TargetSummary } from '../targets/schemas.ts';
import { toTiming } from '../targets/timing.ts';
import { toChainView } from './chain/view.ts';
import { metadataOf } from './metadata.ts';
import type { PlanProblem } from './planning/problems.ts';
import type { ListedPostTarget, ListedPostView, Post, PostFinding, PostTarget, PostView } from './schemas.ts';
import { postStatus } from './state.ts';

/**
 * Converts a post to the API's form.
 *
 * @param mediaBaseUrl the media host, without a final slash
 * @param targets the post's targets
 */
export function toPostView(post: Post, mediaBaseUrl: string, targets: readonly Target[]): PostView {
  const status = postStatus(targets.map((target) => target.status));
  return {
    ...toListedPostView({ ...post, status, targets: [] }, mediaBaseUrl),
    platforms: byPosition(targets).map((target) => toPostTarget(target, mediaBaseUrl)),
  };
}

/**
 * Converts a post to the form of lists and events: with the summary of its targets in its own item, and the status of its last
 * roll-up.
 *
 * @param mediaBaseUrl the media host, without a final slash
 */
export function toListedPostView(post: Post, mediaBaseUrl: string): ListedPostView {
  const { status } = post;
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
    platforms: post.targets.map(toListedTarget),
    chain: toChainView(post.chain ?? [], status, mediaBaseUrl),
    parentPostId: post.parentPostId ?? null,
    metadata: metadataOf(post),
    externalId: post.externalId ?? null,
    externalIdUnique: post.externalIdUnique ?? false,
  };
}

/** Converts a problem or a warning to the API's form. */
export function toFindingView(finding: PlanProblem): PostFinding {
  return { accountId: null, platform: null, ...finding };
}

export function byPosition(targets: readonly Target[]): Target[] {
  return targets.toSorted((left, right) => left.position - right.position);
}

function toPostTarget(target: Target, mediaBaseUrl: string): PostTarget {
  return {
    ...toListedTarget(summarise(target)),
    customContent: target.content ?? null,
    customMedia: target.mediaItems?.map((item) => toMediaItem(mediaBaseUrl, item)) ?? null,
    platformSpecificData: target.options,
  };
}

/** Converts the summary of a destination to the form of lists and events. */
export function toListedTarget(target: TargetSummary): ListedPostTarget {
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
    timing: toTiming(target),
  };
}
