import type { RequestedChainStep } from '../request/check-chain.ts';
import type { PostDraft } from '../request/check-shape.ts';
import { withImports } from '../request/external-files.ts';
import { stepPosts } from '../request/step-post.ts';
import { checksOf, existingOf, type PlanMode } from './modes.ts';
import { type PlanContext, type PostPlan, planPost } from './plan-post.ts';
import type { PlanProblem } from './problems.ts';

/**
 * Plans a post as {@link planPost} does, and adds the problems and warnings of the posts that its chain would become. The
 * same rules apply to them.
 */
export async function planPostAndChain(
  draft: PostDraft,
  request: PlanContext,
  mode: PlanMode,
): Promise<PostPlan> {
  const checks = checksOf(mode, draft);
  const context = {
    ...request,
    found: withImports(request.found, draft),
    checks,
    existing: existingOf(mode),
  };
  const plan = await planPost(draft, context);
  const { known } = checks;
  const stepContext = {
    ...context,
    existing: undefined,
    idempotencyDigest: undefined,
    checks: { ...checks, times: false, known: known && { ...known, accountIds: known.chainAccountIds } },
  };
  const steps = stepPosts(draft).map(async (post, index) => {
    const step = draft.chain[index];
    if (!step) return { problems: [], warnings: [], adaptations: [] };
    const { problems, warnings, adaptations } = await planPost(post, stepContext);
    const at = (field: string) => `chain[${index}].${fieldOfStep(step, field)}`;
    const ofStep = (findings: readonly PlanProblem[]) =>
      findings
        .filter((finding) => step.kind === 'followUp' || !isOfInheritedFile(finding))
        .map((finding) => ({ ...finding, field: at(finding.field) }));
    return {
      problems: ofStep(problems),
      warnings: ofStep(warnings),
      adaptations: adaptations.map((adaptation) => ({ ...adaptation, field: at(adaptation.field) })),
    };
  });
  const ofChain = await Promise.all(steps);
  return {
    ...plan,
    problems: [...plan.problems, ...ofChain.flatMap(({ problems }) => problems)],
    warnings: [...plan.warnings, ...ofChain.flatMap(({ warnings }) => warnings)],
    adaptations: [...plan.adaptations, ...ofChain.flatMap(({ adaptations }) => adaptations)],
  };
}

/** True for a problem with a file that a crossPost inherits from the post. It is reported only once, for the post. */
function isOfInheritedFile({ field, accountId }: PlanProblem): boolean {
  return accountId === undefined && /^(mediaItems|coverUrl)/.test(field);
}

/** Maps a field of a step's post to the field of the step. */
export function fieldOfStep({ accountIds }: Pick<RequestedChainStep, 'accountIds'>, field: string): string {
  const [, place, rest = ''] = /^platforms(?:\[(\d+)\])?(.*)$/.exec(field) ?? [];
  if (!field.startsWith('platforms')) return field;
  if (place === undefined) return 'accountIds';
  const options = '.platformSpecificData';
  return rest.startsWith(options)
    ? `options.${accountIds[Number(place)]}${rest.slice(options.length)}`
    : `accountIds[${place}]`;
}
