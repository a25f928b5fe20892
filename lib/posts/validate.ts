import { toTimestamp } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { FoundItems } from '../table/found-items.ts';
import type { PostsContext } from './create.ts';
import { checkDays } from './planning/limited-days.ts';
import { planPostAndChain } from './planning/plan-chain.ts';
import { slotProblems } from './planning/plan-in-slot.ts';
import type { PlanProblem, PlanWarning } from './planning/problems.ts';
import { checkShape, type PostDraft } from './request/check-shape.ts';
import { readReferences } from './request/references.ts';
import type { CreatePostBody } from './request/schemas.ts';
import type { ExternalFile } from './stored/commit-post.ts';

/** Returns the warning about a file to import, which a validation does not fetch. */
const checkedLater = ({ field }: ExternalFile): PlanWarning => ({
  field,
  code: 'media_unchecked',
  message: 'the file at this address was not fetched: it is checked when the post is created',
});

/** The outcome that a post would have. */
export interface Validation {
  /** The reasons that it could not be published. */
  readonly problems: readonly PlanProblem[];
  /** The warnings about a post that can be published. */
  readonly warnings: readonly PlanWarning[];
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
  const planned = await planPostAndChain(draft, plan, { kind: 'validate' });
  const slots = await slotProblems(context, draft, planned);
  const days = await checkDays(context, planned, { mayRefuse: true });
  return {
    problems: [...planned.problems, ...slots, ...days.problems],
    warnings: [...planned.warnings, ...days.warnings, ...(draft.imports ?? []).map(checkedLater)],
  };
}
