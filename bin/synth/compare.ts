import { type Change, compareTemplates } from '../../infra/templates/compare.ts';
import type { ResourceTypes } from '../../infra/templates/resource-types.ts';
import type { Templates } from '../../infra/templates/template.ts';

export interface Compared {
  /** The lines to print. */
  readonly lines: readonly string[];
  /** True if nothing blocks the update. */
  readonly isFine: boolean;
}

/**
 * Compares synthesized templates with those of the previous release.
 *
 * @param accepted logical ids of resources with blocking changes that somebody has decided to make
 */
export function compareReleases(
  before: Templates,
  after: Templates,
  types: ResourceTypes,
  accepted: readonly string[] = [],
): Compared {
  if (![...before.keys()].some((stack) => after.has(stack)))
    return {
      lines: [
        `nothing to compare: the previous templates are of ${[...before.keys()].join(', ')}, and none of these stacks is in the new ones`,
      ],
      isFine: false,
    };
  const changes = compareTemplates(before, after, types);
  const blocks = ({ isBlocker, logicalId }: Change) => isBlocker && !accepted.includes(logicalId);
  const blockers = changes.filter(blocks);
  const line = (change: Change) =>
    `${blocks(change) ? 'BLOCKED  ' : '         '}${change.stack} ${change.logicalId}: ${change.kind}, ${change.why}`;
  const summary =
    changes.length === 0
      ? 'The update replaces, removes and renames nothing.'
      : `${changes.length} changes, of which ${blockers.length} block the update.`;
  return { lines: [...changes.map(line), summary], isFine: blockers.length === 0 };
}
