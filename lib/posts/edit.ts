import { type UnbuiltField, unbuiltProblem } from '../api-contract/unbuilt-fields.ts';
import { auditPart } from '../audit/record.ts';
import { type FieldProblem, HeraldError, invalidField, invalidFields } from '../kernel/errors.ts';
import { requireMove } from '../kernel/life-cycle.ts';
import { publicUrl, toRequestedItem } from '../media/urls.ts';
import { absent } from '../table/condition.ts';
import { targetKey } from '../table/keys.ts';
import { checkPart, deletePart, putPart, type TransactionItems } from '../table/transaction.ts';
import { targetItem } from '../targets/item.ts';
import type { Target } from '../targets/schemas.ts';
import { targetLifeCycle } from '../targets/state.ts';
import { approvalAfter } from './approval/approval-after.ts';
import { requireBeyondDrafts } from './approval/beyond-drafts.ts';
import { decisionNote, isUndecided, requireSeen, requireVersion } from './approval/decisions.ts';
import type { PostsContext } from './create.ts';
import type { PlanMode } from './planning/modes.ts';
import { awaitAnotherSlot, planInSlot } from './planning/plan-in-slot.ts';
import type { PlanWarning } from './planning/problems.ts';
import { readCards } from './planning/read-cards.ts';
import { readPost } from './read.ts';
import { repeatedAccounts } from './request/check-chain.ts';
import { checkShape, type PostDraft } from './request/check-shape.ts';
import { toChainStep, toEntry } from './request/from-stored.ts';
import { readReferences } from './request/references.ts';
import {
  type CreatePostBody,
  type EditPostBody,
  maxCharacters,
  type PlatformEntry,
} from './request/schemas.ts';
import { withSnippets } from './request/snippets.ts';
import { withTagIds } from './request/tags.ts';
import { changedTiming, contradictions } from './request/timing.ts';
import { foreseeRetagged, isOnlyTags, retagPost } from './retag.ts';
import { commitPost, maxTransactionItems } from './stored/commit-post.ts';
import { externalIdItems } from './stored/external-id-items.ts';
import { claimError, requireFreeExternalId } from './stored/external-ids.ts';
import { metadataOf } from './stored/json-fields.ts';
import { type Post, subjectOf } from './stored/schemas.ts';
import { isEditable } from './stored/state.ts';
import { type PostWithTargets, postItem } from './stored/store.ts';
import { type DryRun, dryRun } from './validate.ts';
import { byPosition } from './view/to-view.ts';

/** The number of tries of an edit if the post changes in the meantime. */
const maxAttempts = 5;

export interface EditedPost extends PostWithTargets {
  /** The warnings about the stored change. For a draft: only the accounts and files that are gone. */
  readonly warnings: readonly PlanWarning[];
}

/**
 * Changes a draft or a scheduled post, or the tags of any ({@link retagPost}). Absent fields keep their values. Possible until the call that makes a target live: each
 * target is written on condition that it still waits, and the write makes its old wake obsolete. A target that has failed before
 * anything was sent for it is scheduled again. An account or file of the stored post that is gone by now is a warning, except if the
 * change schedules a draft.
 *
 * @throws HeraldError `not_found`; `permission_missing` if the post is no draft, or no longer one afterwards, and the actor may only
 *   draft; `post_changed`; `conflict` once a target is being published, is live, or has failed later than that; `external_id_taken`; `invalid`; `too_many_imports`; `unavailable` if no slot could be claimed
 */
export async function editPost(
  context: PostsContext,
  postId: string,
  patch: EditPostBody,
): Promise<EditedPost> {
  if (isOnlyTags(patch)) return { ...(await retagPost(context, postId, patch)), warnings: [] };
  for (let attempt = 1, slotAttempt = 1; ; ) {
    const { existing, draft, mode, ...noticed } = await readChange(context, postId, patch);
    const cards = await readCards(context, draft, noticed.plan.found, mode);
    const planned = await planInSlot(context, draft, { ...noticed.plan, cards }, mode);
    if (planned) {
      const { claims, ...untagged } = planned;
      const warnings = [...noticed.warnings, ...planned.warnings];
      await requireFreeExternalId(context, untagged.post, existing.post);
      const after = await withTagIds(context, untagged, draft.body.tags, noticed.plan.found);
      const items = replaceItems(context, existing, after);
      const audit = [auditPart(context, subjectOf(existing.post), decisionNote(existing.post, after.post))];
      const change = { items, audit, before: existing, after, claims, imports: draft.imports };
      const outcome = await commitPost(context.table, context.now, change);
      if (outcome.committed) return { ...after, warnings };
      const taken = await claimError(context, outcome);
      if (taken) throw taken;
      if (!outcome.isSlotLost) {
        if (attempt === maxAttempts)
          throw new HeraldError(
            'changed_concurrently',
            'the post is being changed at the same time; try again',
          );
        attempt += 1;
        continue;
      }
    }
    await awaitAnotherSlot(context.table, slotAttempt);
    slotAttempt += 1;
  }
}

