import { invalidFields } from '../kernel/errors.ts';
import { publicUrl, toRequestedItem } from '../media/urls.ts';
import { type CreatedPost, createPost, type Idempotency, type PostsContext } from './create.ts';
import { readPost } from './read.ts';
import { toChainStep, toEntry } from './request/from-stored.ts';
import type { CreatePostBody, DuplicatePostBody } from './request/schemas.ts';
import { metadataOf } from './stored/json-fields.ts';
import type { PostWithTargets } from './stored/store.ts';
import { type DryRun, dryRunPost } from './validate.ts';
import { byPosition } from './view/to-view.ts';

/**
 * Creates a copy of a post, as if a client had sent its fields again, so all checks of a new post apply. The copy has no times
 * except those of the request, all steps of the chain wait again, and it has no external id, which names one post.
 *
 * @throws HeraldError `not_found`; `invalid`, also if a file or an account of the post is gone; and as {@link createPost}
 */
export async function duplicatePost(
  context: PostsContext,
  postId: string,
  body: DuplicatePostBody,
  idempotency: Idempotency,
): Promise<CreatedPost> {
  const { copy, ...copying } = await readCopy(context, postId, body);
  // The body alone does not identify the copied post.
  const rawBody = JSON.stringify({ ...JSON.parse(idempotency.rawBody || '{}'), duplicateOf: postId });
  return createPost({ ...context, ...copying }, copy, { ...idempotency, rawBody });
}

/** Returns what {@link duplicatePost} would do. @throws HeraldError as {@link duplicatePost} */
export async function dryRunDuplicate(
  context: PostsContext,
  postId: string,
  body: DuplicatePostBody,
): Promise<DryRun> {
  const { copy, ...copying } = await readCopy(context, postId, body);
  return dryRunPost({ ...context, ...copying }, copy);
}

/** Reads a post, and returns the request that would create its copy. A draft's copy lacks what the draft lacks. */
async function readCopy(context: PostsContext, postId: string, body: DuplicatePostBody) {
  const source = await readPost(context, postId);
  const unbuilt = [...(source.post.unbuilt ?? []), ...(context.unbuilt ?? [])];
  const { tagIds } = source.post;
  return { copy: copyOf(source, body, context.mediaBaseUrl), unbuilt, tagIds };
}

function copyOf(
  { post, targets }: PostWithTargets,
  { accountIds, timezone = post.timezone, ...chosen }: DuplicatePostBody,
  mediaBaseUrl: string,
): CreatePostBody {
  const unknown = (accountIds ?? []).flatMap((id, index) =>
    targets.some(({ accountId }) => accountId === id) ? [] : [index],
  );
  if (unknown.length > 0)
    throw invalidFields(
      unknown.map((index) => ({
        field: `accountIds[${index}]`,
        message: 'is not a destination of the post',
      })),
    );
  const copied = byPosition(targets).filter(({ accountId }) => accountIds?.includes(accountId) ?? true);
  return {
    content: post.content,
    mediaItems: post.mediaItems.map((item) => toRequestedItem(mediaBaseUrl, item)),
    platforms: copied.map((target) => toEntry(target, mediaBaseUrl)),
    timezone,
    onQuota: post.onQuota,
    chain: (post.chain ?? []).map((step) => toChainStep(step, mediaBaseUrl)),
    metadata: metadataOf(post),
    ...(post.cover && { coverUrl: publicUrl(mediaBaseUrl, post.cover.objectKey) }),
    // A draft may have no destinations; its copy is a draft too, unless the request gives a time.
    ...(copied.length === 0 && !chosen.publishNow && { isDraft: true }),
    ...chosen,
  };
}
