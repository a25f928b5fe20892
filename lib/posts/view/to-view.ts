import { FreeForm } from '../../api-contract/fields.ts';
import type { StoredAdaptation } from '../../media/renditions/stored-adaptation.ts';
import type { MediaItem, MediaReference, RequestedMediaItem } from '../../media/schemas.ts';
import { publicUrl, renditionObjectKeyFor, toMediaItem } from '../../media/urls.ts';
import type { LinkCard } from '../../platforms/contract/link-card.ts';
import type { Platform } from '../../platforms/contract/names.ts';
import { removalWay } from '../../platforms/registry/removals.ts';
import { noTagsYet, type TagsOf, tagsOf } from '../../tags/workspace-tags.ts';
import { toErrorDetail } from '../../targets/problem.ts';
import type { Removal } from '../../targets/removal.ts';
import { toRisk } from '../../targets/risk.ts';
import { summarise, type Target, type TargetSummary } from '../../targets/schemas.ts';
import { isLive, type PostStatus } from '../../targets/state.ts';
import type { LivePart } from '../../targets/thread.ts';
import { toTiming } from '../../targets/timing.ts';
import type { StoredChainStep } from '../stored/chain-schemas.ts';
import { metadataOf, stepOptions } from '../stored/json-fields.ts';
import type { Post } from '../stored/schemas.ts';
import { isEditable, postStatus } from '../stored/state.ts';
import type { PostWithTargets } from '../stored/store.ts';
import type {
  ChainStepView,
  ListedPostTarget,
  ListedPostView,
  PostAdaptation,
  PostFinding,
  PostLinkCard,
  PostTarget,
  PostView,
} from './schemas.ts';

/** Finds no tags, for posts that have none. */
const withoutTags = tagsOf(noTagsYet);

/**
 * Converts a post to the API's form.
 *
 * @param mediaBaseUrl the media host, without a final slash
 * @param targets the post's targets
 * @param tags finds the names of its tags
 */
export function toPostView(
  post: Post,
  mediaBaseUrl: string,
  targets: readonly Target[],
  tags: TagsOf = withoutTags,
): PostView {
  const status = postStatus(targets.map((target) => target.status));
  return {
    ...toListedPostView({ ...post, status, targets: [] }, mediaBaseUrl, tags),
    atRisk: isAtRisk(targets.map(summarise)),
    platforms: byPosition(targets).map((target) => toPostTarget(target, mediaBaseUrl)),
    editable: targets.every(isEditable),
  };
}

/**
 * Converts a post to the form of lists and events: with the summary of its targets in its own item, and the status of its last
 * roll-up.
 *
 * @param mediaBaseUrl the media host, without a final slash
 * @param tags finds the names of its tags
 */
export function toListedPostView(
  post: Post,
  mediaBaseUrl: string,
  tags: TagsOf = withoutTags,
): ListedPostView {
  const { status } = post;
  return {
    _id: post.id,
    id: post.id,
    content: post.content,
    status,
    atRisk: isAtRisk(post.targets),
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
    tags: tags(post),
    metadata: metadataOf(post),
    externalId: post.externalId ?? null,
    externalIdUnique: post.externalIdUnique ?? false,
    approval: toApproval(post),
  };
}

function toApproval({ approval, version }: Post): ListedPostView['approval'] {
  if (approval === undefined) return null;
  const { decidedAt = null, decidedBy = null, note = null } = approval;
  return { ...approval, version, decidedAt, decidedBy, note };
}

/**
 * Converts steps to the API's form. A waiting step is shown as skipped while its post is failed. Like the post's status, this
 * follows from the targets, so nothing is written when the last target fails or one is retried.
 *
 * @param mediaBaseUrl the media host, without a final slash
 */