/**
 * Returns what {@link editPost} would do, by the same checks. Stores nothing, and takes no slot.
 *
 * @throws HeraldError `not_found`; `conflict` if the post cannot be changed; `external_id_taken`; `invalid` if the request itself
 *   is malformed
 */
export async function dryRunEdit(
  context: PostsContext,
  postId: string,
  patch: EditPostBody,
): Promise<DryRun> {
  if (isOnlyTags(patch)) return foreseeRetagged(context, postId, patch);
  const { existing, draft, plan, mode, ...noticed } = await readChange(context, postId, patch);
  const { warnings, ...outcome } = await dryRun(context, draft, plan, mode);
  await requireFreeExternalId(context, outcome.post, existing.post);
  return { ...outcome, warnings: [...noticed.warnings, ...warnings] };
}

/** Refuses saved texts without a text to add them to: a repeated request would add them to the stored text again. */
const textless = ({ snippets = [], content }: EditPostBody): FieldProblem[] =>
  snippets.length > 0 && content === undefined
    ? [
        {
          field: 'content',
          code: 'field_required',
          message: 'is required with snippets, which are added to it',
        },
      ]
    : [];

/** Reads a post, and checks a change of it by itself. */
async function readChange(context: PostsContext, postId: string, patch: EditPostBody) {
  const problems = [...contradictions(patch), ...textless(patch)];
  if (problems.length > 0) throw invalidFields(problems);
  const existing = await readPost(context, postId);
  if (existing.post.status !== 'draft' || patch.decline) await requireBeyondDrafts(context);
  requireVersion(existing.post, patch);
  requireEditable(existing, patch);
  requireNewTime(existing, patch, context.now);
  const body = withPatch(existing, patch, context.mediaBaseUrl);
  const remembered = stillUnbuilt(existing.post, patch, context.sentNames);
  // A person sees in the panel what will go live, and could not name a field that the panel does not show.
  const isSeen = context.actor.kind === 'person';
  const asked = await checkShape(body, {
    ...context,
    repeated: requireNoNewRepeats(existing, body, patch),
    tagIds: existing.post.tagIds,
    unbuilt: [...(isSeen ? [] : remembered), ...(context.unbuilt ?? [])],
  });
  const { found } = await readReferences(context, asked);
  const draft = await withSnippets(context, asked, found, maxCharacters);
  const { id, createdAt, idempotencyDigest } = existing.post;
  const { isScheduled } = draft;
  const approval = approvalAfter({
    ...context,
    before: existing.post.approval,
    isScheduled,
    decline: patch.decline,
  });
  if (isScheduled) await requireBeyondDrafts(context);
  if (isScheduled && isUndecided(existing.post)) requireSeen(context, existing, patch, found);
  return {
    existing,
    draft,
    plan: { ...context, found, id, createdAt, idempotencyDigest, approval },
    mode: editMode(existing, draft, patch),
    warnings: isSeen && draft.isScheduled ? remembered.map(unbuiltProblem) : [],
  };
}

/**
 * Returns the fields that a draft remembers and that the change does not deal with: it neither sends the field again, if only as
 * null, nor the one to use instead. Pure.
 *
 * @param sentNames the names in the body of the change
 */
