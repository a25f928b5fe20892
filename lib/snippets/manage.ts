import type { Context } from '../api-contract/context.ts';
import { auditPart } from '../audit/record.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { invalidField, notFound } from '../kernel/errors.ts';
import { isId, newId } from '../kernel/ids.ts';
import { openCursor, sealCursor } from '../table/cursor.ts';
import type { CreateSnippetBody, EditSnippetBody } from './operations.ts';
import { maxSnippets, type Snippet, type SnippetView } from './schemas.ts';
import { deleteSnippet, findSnippet, insertSnippet, querySnippets, updateSnippet } from './store.ts';
import { variablesOf } from './variables.ts';

const toSnippetView = ({ id, use, name, content, createdAt, updatedAt }: Snippet): SnippetView => ({
  ...{ id, kind: use, name, content, createdAt, updatedAt },
  variables: variablesOf(content),
});

const subjectOf = ({ id, name }: Snippet) => ({ id, name });

/**
 * Returns a page of the workspace's saved texts, oldest first. It may be shorter than `limit`: DynamoDB's page of 1 MB may end first.
 *
 * @throws HeraldError `invalid` for a cursor of another list
 */
export async function listSnippets(
  context: Context,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ snippets: SnippetView[]; nextCursor: string | null }> {
  const scope = { secret: context.cursorSecret, listing: 'snippets', filters: {} };
  const afterId = cursor === undefined ? undefined : openCursor(scope, cursor);
  const page = await querySnippets(context.table, context.workspaceId, { limit, afterId });
  return {
    snippets: page.snippets.map(toSnippetView),
    nextCursor: page.lastId === undefined ? null : sealCursor(scope, page.lastId),
  };
}

/** @throws HeraldError `not_found`, also for another workspace's saved text */
export async function readSnippet(context: Context, id: string): Promise<SnippetView> {
  return toSnippetView(await getSnippet(context, id));
}

/** @throws HeraldError `too_many_snippets` */
export async function createSnippet(
  context: Context,
  { kind, ...fields }: CreateSnippetBody,
): Promise<SnippetView> {
  const { table, workspaceId, now } = context;
  const at = toTimestamp(now);
  const snippet = { id: newId(now), workspaceId, use: kind, ...fields, createdAt: at, updatedAt: at };
  if (!(await insertSnippet(table, snippet, [auditPart(context, subjectOf(snippet))])))
    throw invalidField(
      'content',
      `the workspace has ${maxSnippets} saved texts, which is the maximum; delete one`,
      'too_many_snippets',
    );
  return toSnippetView(snippet);
}

/** Changes a saved text. Posts keep the text that they were given. @throws HeraldError `not_found` */
export async function editSnippet(
  context: Context,
  id: string,
  { kind, name, content }: EditSnippetBody,
): Promise<SnippetView> {
  const before = await getSnippet(context, id);
  const changes = {
    ...(kind !== undefined && { use: kind }),
    ...(name !== undefined && { name }),
    ...(content !== undefined && { content }),
    updatedAt: toTimestamp(context.now),
  };
  if (!(await updateSnippet(context.table, before, changes, auditPart(context, subjectOf(before)))))
    throw notFound('snippet');
  return toSnippetView({ ...before, ...changes });
}

/** @throws HeraldError `not_found` */
export async function removeSnippet(context: Context, id: string): Promise<void> {
  const snippet = await getSnippet(context, id);
  if (!(await deleteSnippet(context.table, snippet, auditPart(context, subjectOf(snippet)))))
    throw notFound('snippet');
}

async function getSnippet({ table, workspaceId }: Context, id: string): Promise<Snippet> {
  const snippet = isId(id) ? await findSnippet(table, workspaceId, id) : undefined;
  if (!snippet) throw notFound('snippet');
  return snippet;
}
