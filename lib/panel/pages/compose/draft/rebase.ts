import type { Draft } from './draft.ts';
import { isSame } from './to-request.ts';

/** The parts of a draft that two people may change at the same time. */
const parts = [
  'content',
  'media',
  'cover',
  'frameMs',
  'firstComment',
  'destinations',
  'when',
  'chain',
] as const;
export type Part = (typeof parts)[number];

/**
 * Puts a person's changes on what the post has become meanwhile. Where both have changed a part, the person's is kept and named.
 *
 * @param before the post as the person's changes began
 */
export function rebase(
  before: Draft,
  mine: Draft,
  theirs: Draft,
): { readonly draft: Draft; readonly conflicts: readonly Part[] } {
  const isMine = (part: Part) => !isSame(before[part], mine[part]);
  const conflicts = parts.filter(
    (part) => isMine(part) && !isSame(before[part], theirs[part]) && !isSame(mine[part], theirs[part]),
  );
  const kept = Object.fromEntries(parts.filter(isMine).map((part) => [part, mine[part]]));
  return { draft: { ...theirs, parked: mine.parked, ...kept } as Draft, conflicts };
}
