import type { Context } from '../api-contract/context.ts';
import { auditPart } from '../audit/record.ts';
import { notFound } from '../kernel/errors.ts';
import { openCursor, sealCursor } from '../table/cursor.ts';
import { backOff } from '../table/table.ts';
import { transact, updatePart } from '../table/transaction.ts';
import type { EditTagBody } from './operations.ts';
import { foldTag, type StoredTag, type TagView, type WorkspaceTags } from './schemas.ts';
import { maxTagTries, readWorkspaceTags, tagContention, tagsChanging, tagsUpdate } from './store.ts';
import { findTag, withChangedTag } from './workspace-tags.ts';

const toTagView = ({ name, color }: StoredTag): TagView => ({ name, color });

/**
 * Returns the workspace's tags by name: all of them, or one page if `limit` is given.
 *
 * @throws HeraldError `invalid` for a cursor of another list
 */
export async function listTags(
  context: Context,
  { limit, cursor }: { readonly limit?: number | undefined; readonly cursor?: string | undefined },
): Promise<{ tags: TagView[]; nextCursor: string | null }> {
  const scope = { secret: context.cursorSecret, listing: 'tags', filters: {} };
  const after = cursor === undefined ? undefined : openCursor(scope, cursor);
  const { tags } = await readWorkspaceTags(context.table, context.workspaceId);
  const placed = tags
    .map((tag) => ({ tag, place: `${foldTag(tag.name)}#${tag.id}` }))
    .filter(({ place }) => after === undefined || place > after)
    .sort((one, other) => (one.place < other.place ? -1 : 1));
  const page = placed.slice(0, limit);
  const last = page.length < placed.length ? page.at(-1) : undefined;
  return {
    tags: page.map(({ tag }) => toTagView(tag)),
    nextCursor: last ? sealCursor(scope, last.place) : null,
  };
}

/**
 * Renames a tag, or gives it another colour. All posts that have it follow.
 *
 * @throws HeraldError `not_found`; `conflict` if another tag has the name; `changed_concurrently`
 */
export async function editTag(
  context: Context,
  name: string,
  change: EditTagBody,
): Promise<{ readonly tag: TagView }> {
  const changed = await changeTags(context, name, (before, tag) => {
    const isSame = (change.name ?? tag.name) === tag.name && (change.color ?? tag.color) === tag.color;
    return isSame ? before : withChangedTag(before, tag, change);
  });
  const { id } = changed.tag;
  return { tag: toTagView(changed.after.tags.find((tag) => tag.id === id) ?? changed.tag) };
}

/**
 * Deletes a tag. Posts keep its id, which no tag has again, so nothing shows it any more.
 *
 * @throws HeraldError `not_found`; `changed_concurrently`
 */
export async function removeTag(context: Context, name: string): Promise<void> {
  await changeTags(context, name, (before, { id }) => ({
    ...before,
    tags: before.tags.filter((tag) => tag.id !== id),
  }));
}

/** Reads the tags and writes them changed, with an entry of the audit log, until nobody has changed them in between. */
async function changeTags(
  context: Context,
  name: string,
  change: (before: WorkspaceTags, tag: StoredTag) => WorkspaceTags,
): Promise<{ readonly tag: StoredTag; readonly after: WorkspaceTags }> {
  const { table, workspaceId } = context;
  for (let attempt = 1; ; attempt += 1) {
    const before = await readWorkspaceTags(table, workspaceId);
    const tag = findTag(before, name);
    if (!tag) throw notFound('tag');
    const after = change(before, tag);
    if (after === before) return { tag, after };
    const { key, update } = tagsUpdate(workspaceId, after);
    const { committed } = await transact(table, [
      updatePart(table, key, update),
      auditPart(context, { id: String(tag.id), name: tag.name }),
    ]);
    if (committed) return { tag, after };
    if (attempt === maxTagTries) throw tagsChanging();
    await backOff(table, attempt, tagContention);
  }
}
