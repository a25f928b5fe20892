import type { FoundItems } from '../../table/batch-get.ts';
import type { StoredChainStep } from '../chain/schemas.ts';
import { stepPosts } from '../chain/step-post.ts';
import type { PostDraft } from '../request/check-shape.ts';
import {
  type PlanContext,
  type PlanOptions,
  type PlanProblem,
  type PostPlan,
  planPost,
} from './plan-post.ts';

/**
 * Works out a post as {@link planPost} does, and what stands in the way of the posts that its chain would become: the
 * same rules hold for them.
 */
export function planPostAndChain(
  draft: PostDraft,
  found: FoundItems,
  context: PlanContext,
  options: PlanOptions,
): PostPlan {
  const plan = planPost(draft, found, context, options);
  const { workspaceId, now, id, createdAt, rulesFor } = context;
  const ofChain = stepPosts(draft).flatMap((post, index) => {
    const step = draft.chain[index];
    if (!step) return [];
    const { problems } = planPost(
      post,
      found,
      { workspaceId, now, id, createdAt, rulesFor },
      { ...options, checkTimes: false },
    );
    return problems
      .filter((problem) => step.kind === 'followUp' || !isOfInheritedFile(problem))
      .map((problem) => ({ ...problem, field: `chain[${index}].${fieldOfStep(step, problem.field)}` }));
  });
  return { ...plan, problems: [...plan.problems, ...ofChain] };
}

/** Files are the post's own as much as the crossPost's; they are named once. */
function isOfInheritedFile({ field, accountId }: PlanProblem): boolean {
  return accountId === undefined && /^(mediaItems|coverUrl)/.test(field);
}

/** Where a step says what its post says in this field. */
export function fieldOfStep({ accountIds }: StoredChainStep, field: string): string {
  const [, place, rest = ''] = /^platforms(?:\[(\d+)\])?(.*)$/.exec(field) ?? [];
  if (!field.startsWith('platforms')) return field;
  if (place === undefined) return 'accountIds';
  const options = '.platformSpecificData';
  return rest.startsWith(options)
    ? `options.${accountIds[Number(place)]}${rest.slice(options.length)}`
    : `accountIds[${place}]`;
}
