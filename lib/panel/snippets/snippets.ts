import type { listSnippetsOperation } from '../../snippets/operations.ts';
import { type BuiltInVariable, variablesOf } from '../../snippets/variables.ts';
import type { ReplyOf } from '../api/operation-types.ts';

export type Snippet = ReplyOf<typeof listSnippetsOperation>['snippets'][number];

export const snippetsPath = '/v1/snippets';

/** A text with the place in it where the next one goes. */
export interface Cursor {
  readonly text: string;
  /** The selected part, which the inserted text replaces. */
  readonly from: number;
  readonly to: number;
}

/** Returns the text with another one in the place of the selection. Pure. */
export const insertedAt = ({ text, from, to }: Cursor, added: string): string =>
  `${text.slice(0, from)}${added}${text.slice(to)}`;

export const selectedIn = ({ text, from, to }: Cursor): string => text.slice(from, to).trim();

/** The values that the post knows. */
export type KnownValues = Readonly<Partial<Record<BuiltInVariable, string>>>;

/** Returns the variables of a saved text, with the values that are known. Pure. */
export const fieldsOf = ({ content }: Pick<Snippet, 'content'>, known: KnownValues): Record<string, string> =>
  Object.fromEntries(variablesOf(content).map((name) => [name, knownValue(known, name)]));

const knownValue = (known: KnownValues, name: string): string =>
  name === 'account' || name === 'date' ? (known[name] ?? '') : '';

/** Returns the saved texts that have all the words of a search in their name or text, by name. Pure. */
export function searched(snippets: readonly Snippet[], search: string): Snippet[] {
  const parts = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return snippets
    .filter(({ name, content }) => {
      const all = `${name} ${content}`.toLocaleLowerCase();
      return parts.every((part) => all.includes(part));
    })
    .sort((one, other) => one.name.localeCompare(other.name));
}
