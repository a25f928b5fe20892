import type { Context } from '../api-contract/context.ts';
import { calendarChanges } from '../calendar/entries.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { newId, sha256 } from '../kernel/ids.ts';
import type { Platform } from '../platforms/contract/names.ts';
import type { PlatformRules } from '../platforms/contract/rules.ts';
import { batchGet } from '../table/batch-get.ts';
import { idempotencyKey } from '../table/keys.ts';
import type { Refusal } from '../table/transaction.ts';
import { stepPosts } from './chain/step-post.ts';
import { commitPost } from './commit-post.ts';
import { fileUseItems } from './file-uses.ts';
import { planPostAndChain } from './planning/plan-chain.ts';
import { awaitAnotherSlot, isSlotLost, planInSlot } from './planning/plan-in-slot.ts';
import { checkShape, type PostDraft } from './request/check-shape.ts';
import { referenceKeys } from './request/references.ts';
import type { CreatePostBody } from './request/schemas.ts';
import { findPost, idempotencyDays, insertPostItems, type PostWithTargets } from './store.ts';

export interface PostsContext extends Context {
  /** The media host, without a final slash: only its addresses may be posted. */
  readonly mediaBaseUrl: string;
  readonly rulesFor: (platform: Platform) => PlatformRules | undefined;
  /** Takes the place of {@link newId} where chance is not the system's. */
  readonly newId?: (now: number) => string;
}

export interface CreatedPost extends PostWithTargets {
  /** The post stood already: the idempotency key was used before. */
  readonly replayed: boolean;
}

/** How a client says that a repeated request is the same one. */
export interface Idempotency {
  readonly idempotencyKey?: string | undefined;
  /** Proxies repeat it over different requests, so it counts only together with an equal body. */
  readonly requestId?: string | undefined;
  readonly rawBody: string;
}

/**
 * Creates a post: a draft, or scheduled. Two requests to the table, whatever the number of targets: one reads all that
 * the post refers to, one writes all of it or nothing. One that asks for a slot reads its channels' calendars beside.
 *
 * @throws HeraldError `invalid`, naming the first wrong field and listing all
 */
export async function createPost(
  context: PostsContext,
  body: CreatePostBody,
  idempotency: Idempotency,
): Promise<CreatedPost> {
  const draft = await checkShape(body, context);
  const digest = idempotencyDigest(body.idempotencyKey, idempotency);
  const { found, replayedPostId } = await readReferences(context, draft, digest);
  if (replayedPostId) return replay(context, replayedPostId);

  const plan = {
    ...context,
    id: (context.newId ?? newId)(context.now),
    createdAt: toTimestamp(context.now),
    idempotencyDigest: digest,
  };
  const options = { applyRules: draft.isScheduled, checkTimes: true };
  const expiresAtSeconds = Math.floor(context.now / 1_000) + idempotencyDays * 86_400;
  for (let attempt = 1; ; attempt += 1) {
    const planned = await planInSlot(context, draft, (post) => planPostAndChain(post, found, plan, options));
    if (planned) {
      const { post, targets, claims } = planned;
      const items = insertPostItems(context.table, { post, targets }, expiresAtSeconds);
      const changes = calendarChanges(context.table, [], targets);
      const uses = fileUseItems({ post, targets });
      const outcome = await commitPost(context.table, context.now, items, changes, { uses, claims });
      if (outcome.committed) return { post, targets, replayed: false };
      if (!isSlotLost(outcome, items)) return replay(context, winnerOf(outcome, post.id));
    }
    await awaitAnotherSlot(context.table, attempt);
  }
}

/** The post that has the idempotency key. */
function winnerOf({ failedIndex, oldItem }: Refusal, postId: string): string {
  const winner = oldItem?.['postId'];
  if (winner === undefined)
    throw new Error(`post ${postId} was not written: condition ${failedIndex} failed`);
  return String(winner);
}

function idempotencyDigest(
  fromBody: string | undefined,
  { idempotencyKey: fromHeader, requestId, rawBody }: Idempotency,
) {
  const clientKey = fromBody ?? fromHeader;
  if (clientKey !== undefined) return sha256(`key:${clientKey}`);
  if (requestId !== undefined) return sha256(`request:${sha256(requestId)}:${sha256(rawBody)}`);
  return undefined;
}

/** Everything the request refers to, in one read. */
export async function readReferences(context: PostsContext, draft: PostDraft, digest: string | undefined) {
  const { workspaceId } = context;
  const recordKey = digest === undefined ? undefined : idempotencyKey(workspaceId, digest);
  const found = await batchGet(context.table, [
    ...(recordKey ? [recordKey] : []),
    ...[draft, ...stepPosts(draft)].flatMap((post) => referenceKeys(workspaceId, post)),
  ]);
  const record = recordKey && found.get(recordKey);
  const isAlive = record && Number(record['expiresAtSeconds']) * 1_000 > context.now;
  return { found, replayedPostId: isAlive ? String(record['postId']) : undefined };
}

async function replay(context: PostsContext, postId: string): Promise<CreatedPost> {
  const existing = await findPost(context.table, context.workspaceId, postId);
  if (!existing) throw new Error(`idempotency record points to post ${postId}, which is gone`);
  return { ...existing, replayed: true };
}
