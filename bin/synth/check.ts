import { type Change, compareTemplates } from '../../infra/templates/compare.ts';
import { exceededLimits } from '../../infra/templates/limits.ts';
import type { ResourceTypes } from '../../infra/templates/resource-types.ts';
import type { Templates } from '../../infra/templates/template.ts';
import { validateTemplates } from '../../infra/templates/validate.ts';

export interface Checked {
  /** The lines to print. */
  readonly lines: readonly string[];
  readonly isFine: boolean;
}

/**
 * Checks synthesized templates alone, and against those of the previous release.
 *
 * @param before absent if there is no previous release to compare with
 * @param accepted logical ids of resources with blocking changes that somebody has decided to make
 */
export function checkTemplates(
  templates: Templates,
  types: ResourceTypes,
  { before, accepted = [] }: { before?: Templates; accepted?: readonly string[] } = {},
): Checked {
  const problems = [...validateTemplates(templates, types), ...exceededLimits(templates)];
  if (before === undefined) return { lines: problems, isFine: problems.length === 0 };
  if (![...before.keys()].some((stack) => templates.has(stack)))
    return {
      lines: [
        ...problems,
        `nothing to compare: the previous templates are of ${[...before.keys()].join(', ')}, and none of these stacks is in the new ones`,
      ],
      isFine: false,
    };
  const changes = compareTemplates(before, templates, types);
  const blocks = ({ isBlocker, logicalId }: Change) => isBlocker && !accepted.includes(logicalId);
  const blockers = changes.filter(blocks);
  const line = (change: Change) =>
    `${blocks(change) ? 'BLOCKED  ' : '         '}${change.stack} ${change.logicalId}: ${change.kind}, ${change.why}`;
  const summary =
    changes.length === 0
      ? 'The update replaces, removes and renames nothing.'
      : `${changes.length} changes, of which ${blockers.length} block the update.`;
  return {
    lines: [...problems, ...changes.map(line), summary],
    isFine: problems.length + blockers.length === 0,
  };
}
