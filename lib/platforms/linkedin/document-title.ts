import type { PublishJob } from '../contract/adapter.ts';
import { cutText } from '../shared/text.ts';
import { defaultTitleCharacters } from './limits.ts';

/**
 * Returns a title for a document without one, because LinkedIn requires it ("Documents API"): the file's name, as in
 * other clients, or the first line of the content if the name says nothing.
 *
 * @returns at most 100 characters
 */
export function defaultDocumentTitle({ content, media }: Pick<PublishJob, 'content' | 'media'>): string {
  const firstLine = content.split('\n').find((line) => line.trim() !== '');
  const title = nameOf(media[0]?.url ?? '') ?? firstLine?.trim() ?? 'Document';
  return cutText(title, defaultTitleCharacters);
}

/** The names that say nothing, as devices and Herald give them: without a word, a long hexadecimal number, or a general word. */
const emptyNames = /^(?:[^\p{L}]*|[0-9a-f ]{16,}|file|document|download|scan|unknown|untitled)$/iu;

/** Returns the file's name without its extension, in words. Undefined if it says nothing. */
function nameOf(address: string): string | undefined {
  const file = URL.parse(address)?.pathname.split('/').at(-1) ?? '';
  const name = decoded(file)
    .replace(/\.[a-z0-9]{1,10}$/i, '')
    .replaceAll(/[-_+\s]+/g, ' ')
    .trim();
  return emptyNames.test(name) ? undefined : name;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
