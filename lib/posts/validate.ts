import { toTimestamp } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { type PostsContext, readReferences } from './create.ts';
import { planPostAndChain } from './planning/plan-chain.ts';
import { slotProblems } from './planning/plan-in-slot.ts';
import type { PlanProblem } from './planning/plan-post.ts';
import { checkShape } from './request/check-shape.ts';
import type { CreatePostBody } from './request/schemas.ts';

/**
 * Everything that would keep this post from being published, by the very rules that `createPost` applies. Nothing is
 * stored.
 *
 * @throws HeraldError `invalid` where the request itself cannot be read
 */
export async function validatePost(context: PostsContext, body: CreatePostBody): Promise<PlanProblem[]> {
  const draft = await checkShape(body, context);
  const { found } = await readReferences(context, draft, undefined);
  const plan = { ...context, id: newId(context.now), createdAt: toTimestamp(context.now) };
  const planned = planPostAndChain(draft, found, plan, { applyRules: true, checkTimes: true });
  return [...planned.problems, ...(await slotProblems(context, draft, planned))];
}
