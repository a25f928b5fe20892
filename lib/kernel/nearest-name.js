import { isWithinEdits } from './edit-distance.ts';
const maxEdits = 2;
/** A name that is changed more than this share of its letters is another name. */
const maxEditShare = 1 / 3;
/**
 * Returns the known name that a writer probably meant: one that differs only in upper and lower case, `_` and `-`, or else
 * one within two edits. Undefined if there is none.
 */
export function nearestName(name, known) {
    const same = known.find((candidate) => isSameName(candidate, name));
    if (same !== undefined)
        return same;
    const letters = [...plain(name)];
    const edits = Math.min(maxEdits, Math.floor(letters.length * maxEditShare));
    return [1, 2]
        .filter((count) => count <= edits)
        .map((count) => known.find((candidate) => isWithinEdits(letters, [...plain(candidate)], count)))
        .find((found) => found !== undefined);
}
/** Whether two names differ at most in upper and lower case, `_` and `-`. */
export const isSameName = (name, other) => plain(name) === plain(other);
const plain = (name) => name.toLowerCase().replaceAll(/[_-]/g, '');
/**
 * As {@link nearestName}, or else the known name that begins with the same word and has the most words in common:
 * `fromDate` and `from`, `scheduledAt` and `scheduledFor`, `draft` and `isDraft`.
 */
export function likelyName(name, known) {
    const nearest = nearestName(name, known);
    if (nearest !== undefined)
        return nearest;
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
/** The words of a name in lower case, without the `is` and `has` of a boolean. */
function wordsOf(name) {
    const words = name
        .slice(0, 100)
        .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
        .toLowerCase()
        .split(/[^a-z0-9]+/);
    const [first = '', ...others] = words.filter((word) => word !== '');
    return others.length > 0 && ['is', 'has'].includes(first) ? others : first === '' ? [] : [first, ...others];
}
/** Whether two words are equal, or one of at least four letters begins the other: `schedule` and `scheduled`. */
function isSameWord(word = '', other = '') {
    if (word === other)
        return word !== '';
    const [short, long] = word.length < other.length ? [word, other] : [other, word];
    return short.length >= 4 && long.startsWith(short);
}
