import { planPostAndChain } from '../chains/plan.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { checkShape } from './check.ts';
import { type PostsContext, readReferences } from './create.ts';
import type { PlanProblem } from './plan.ts';
import type { CreatePostBody } from './request-schemas.ts';
import { slotProblems } from './slot.ts';

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
