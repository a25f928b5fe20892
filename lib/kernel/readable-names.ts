/**
 * Names that people give to things, and by which others recognize them: in the panel, in terminals, and on the pages where somebody
 * connects an account. A name must look different from every other name that is another text.
 */

/**
 * A pattern for emoji with the invisible characters that belong into them: variation selectors, joiners, and the tags of flags.
 * https://www.unicode.org/reports/tr51/#EBNF_and_Regex
 */
const emoji =
  /\p{RI}{2}|[0-9#*]\uFE0F\u20E3|\p{Extended_Pictographic}(?:\p{EMod}|\uFE0F\u20E3?|[\u{E0020}-\u{E007E}]+\u{E007F})?(?:\u200D\p{Extended_Pictographic}(?:\p{EMod}|\uFE0F\u20E3?)?)*/gu;

/**
 * A pattern for characters that people do not see, or that change how the text around them is shown: controls, formats (such as
 * changes of direction), line breaks, fillers, and halves of characters. The blank of Braille is a symbol that shows nothing.
 */
const unreadable = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** True if the text has no such character outside of an emoji. */
export const isReadable = (text: string): boolean => !unreadable.test(text.replace(emoji, ''));

/** The problem with a name that is not readable. */
export const unreadableProblem =
  'must not contain control characters, or characters that are invisible or change the direction of text';

/** Returns the text without such characters, and without spaces around it. */
export function readable(text: string): string {
  const kept: string[] = [];
  let from = 0;
  const everywhere = new RegExp(unreadable.source, 'gu');
  for (const { 0: found, index } of text.matchAll(emoji)) {
    kept.push(text.slice(from, index).replace(everywhere, ' '), found);
    from = index + found.length;
  }
  kept.push(text.slice(from).replace(everywhere, ' '));
  return kept.join('').replace(/\s+/g, ' ').trim();
}

/** Letters of other scripts that look like Latin ones in most fonts. https://www.unicode.org/reports/tr39/#Confusable_Detection */
const lookalikes: Readonly<Record<string, string>> = {
  ...{
    а: 'a',
    в: 'b',
    с: 'c',
    ԁ: 'd',
    е: 'e',
    һ: 'h',
    і: 'i',
    ј: 'j',
    к: 'k',
    ӏ: 'l',
    м: 'm',
    о: 'o',
    п: 'n',
  },
  ...{ р: 'p', г: 'r', ѕ: 's', т: 't', ц: 'u', ѵ: 'v', ԝ: 'w', х: 'x', у: 'y', ո: 'n', օ: 'o', ս: 'u' },
  ...{
    α: 'a',
    ε: 'e',
    ι: 'i',
    κ: 'k',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    τ: 't',
    υ: 'u',
    χ: 'x',
    η: 'n',
    ı: 'i',
    ł: 'l',
    ø: 'o',
  },
  ...{ '0': 'o', '1': 'l', '!': 'i', '|': 'l', '3': 'e', '5': 's', '@': 'a', $: 's' },
};

/**
 * Returns what a name comes down to for a reader: Latin letters in lower case, without accents, spaces and punctuation. `l` and `i`
 * are one letter, because their capitals and small letters look alike.
 */
export function skeletonOf(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  return [...plain]
    .map((character) => lookalikes[character] ?? character)
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('i', 'l');
}
