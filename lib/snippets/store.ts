import { absent, anyOf, lessThan, present } from '../table/condition.ts';
import { getItem, type Item } from '../table/items.ts';
import { type ItemKind, snippetKey, snippetPrefix, workspaceKey } from '../table/keys.ts';
import { queryPage } from '../table/query.ts';
import { readableItems } from '../table/readable.ts';
import type { Table } from '../table/table.ts';
import { deletePart, putPart, type TransactionItems, transact, updatePart } from '../table/transaction.ts';
import { maxSnippets, Snippet } from './schemas.ts';

const kind: ItemKind = 'snippet';

export const snippetFromItem = (item: Item): Snippet => Snippet.parse(item);

const snippetItem = (snippet: Snippet): Item => ({
  ...snippetKey(snippet.workspaceId, snippet.id),
  kind,
  ...snippet,
});

/** @returns `undefined` for an unknown id and for one of another workspace */
export async function findSnippet(
  table: Table,
  workspaceId: string,
  id: string,
): Promise<Snippet | undefined> {
  const item = await getItem(table, snippetKey(workspaceId, id));
  return item && snippetFromItem(item);
}

/** Returns a page of a workspace's saved texts in order of creation: up to 1 MB. */
export async function querySnippets(
  table: Table,
  workspaceId: string,
  { limit, afterId }: { readonly limit: number; readonly afterId?: string | undefined },
): Promise<{ readonly snippets: Snippet[]; readonly lastId: string | undefined }> {
  const { items, lastKey } = await queryPage(table, {
    partition: workspaceKey(workspaceId).pk,
    sort: { beginsWith: snippetPrefix },
    limit,
    after: afterId === undefined ? undefined : snippetKey(workspaceId, afterId),
  });
  return {
    snippets: readableItems(table, items, snippetFromItem),
    lastId: lastKey && String(lastKey['sk']).slice(snippetPrefix.length),
  };
}

/** Stores a new saved text and counts it, both or neither. @returns false if the workspace has as many as it may have */
export async function insertSnippet(
  table: Table,
  snippet: Snippet,
  audit: TransactionItems = [],
): Promise<boolean> {
  const { committed } = await transact(table, [
    updatePart(table, workspaceKey(snippet.workspaceId), {
      add: { snippets: 1 },
      if: { pk: present, snippets: anyOf(absent, lessThan(maxSnippets)) },
    }),
    putPart(table, snippetItem(snippet), { pk: absent }),
    ...audit,
  ]);
  return committed;
}

/** Changes fields of a saved text. @returns false if it was deleted in the meantime */
export async function updateSnippet(
  table: Table,
  { workspaceId, id }: Snippet,
  changes: Partial<Pick<Snippet, 'use' | 'name' | 'content' | 'updatedAt'>>,
  audit: TransactionItems[number],
): Promise<boolean> {
  const key = snippetKey(workspaceId, id);
  const { committed } = await transact(table, [
    updatePart(table, key, { set: changes, if: { pk: present } }),
    audit,
  ]);
  return committed;
}

/** Deletes a saved text. @returns false if it was deleted in the meantime */
export async function deleteSnippet(
  table: Table,
  { workspaceId, id }: Snippet,
  audit: TransactionItems[number],
): Promise<boolean> {
  const { committed } = await transact(table, [
    deletePart(table, snippetKey(workspaceId, id), { pk: present }),
    updatePart(table, workspaceKey(workspaceId), { add: { snippets: -1 }, if: { pk: present } }),
    audit,
  ]);
  return committed;
}
