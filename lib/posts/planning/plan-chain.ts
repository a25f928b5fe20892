import type { StoredChainStep } from '../chain/schemas.ts';
import { stepPosts } from '../chain/step-post.ts';
import type { PostDraft } from '../request/check-shape.ts';
import { type PlanContext, type PostPlan, planPost } from './plan-post.ts';
import type { PlanProblem } from './problems.ts';

/**
 * Works out a post as {@link planPost} does, and what stands in the way of the posts that its chain would become: the
 * same rules hold for them.
 */
export async function planPostAndChain(draft: PostDraft, context: PlanContext): Promise<PostPlan> {
  const plan = await planPost(draft, context);
  const ofStep = { ...context, existing: undefined, idempotencyDigest: undefined, checkTimes: false };
  const ofChain = stepPosts(draft).map(async (post, index) => {
    const step = draft.chain[index];
    if (!step) return [];
    const { problems } = await planPost(post, ofStep);
    return problems
      .filter((problem) => step.kind === 'followUp' || !isOfInheritedFile(problem))
      .map((problem) => ({ ...problem, field: `chain[${index}].${fieldOfStep(step, problem.field)}` }));
  });
  return { ...plan, problems: [...plan.problems, ...(await Promise.all(ofChain)).flat()] };
}

/** Files are the post's own as much as the crossPost's; they are named once. */
function isOfInheritedFile({ field, accountId }: PlanProblem): boolean {
  return accountId === undefined && /^(mediaItems|coverUrl)/.test(field);
}

/** The field of a step that says what its post says in this field. */
export function fieldOfStep({ accountIds }: StoredChainStep, field: string): string {
  const [, place, rest = ''] = /^platforms(?:\[(\d+)\])?(.*)$/.exec(field) ?? [];
  if (!field.startsWith('platforms')) return field;
  if (place === undefined) return 'accountIds';
  const options = '.platformSpecificData';
  return rest.startsWith(options)
    ? `options.${accountIds[Number(place)]}${rest.slice(options.length)}`
    : `accountIds[${place}]`;
}
