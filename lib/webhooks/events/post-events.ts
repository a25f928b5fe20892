import { derivedTimeId } from '../../kernel/ids.ts';
import { Post } from '../../posts/stored/schemas.ts';
import { toListedPostView, toListedTarget } from '../../posts/view/to-view.ts';
import type { ItemChange } from '../../table/stream.ts';
import type { TargetSummary } from '../../targets/schemas.ts';
import { isSettled } from '../../targets/state.ts';
import type { WebhookEventType } from '../schemas.ts';
import type { EventDraft } from './event-draft.ts';

/**
 * Returns the events that a change of a post causes: first those of its targets, then those of the whole post. The results
 * of the targets are read from the copies on the post, so that no event says more than `GET /v1/posts/{id}`. Pure.
 *
 * @param mediaBaseUrl the media host, without a final slash
 * @throws if an item cannot be read
 */
export function postEvents({ before, after }: ItemChange, mediaBaseUrl: string): EventDraft[] {
  if (after === undefined || after['status'] === 'draft') return [];
  const post = Post.parse(after);
  const earlier = before && Post.parse(before);
  const atMs = Date.parse(post.updatedAt);
  const { workspaceId, id: postId } = post;
  const view = toListedPostView(post, mediaBaseUrl);
  const { externalId, metadata } = view;
  // Every write raises the post's version, so two results within one millisecond are still two events.
  const idOf = (...parts: readonly string[]) =>
    derivedTimeId(atMs, ...parts, workspaceId, postId, String(post.version));
  const ofTargets = newResults(post, earlier).map((target): EventDraft => {
    const { accountId, status } = target;
    return {
      id: idOf('target', accountId),
      workspaceId,
      type: status === 'failed' ? 'post.target.failed' : 'post.target.published',
      atMs,
      accountIds: [accountId],
      data: { postId, externalId, metadata, target: toListedTarget(target) },
    };
  });
  const ofPost = typesOf(post, earlier).map((type): EventDraft => {
    const accountIds = post.targets.map(({ accountId }) => accountId);
    return { id: idOf(idNames[type]), workspaceId, type, atMs, accountIds, data: { post: view } };
  });
  return [...ofTargets, ...ofPost];
}

type TypeOfPost = Extract<
  WebhookEventType,
  'post.scheduled' | 'post.published' | 'post.partial' | 'post.failed'
>;

/** The names from which ids are derived. One change causes at most one of the events with the same name here. */
const idNames: Readonly<Record<TypeOfPost, string>> = {
  'post.scheduled': 'scheduled',
  'post.published': 'post',
  'post.failed': 'post',
  'post.partial': 'partial',
};

/**
 * Returns the types of events that a change of the whole post causes. A post is scheduled if it has a time and waits for it. This
 * is announced again if the time changes, but not if a failed post is retried. A post has a result once all its targets have one;
 * the result is announced again if a retry changes it.
 */
function typesOf(post: Post, earlier: Post | undefined): TypeOfPost[] {
  if (post.status === 'scheduled') {
    const isNew = earlier === undefined || earlier.status === 'draft';
    const isMoved = earlier?.status === 'scheduled' && earlier.scheduledFor !== post.scheduledFor;
    return isNew || isMoved ? ['post.scheduled'] : [];
  }
  const { settledResult, status } = post;
  if (settledResult === undefined || settledResult === earlier?.settledResult) return [];
  if (status === 'failed') return ['post.failed'];
  return status === 'partial' ? ['post.published', 'post.partial'] : ['post.published'];
}

/** Returns the targets that are live or have failed, and had another status before. */
function newResults({ targets }: Post, earlier: Post | undefined): TargetSummary[] {
  const statuses = new Map(earlier?.targets.map(({ accountId, status }) => [accountId, status]));
  return targets.filter(({ accountId, status }) => isSettled(status) && status !== statuses.get(accountId));
}
