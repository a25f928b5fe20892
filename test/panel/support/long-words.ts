/** Replaces `lib/panel/words/words.ts` in a build of the panel. */
import * as english from '../../../lib/panel/words/english.ts';

export { locale } from '../../../lib/panel/words/english.ts';

/**
 * A text as long as its translation into a language with long words. Short texts grow most, and often into one compound that does
 * not break: `Settings` becomes `Settingssettings`.
 *
 * @see https://www.w3.org/International/articles/article-text-size IBM's figures: 200–300 % up to 10 characters, 130 % from 70 on
 */
export function longer(text: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 2) return text;
  if (letters <= 12) return `${text}${text.replaceAll(/[^\p{L}]/gu, '').toLowerCase()}`;
  if (letters <= 40) return `${text} ${text.slice(0, Math.ceil(text.length * 0.6))}`;
  return `${text} ${text.slice(0, Math.ceil(text.length * 0.35))}`;
}

/** The same catalogue with longer texts. */
function lengthened<T>(words: T): T {
  if (typeof words === 'string') return longer(words) as T;
  if (typeof words === 'function')
    return ((...values: unknown[]) =>
      lengthened((words as (...values: unknown[]) => unknown)(...values))) as T;
  if (Array.isArray(words)) return words.map(lengthened) as T;
  if (typeof words === 'object' && words !== null)
    return Object.fromEntries(Object.entries(words).map(([name, each]) => [name, lengthened(each)])) as T;
  return words;
}

export const words = lengthened(english);
