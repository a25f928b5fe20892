import { toTimestamp } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { FoundItems } from '../table/found-items.ts';
import type { TagsOf } from '../tags/workspace-tags.ts';
import { approvalAfter } from './approval/approval-after.ts';
import type { PostsContext } from './create.ts';
import type { PlanMode } from './planning/modes.ts';
import { foresee } from './planning/plan-in-slot.ts';
import type { PlanContext, PlannedAdaptation, PlannedCard } from './planning/plan-post.ts';
import type { PlanProblem, PlanWarning } from './planning/problems.ts';
import { readCards } from './planning/read-cards.ts';
import { checkShape, type PostDraft } from './request/check-shape.ts';
import { readReferences } from './request/references.ts';
import { type CreatePostBody, maxCharacters } from './request/schemas.ts';
import { withSnippets } from './request/snippets.ts';
import { foreseeTags } from './request/tags.ts';
import type { ExternalFile } from './stored/commit-post.ts';
import { requireFreeExternalId } from './stored/external-ids.ts';
import type { PostWithTargets } from './stored/store.ts';

/** Returns the warning about a file to import, which a validation does not fetch. */
const checkedLater = ({ field }: ExternalFile): PlanWarning => ({
  field,
  code: 'media_unchecked',
  message: 'the file at this address was not fetched: it is checked when the post is created',
});

/** The findings about a post that is not stored. */
interface Findings {
  /** The reasons that it could not be published. */
  readonly problems: readonly PlanProblem[];
  /** The warnings about a post that can be published. */
  readonly warnings: readonly PlanWarning[];
}

export interface Validation extends Findings {
  /** The files that destinations get in another form. */
  readonly adaptations: readonly PlannedAdaptation[];
  /** The cards of links in the texts of destinations. */
  readonly cards: readonly PlannedCard[];
}

/**
 * Returns the problems and warnings of this post, by the rules that `createPost` applies. Stores nothing.
 *
 * @throws HeraldError `invalid` if the request itself is malformed
 */
export async function validatePost(context: PostsContext, body: CreatePostBody): Promise<Validation> {
  const draft = await checkShape(body, context);
  const { found } = await readReferences(context, draft);
  return validateReadPost(context, draft, found);
}

/**
 * Returns the problems and warnings of a checked request.
 *
 * @param found the stored items to which it refers
 */
export async function validateReadPost(
  context: PostsContext,
  draft: PostDraft,
  found: FoundItems,
): Promise<Validation> {
  const plan = { ...context, found, id: newId(context.now), createdAt: toTimestamp(context.now) };
  const whole = await withSnippets(context, draft, found, maxCharacters);
  const { problems, warnings, adaptations, cards } = await dryRun(context, whole, plan, { kind: 'validate' });
  return { problems, warnings, adaptations, cards };
}

/** The outcome that a request would have. */
export interface DryRun extends Findings, PostWithTargets {
  /** Finds the names of the post's tags, also of those that the request would create. */
  readonly tags: TagsOf;
}

/** Returns what a checked request would do. Stores nothing, takes no slot, and does not look at an idempotency key. */
export async function dryRun(
  context: PostsContext,
  draft: PostDraft,
  plan: PlanContext,
  mode: PlanMode,
): Promise<DryRun & Validation> {
  const cards = await readCards(context, draft, plan.found, mode);
  const tagged = foreseeTags(context.workspaceId, draft, plan.found);
  const { warnings, problems, ...foreseen } = await foresee(context, tagged.draft, { ...plan, cards }, mode);
  return {
    ...foreseen,
    tags: tagged.tags,
    problems: [...problems, ...tagged.problems],
    warnings: [...warnings, ...(draft.imports ?? []).map(checkedLater)],
  };
}

/**
 * Returns what {@link createPost} would do.
 *
 * @throws HeraldError `invalid` if the request itself is malformed; `external_id_taken`
 */
export async function dryRunPost(context: PostsContext, body: CreatePostBody): Promise<DryRun> {
  const asked = await checkShape(body, context);
  const { found } = await readReferences(context, asked);
  const draft = await withSnippets(context, asked, found, maxCharacters);
  const plan = {
    ...context,
    found,
    id: newId(context.now),
    createdAt: toTimestamp(context.now),
    approval: approvalAfter({ ...context, isScheduled: draft.isScheduled }),
  };
  const outcome = await dryRun(context, draft, plan, { kind: 'create' });
  await requireFreeExternalId(context, outcome.post);
  return outcome;
}