function stillUnbuilt(
  { unbuilt = [] }: Post,
  patch: EditPostBody,
  sentNames: readonly string[] = [],
): UnbuiltField[] {
  const sent = new Set([...Object.keys(patch), ...sentNames]);
  const firstName = (path: string) => /^\w+/.exec(path)?.[0] ?? path;
  return unbuilt.filter(({ field, use = '' }) => {
    const first = firstName(field);
    // Inside a list, the name to use is one of the same list.
    return !sent.has(first) && !(first === field && sent.has(firstName(use)));
  });
}

function editMode(existing: PostWithTargets, { isScheduled }: PostDraft, patch: EditPostBody): PlanMode {
  if (existing.post.status === 'draft')
    return { kind: isScheduled ? 'schedule draft' : 'edit draft', existing };
  const { scheduledFor, platforms, chain } = patch;
  // A failed destination may be long past its time, and must not go live at once unless the author says so.
  const hasFailed = existing.targets.some(({ status }) => status === 'failed');
  const changes = {
    times: scheduledFor !== undefined || platforms !== undefined || hasFailed,
    options: platforms !== undefined || chain !== undefined,
  };
  return { kind: 'edit scheduled', existing, changes };
}

/** The fields that change what a post publishes, or when. */
const publishingFields = [
  'content',
  'mediaItems',
  'coverUrl',
  'platforms',
  'chain',
  'scheduledFor',
  'publishNow',
  'isDraft',
] as const satisfies readonly (keyof EditPostBody)[];

/** A failed destination is scheduled again by an edit, so that must change more than notes about the post. */
function requireEditable({ targets }: PostWithTargets, patch: EditPostBody): void {
  const changesPublishing = publishingFields.some((field) => patch[field] !== undefined);
  const busy = targets.find(
    (target) => !isEditable(target) || (target.status === 'failed' && !changesPublishing),
  );
  if (!busy) return;
  const code = { publishing: 'post_publishing', failed: 'post_failed' } as const;
  throw new HeraldError(
    busy.status === 'publishing' || busy.status === 'failed' ? code[busy.status] : 'post_live',
    isEditable(busy)
      ? 'a destination has failed: change what the post publishes or when, or delete it'
      : `the post cannot be changed: a destination is ${busy.status}`,
  );
}

/**
 * A destination that has failed would go live at once if its time has just passed. Its author must say so.
 *
 * @throws HeraldError `invalid`, naming `scheduledFor`
 */
function requireNewTime({ post, targets }: PostWithTargets, patch: EditPostBody, now: number): void {
  const { scheduledFor, publishNow, isDraft, platforms = [] } = patch;
  const isGiven = scheduledFor !== undefined || publishNow || isDraft;
  const isGivenForEach = platforms.length > 0 && platforms.every((entry) => entry.scheduledFor);
  const hasFailed = targets.some(({ status }) => status === 'failed');
  const isPast = post.scheduledFor !== undefined && Date.parse(post.scheduledFor) <= now;
  if (!hasFailed || !isPast || isGiven || isGivenForEach) return;
  throw invalidFields([
    {
      field: 'scheduledFor',
      code: 'time_in_past',
      message: 'has passed: give another time, or publish it now',
    },
  ]);
}

/**
 * Returns the accounts on which the stored post repeats itself: an earlier release accepted that. A change must not add a
 * destination that is another one.
 *
 * @throws HeraldError `invalid`, naming the destination, if the change leaves the chain unchanged; otherwise the chain is wrong
 */
function requireNoNewRepeats(
  { post, targets }: PostWithTargets,
  body: CreatePostBody,
  patch: EditPostBody,
): ReadonlySet<string> {
  const before = repeatedAccounts({ platforms: targets, chain: post.chain ?? [] });
  const accepted = new Set(before.map(({ accountId }) => accountId));
  if (patch.chain !== undefined) return accepted;
  const added = new Set(repeatedAccounts(body, accepted).map(({ accountId }) => accountId));
  const problems = (body.platforms ?? []).flatMap(({ accountId }, index) =>
    added.has(accountId)
      ? {
          field: `platforms[${index}].accountId`,
          code: 'field_duplicate' as const,
          message: 'is an account of a crossPost of the chain already, and would get the same text twice',
        }
      : [],
  );
  if (problems.length > 0) throw invalidFields(problems);
  return accepted;
}

