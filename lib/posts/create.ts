import type { Actor } from '../access/actor.ts';
import { reasonAgainstBeyondDrafts } from '../access/may.ts';
import type { UnbuiltField } from '../api-contract/unbuilt-fields.ts';
import { auditPart } from '../audit/record.ts';
import type { PlainHttpHosts } from '../http-client/address-guard/public-url.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { HeraldError } from '../kernel/errors.ts';
import { newId, sha256 } from '../kernel/ids.ts';
import type { ReadPage } from '../link-cards/fetch.ts';
import type { StageFeatures } from '../platforms/contract/features.ts';
import type { RulesFor } from '../platforms/contract/rules.ts';
import type { Refusal } from '../table/transaction.ts';
import { approvalAfter } from './approval/approval-after.ts';
import { awaitAnotherSlot, type PlanningContext, planInSlot } from './planning/plan-in-slot.ts';
import type { PlanWarning } from './planning/problems.ts';
import { readCards } from './planning/read-cards.ts';
import { bodyDigestOf } from './request/body-digest.ts';
import { checkShape, type PostDraft } from './request/check-shape.ts';
import { type References, readReferences, usedBy } from './request/references.ts';
import { type CreatePostBody, maxCharacters } from './request/schemas.ts';
import { withSnippets } from './request/snippets.ts';
import { withTagIds } from './request/tags.ts';
import { commitPost } from './stored/commit-post.ts';
import { claimError, requireFreeExternalId } from './stored/external-ids.ts';
import { subjectOf } from './stored/schemas.ts';
import { findPost, idempotencyDays, insertPostItems, type PostWithTargets } from './stored/store.ts';
import { seesPost } from './stored/visible.ts';

export interface PostsContext extends PlanningContext {
  /** The media host, without a final slash. Files at other hosts are imported. */
  readonly mediaBaseUrl: string;
  /** Hosts of this machine from which files may be imported with plain http. Default: none. */
  readonly plainHttpHosts?: PlainHttpHosts;
  readonly rulesFor: RulesFor;
  /** The features that the operator has enabled. */
  readonly stageFeatures: StageFeatures;
  /** Reads the page of a link, for platforms that show it as a card. Default: no post has a card. */
  readonly readPage?: ReadPage;
  /** The fields of the request that are not built. Default: none. */
  readonly unbuilt?: readonly UnbuiltField[];
  /** The names of all fields in the request's body, also of those that are null. */
  readonly sentNames?: readonly string[];
  /** The tags of a post without `tags` in its request: those of the post that it copies or changes. Default: none. */
  readonly tagIds?: readonly number[] | undefined;
  /** Returns true if there is time to try another slot. Default: always. */
  readonly mayWait?: () => boolean;
  /** Replaces {@link newId} in tests, to make ids deterministic. */
  readonly newId?: (now: number) => string;
}

export interface CreatedPost extends PostWithTargets {
  /** True if the post already existed, because the idempotency key was used before. */
  readonly replayed: boolean;
  /** True if the key was first used with another body. False for records of earlier releases, which do not have its digest. */
  readonly isMismatch: boolean;
  /** The warnings about the stored post. Empty for a replay, and for a draft. */
  readonly warnings: readonly PlanWarning[];
}

/** The data that identifies a repeated request as the same one. */
export interface Idempotency {
  readonly idempotencyKey?: string | undefined;
  /** The id of the request. Proxies reuse it for different requests, so it counts only together with an identical body. */
  readonly requestId?: string | undefined;
  readonly rawBody: string;
}

/**
 * Creates a post: a draft, or scheduled.
 * 1. Checks the request by itself ({@link checkShape}).
 * 2. Reads everything to which it refers in one batch, with any earlier use of its idempotency key ({@link readReferences}).
 * 3. Reads the pages of links for cards ({@link readCards}). Then plans post and targets, in a slot if the request asks for one
 *    ({@link planInSlot}, which reads calendars).
 * 4. Writes all of it or nothing ({@link commitPost}). If another post took the slot, or the post that held the key was deleted
 *    in the meantime, continues with step 3.
 *
 * @throws HeraldError `permission_missing` if the post is to be scheduled and the actor may only draft; `invalid`, naming the
 *   first wrong field and listing all; `conflict` if the idempotency key belongs to a
 *   post that the actor may not see; `external_id_taken` if another post has the external id that the request claims;
 *   `too_many_imports`; `too_many_tags`; `unavailable` if no slot could be claimed
 */
export async function createPost(
  context: PostsContext,
  body: CreatePostBody,
  idempotency: Idempotency,
): Promise<CreatedPost> {
  const draft = await checkShape(body, context);
  const digest = idempotencyDigest(context.actor, body.idempotencyKey, idempotency);
  const bodyDigest = digest === undefined ? undefined : bodyDigestOf(idempotency.rawBody);
  const references = await readReferences(context, draft, digest);
  return createReadPost(context, { draft, digest, bodyDigest, ...references });
}

