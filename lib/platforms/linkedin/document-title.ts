import type { PublishJob } from '../contract/adapter.ts';
import { cutText } from '../shared/text.ts';
import { defaultTitleCharacters } from './limits.ts';

/**
 * The title of a document, which LinkedIn requires ("Documents API"), if the post has none: the name of its file, as other
 * clients do; for a name that says nothing, the first line of the content.
 *
 * @returns at most 100 characters
 */
export function defaultDocumentTitle({ content, media }: Pick<PublishJob, 'content' | 'media'>): string {
  const firstLine = content.split('\n').find((line) => line.trim() !== '');
  const title = nameOf(media[0]?.url ?? '') ?? firstLine?.trim() ?? 'Document';
  return cutText(title, defaultTitleCharacters);
}

/** Names that devices and Herald give: without a word, a long hexadecimal number, or a general word. */
const emptyNames = /^(?:[^\p{L}]*|[0-9a-f ]{16,}|file|document|download|scan|unknown|untitled)$/iu;

/** The file's name without its ending, in words. Undefined if it says nothing. */
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