/** Builds the create request that would have led to the edited post. */
function withPatch(existing: PostWithTargets, patch: EditPostBody, mediaBaseUrl: string): CreatePostBody {
  const { post, targets } = existing;
  const cover = patch.coverUrl ?? (post.cover && publicUrl(mediaBaseUrl, post.cover.objectKey));
  return {
    content: patch.content ?? post.content,
    snippets: patch.snippets,
    mediaItems: patch.mediaItems ?? post.mediaItems.map((item) => toRequestedItem(mediaBaseUrl, item)),
    platforms:
      patch.platforms ?? byPosition(targets).map((target) => withOwnTime(target, post, patch, mediaBaseUrl)),
    timezone: patch.timezone ?? post.timezone,
    onQuota: patch.onQuota ?? post.onQuota ?? 'wait',
    chain:
      patch.chain === null
        ? []
        : (patch.chain ?? (post.chain ?? []).map((step) => toChainStep(step, mediaBaseUrl))),
    // `undefined` keeps the tags, and null removes them.
    ...(patch.tags !== undefined && { tags: patch.tags ?? [] }),
    ...withLabels(post, patch),
    ...changedTiming(existing, patch),
    ...(cover !== undefined && patch.coverUrl !== null && { coverUrl: cover }),
  };
}

/** Returns the labels after an edit. Without its external id, a post has nothing left to claim. */
function withLabels(post: Post, patch: EditPostBody) {
  const { metadata = metadataOf(post), externalId = post.externalId } = patch;
  const keepsClaim = externalId !== null && post.externalIdUnique;
  return { metadata, externalId, externalIdUnique: patch.externalIdUnique ?? keepsClaim };
}

/** Converts a target to the form of the request. It gets its own time only if that differs from the post's. */
function withOwnTime(target: Target, post: Post, patch: EditPostBody, mediaBaseUrl: string): PlatformEntry {
  const hasOwnTime = target.scheduledFor !== undefined && target.scheduledFor !== post.scheduledFor;
  const keepsTimes = patch.scheduledFor === undefined && !patch.publishNow;
  return {
    ...toEntry(target, mediaBaseUrl),
    ...(hasOwnTime && keepsTimes && { scheduledFor: target.scheduledFor }),
  };
}

/**
 * Returns the condition for keeping a target's preparation: a worker that is preparing it has not noted anything since, such as that
 * a call was sent that must not be repeated.
 */
function keptWork(old: Target, { preparation }: Target): { readonly preparation?: unknown } {
  return preparation === undefined ? {} : { preparation: targetItem(old)['preparation'] };
}

/**
 * Returns the writes that replace the stored post with the planned one, if nothing has changed since it was read. Targets that the change
 * leaves alone are not written, so a worker may hold them. If the post has a chain, none of them may be live: then the chain runs.
 */
function replaceItems(
  { table, workspaceId }: PostsContext,
  before: PostWithTargets,
  after: PostWithTargets,
): TransactionItems {
  const known = new Map(before.targets.map((target) => [target.accountId, target]));
  const unchanged = ({ wakeNumber, status }: Target) => ({ wakeNumber, status });
  const hasChain = [before, after].some(({ post }) => post.chain !== undefined);
  const puts = after.targets.flatMap((target) => {
    const old = known.get(target.accountId);
    known.delete(target.accountId);
    if (old === target)
      return hasChain
        ? [checkPart(table, targetKey(workspaceId, old.postId, old.accountId), { status: old.status })]
        : [];
    if (old) requireMove('target', targetLifeCycle, old.status, target.status);
    return putPart(
      table,
      targetItem({ ...target, postVersion: after.post.version }),
      old ? { ...unchanged(old), ...keptWork(old, target) } : { pk: absent },
    );
  });
  const removals = [...known.values()].map((target) =>
    deletePart(table, targetKey(workspaceId, target.postId, target.accountId), unchanged(target)),
  );
  const post = putPart(table, postItem(after.post), { version: before.post.version });
  // A post that has failed was going to expire.
  const isRestored = before.targets.some(({ status }) => status === 'failed');
  const labels = externalIdItems(table, before.post, after.post, { isRestored });
  const items = [post, ...puts, ...removals, ...labels];
  // One place is reserved for the entry of the audit log.
  if (items.length >= maxTransactionItems)
    throw invalidField(
      'platforms',
      'too many destinations are replaced in one request; use two requests',
      'field_too_long',
    );
  return items;
}