function toChainView(
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

/** A post after a request to create it. */
interface Created extends PostWithTargets {
  /** True if an earlier request with the same idempotency key created it. */
  readonly replayed: boolean;
  /** True if that request had another body. */
  readonly isMismatch: boolean;
  readonly warnings: readonly Finding[];
}

/**
 * Returns the status and body of the response to a request that creates a post.
 *
 * @param mediaBaseUrl the media host, without a final slash
 */
export function toCreatedReply(
  { post, targets, replayed, isMismatch, warnings }: Created,
  mediaBaseUrl: string,
  tags: TagsOf,
) {
  const shown = toPostView(post, mediaBaseUrl, targets, tags);
  return replayed
    ? { status: 200, body: { existingPost: shown, post: shown, idempotencyMismatch: isMismatch } }
    : { status: 201, body: { post: shown, warnings: warnings.map(toFindingView) } };
}

/** The outcome that a request would have. */
interface Foreseen extends PostWithTargets {
  /** Finds the names of its tags, also of those that the request would create. */
  readonly tags: TagsOf;
  readonly problems: readonly Finding[];
  readonly warnings: readonly Finding[];
}

/**
 * Returns the status and body of the response to a request with `dryRun`.
 *
 * @param mediaBaseUrl the media host, without a final slash
 */
export function toDryRunReply({ post, targets, problems, warnings, tags }: Foreseen, mediaBaseUrl: string) {
  return {
    status: 200,
    body: {
      dryRun: true,
      valid: problems.length === 0,
      problems: problems.map(toFindingView),
      warnings: warnings.map(toFindingView),
      post: toPostView(post, mediaBaseUrl, targets, tags),
    },
  };
}

/** A finding of the checks. Without an account and a platform, it concerns the whole post. */
type Finding = Pick<PostFinding, 'field' | 'code' | 'message'> &
  Partial<Pick<PostFinding, 'accountId' | 'platform'>>;

/** Converts a problem or a warning to the API's form. */
export function toFindingView(finding: Finding): PostFinding {
  return { accountId: null, platform: null, ...finding };
}

export function byPosition(targets: readonly Target[]): Target[] {
  return targets.toSorted((left, right) => left.position - right.position);
}

function toPostTarget(target: Target, mediaBaseUrl: string): PostTarget {
  const { workspaceId, status, adaptations = [] } = target;
  const urlOf = ({ mediaId, renditionId, contentType }: StoredAdaptation) =>
    publicUrl(mediaBaseUrl, renditionObjectKeyFor({ workspaceId, mediaId, id: renditionId }, contentType));
  return {
    ...toListedTarget(summarise(target)),
    customContent: target.content ?? null,
    customMedia: target.mediaItems?.map((item) => toMediaItem(mediaBaseUrl, item)) ?? null,
    fit: target.fit ?? null,
    padColor: target.padColor ?? null,
    focalPoint: target.focalPoint ?? null,
    adaptations: adaptations.map((adaptation) =>
      toAdaptation(adaptation, status === 'draft' ? null : urlOf(adaptation)),
    ),
    linkCard: target.card ? toLinkCard(target.card) : null,
    platformSpecificData: optionsOf(target, (item) => toMediaItem(mediaBaseUrl, item)),
    takeDown: isLive(status) && target.removedAt === undefined ? toTakeDown(target) : null,
  };
}

function toTakeDown({ platform, options }: Target): NonNullable<PostTarget['takeDown']> {
  const way = removalWay(platform, options);
  return way.by === 'service'
    ? { by: 'service', feature: way.feature, reason: null }
    : { by: 'person', feature: null, reason: way.why };
}

/**
 * Returns the options of a target as in its request: with its thread, which is stored apart from them because of its files.
 *
 * @param toItem converts a file
 */
export function optionsOf(
  { options, thread }: Target,
  toItem: (reference: MediaReference) => MediaItem | RequestedMediaItem,
): Target['options'] {
  if (!thread) return options;
  const parts = thread.map(({ content, mediaItems }) => ({ content, mediaItems: mediaItems.map(toItem) }));
  return FreeForm.parse({ ...options, thread: parts });
}

const toLinkCard = ({ url, title, description, imageUrl }: LinkCard) => ({
  url,
  title,
  description: description ?? null,
  imageUrl: imageUrl ?? null,
});

/** Converts a card of a post that is not stored to the API's form. */
export const toLinkCardView = ({ accountId, platform, ...card }: PlannedLinkCard): PostLinkCard => ({
  accountId,
  platform,
  ...toLinkCard(card),
});

interface PlannedLinkCard extends LinkCard {
  readonly accountId: string;
  readonly platform: Platform;
}

function toAdaptation(
  { field, changes, message, contentType, width, height }: StoredAdaptation,
  url: string | null,
) {
  return { field, changes, message, contentType, width: width ?? null, height: height ?? null, url };
}

/** Converts an adaptation of a post that is not stored to the API's form. */
export function toAdaptationView({
  accountId,
  platform,
  ...adaptation
}: StoredAdaptation & { readonly accountId: string; readonly platform: Platform }): PostAdaptation {
  return { accountId, platform, ...toAdaptation(adaptation, null) };
}

const toThreadPart = (
  { platformPostId, permalink, publishedAt }: LivePart,
  { gone = [] }: Partial<Removal>,
) => ({
  platformPostId: platformPostId ?? null,
  permalink: permalink ?? null,
  publishedAt,
  isRemoved: platformPostId !== undefined && gone.includes(platformPostId),
});

const toRemoval = (removal: Removal) => ({
  state: removal.state,
  by: removal.by,
  requestedAt: removal.requestedAt ?? null,
  error: removal.error ?? null,
  errorDetail: toErrorDetail(removal),
});

/** True if checks have found a risk for one of a post's targets. */
export const isAtRisk = (targets: readonly Pick<TargetSummary, 'risk'>[]): boolean =>
  targets.some(({ risk }) => risk !== undefined);

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
    risk: toRisk(target.risk),
    publishedAt: target.publishedAt ?? null,
    removedAt: target.removedAt ?? null,
    removal: target.removal ? toRemoval(target.removal) : null,
    threadParts: (target.parts ?? []).map((part) => toThreadPart(part, target.removal ?? {})),
    timing: toTiming(target),
  };
}
