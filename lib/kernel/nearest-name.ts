import { isWithinEdits } from './edit-distance.ts';

const maxEdits = 2;
/** A name that is changed more than this share of its letters is another name. */
const maxEditShare = 1 / 3;

/**
 * Returns the known name that a writer probably meant: one that differs only in upper and lower case, `_` and `-`, or else
 * one within two edits. Undefined if there is none.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const same = known.find((candidate) => isSameName(candidate, name));
  if (same !== undefined) return same;
  const letters = [...plain(name)];
  const edits = Math.min(maxEdits, Math.floor(letters.length * maxEditShare));
  return [1, 2]
    .filter((count) => count <= edits)
    .map((count) => known.find((candidate) => isWithinEdits(letters, [...plain(candidate)], count)))
    .find((found) => found !== undefined);
}

/** Whether two names differ at most in upper and lower case, `_` and `-`. */
export const isSameName = (name: string, other: string): boolean => plain(name) === plain(other);

const plain = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, '');
