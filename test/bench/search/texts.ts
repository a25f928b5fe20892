/** The number of different words. A workspace of 100,000 short posts has some tens of thousands. */
const vocabularySize = 30_000;

const onsets = [
  'b',
  'br',
  'c',
  'ch',
  'd',
  'f',
  'g',
  'h',
  'l',
  'm',
  'n',
  'p',
  'pr',
  'r',
  's',
  'st',
  't',
  'tr',
  'v',
  'w',
];
const vowels = ['a', 'e', 'i', 'o', 'u', 'ea', 'ou'];
const codas = ['', '', 'n', 'r', 's', 't', 'l', 'ng'];

/** Returns random numbers from 0 to 1, the same for each run. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Words by frequency: the most frequent are short, as in most languages. */
export const vocabulary: readonly string[] = (() => {
  const random = randomNumbers(1);
  const pick = (parts: readonly string[]) => parts[Math.floor(random() * parts.length)] ?? '';
  const words = new Set<string>();
  while (words.size < vocabularySize) {
    const syllables = words.size < 60 ? 1 : words.size < 3_000 ? 2 : 3;
    words.add(Array.from({ length: syllables }, () => pick(onsets) + pick(vowels) + pick(codas)).join(''));
  }
  return [...words];
})();

/** The cumulative share of the words up to each rank, by Zipf's law. */
const shares = (() => {
  let sum = 0;
  const sums = vocabulary.map((_, index) => (sum += 1 / (index + 3)));
  return sums.map((each) => each / sum);
})();

/** Returns a text of so many different words, whose frequencies follow Zipf's law. */
export function textOf(wordCount: number, random: () => number): string {
  const words = new Set<string>();
  while (words.size < wordCount) {
    const share = random();
    let [low, high] = [0, shares.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((shares[middle] ?? 1) < share) low = middle + 1;
      else high = middle;
    }
    words.add(vocabulary[low] ?? '');
  }
  return [...words].join(' ');
}
