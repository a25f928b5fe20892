import { newId } from '../../lib/kernel/ids.ts';
import type { Snippet } from '../../lib/snippets/schemas.ts';
import { insertSnippet } from '../../lib/snippets/store.ts';
import type { Table } from '../../lib/table/table.ts';
import { tagIdsOf } from '../../lib/tags/store.ts';
import { noTagsYet } from '../../lib/tags/workspace-tags.ts';

/** Stores tags as their first use does. @returns their ids */
export const storeTags = (table: Table, workspaceId: string, names: readonly string[]): Promise<number[]> =>
  tagIdsOf({ table, workspaceId }, names, noTagsYet);

/** Stores a saved text. */
export async function storeSnippet(
  table: Table,
  workspaceId: string,
  changes: Partial<Snippet> = {},
): Promise<Snippet> {
  const at = '2026-03-01T12:00:00.000Z';
  const snippet: Snippet = {
    id: newId(Date.parse(at)),
    workspaceId,
    use: 'text',
    name: 'Opening hours',
    content: 'Open from seven.',
    createdAt: at,
    updatedAt: at,
    ...changes,
  };
  if (!(await insertSnippet(table, snippet))) throw new Error('the saved text was not stored');
  return snippet;
}
