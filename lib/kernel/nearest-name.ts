import { isWithinEdits } from './edit-distance.ts';

const maxEdits = 2;
/** The maximum share of letters that may change. Beyond it, the name is a different one. */
const maxEditShare = 1 / 3;

/**
 * Returns the known name that a writer probably meant: one that differs only in upper and lower case, `_` and `-`, otherwise one
 * within two edits. Undefined if there is none.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const plain = plainName(name);
  const candidates = candidatesIn(known);
  const same = candidates.find((candidate) => candidate.plain === plain);
  if (same) return same.name;
  const letters = [...plain];
  const edits = Math.min(maxEdits, Math.floor(letters.length * maxEditShare));
  for (let count = 1; count <= edits; count += 1) {
    const near = candidates.find((candidate) => isWithinEdits(letters, candidate.letters, count));
    if (near) return near.name;
  }
  return undefined;
}

interface Candidate {
  readonly name: string;
  readonly plain: string;
  readonly letters: readonly string[];
}

/** Kept, because a request may have 100,000 unknown names, which are compared with the same list. */
const candidatesByList = new WeakMap<readonly string[], readonly Candidate[]>();

function candidatesIn(known: readonly string[]): readonly Candidate[] {
  const kept = candidatesByList.get(known);
  if (kept) return kept;
  const candidates = known.map((name) => {
    const plain = plainName(name);
    return { name, plain, letters: [...plain] };
  });
  candidatesByList.set(known, candidates);
  return candidates;
}

/** True if two names differ at most in upper and lower case, `_` and `-`. */
export const isSameName = (name: string, other: string): boolean => plainName(name) === plainName(other);

/** Returns a name without what makes no difference: upper and lower case, `_` and `-`. */
export const plainName = (name: string) => name.toLowerCase().replaceAll(/[_-]/g, '');

/**
 * Returns the result of {@link nearestName}, otherwise the known name that begins with the same word and has the most words in
 * common: `fromDate` and `from`, `scheduledAt` and `scheduledFor`, `draft` and `isDraft`.
 */
export function likelyName(name: string, known: readonly string[]): string | undefined {
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return nearest;
  const words = wordsOf(name);
  const [likely] = known
    .map((candidate) => ({ candidate, others: wordsOf(candidate) }))
    .filter(({ others }) => isSameWord(words[0], others[0]))
    .map(({ candidate, others }) => ({
      candidate,
      common: others.filter((word) => words.includes(word)).length,
    }))
    .toSorted((one, other) => other.common - one.common);
  return likely?.candidate;
}

/** Returns the words of a name in lower case, without the `is` and `has` of a boolean. */
function wordsOf(name: string): string[] {
  const words = name
    .slice(0, 100)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  const [first = '', ...others] = words.filter((word) => word !== '');
  return others.length > 0 && ['is', 'has'].includes(first) ? others : first === '' ? [] : [first, ...others];
}

/** True if two words are equal, or one of at least four letters begins the other: `schedule` and `scheduled`. */
function isSameWord(word = '', other = ''): boolean {
  if (word === other) return word !== '';
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  return short.length >= 4 && long.startsWith(short);
}