/** A checked request to create a post, with the items to which it refers. */
export interface ReadRequest extends References {
  readonly draft: PostDraft;
  /** Digest of the request's idempotency key, if it has one. */
  readonly digest: string | undefined;
  /** The {@link bodyDigestOf} the body, if the request has a key. */
  readonly bodyDigest?: string | undefined;
}

/**
 * Does steps 3 and 4 of {@link createPost}.
 *
 * @throws HeraldError as {@link createPost}
 */
export async function createReadPost(
  context: PostsContext,
  { draft: asked, digest, bodyDigest, found, ...firstUse }: ReadRequest,
): Promise<CreatedPost> {
  const earlier = await replay(context, firstUse, bodyDigest);
  if (earlier) return earlier;

  const draft = await withSnippets(context, asked, found, maxCharacters);
  const plan = {
    ...context,
    found,
    cards: await readCards(context, draft, found, { kind: 'create' }),
    id: (context.newId ?? newId)(context.now),
    createdAt: toTimestamp(context.now),
    idempotencyDigest: digest,
    approval: approvalAfter({ ...context, isScheduled: draft.isScheduled }),
  };
  const expiresAtSeconds = Math.floor(context.now / 1_000) + idempotencyDays * 86_400;
  for (let attempt = 1; ; attempt += 1) {
    const planned = await planInSlot(context, draft, plan, { kind: 'create' });
    if (planned) {
      const { claims, warnings, ...untagged } = planned;
      await requireFreeExternalId(context, untagged.post);
      const after = await withTagIds(context, untagged, draft.body.tags, found);
      const use = { expiresAtSeconds, ...(bodyDigest !== undefined && { bodyDigest }) };
      const items = insertPostItems(context.table, after, use);
      const audit = [auditPart(context, subjectOf(after.post))];
      const outcome = await commitPost(context.table, context.now, {
        items,
        audit,
        after,
        claims,
        imports: draft.imports,
      });
      if (outcome.committed) return { ...after, replayed: false, isMismatch: false, warnings };
      const taken = await claimError(context, outcome);
      if (taken) throw taken;
      const winner = outcome.isSlotLost
        ? undefined
        : await replay(context, useByWinner(outcome, after.post.id), bodyDigest);
      if (winner) return winner;
    }
    await awaitAnotherSlot(context.table, attempt, context.mayWait?.());
  }
}

type FirstUse = Omit<References, 'found'>;

/** Returns the use of the idempotency key by the request that was faster. */
function useByWinner({ failedIndex, oldItem }: Refusal, postId: string): FirstUse {
  if (oldItem?.['postId'] === undefined)
    throw new Error(`post ${postId} was not written: condition ${failedIndex} failed`);
  return usedBy(oldItem);
}

/**
 * Returns the digest under which a request's idempotency key is stored; `undefined` if the request has none. The keys of an actor that
 * may only draft are its own: a draft of it must not take the place of a post that somebody else sends with the same key.
 */
export function idempotencyDigest(
  actor: Actor,
  fromBody: string | undefined,
  { idempotencyKey: fromHeader, requestId, rawBody }: Idempotency,
) {
  const owner = reasonAgainstBeyondDrafts(actor, 'post.create') ? `${actor.id}:` : '';
  const clientKey = fromBody ?? fromHeader;
  if (clientKey !== undefined) return sha256(`${owner}key:${clientKey}`);
  if (requestId !== undefined) return sha256(`${owner}request:${sha256(requestId)}:${sha256(rawBody)}`);
  return undefined;
}

/**
 * Returns the post that owns the idempotency key; `undefined` if it was deleted in the meantime, which frees the key.
 *
 * @param firstUse the first use of the key; without a post id if it was not used
 * @throws HeraldError `conflict` if the actor may not see the post: the key belongs to the workspace, so it stays taken
 */
async function replay(
  context: PostsContext,
  { replayedPostId, replayedBodyDigest }: FirstUse,
  bodyDigest: string | undefined,
): Promise<CreatedPost | undefined> {
  if (replayedPostId === undefined) return undefined;
  const existing = await findPost(context.table, context.workspaceId, replayedPostId);
  if (existing && !seesPost(context.actor, existing.post, existing.targets))
    throw new HeraldError(
      'idempotency_key_foreign',
      'idempotencyKey: it was used for another request; use another one',
      { param: 'idempotencyKey' },
    );
  const isMismatch =
    bodyDigest !== undefined && replayedBodyDigest !== undefined && replayedBodyDigest !== bodyDigest;
  return existing && { ...existing, replayed: true, isMismatch, warnings: [] };
}
