import { HeraldError } from '../kernel/errors.ts';
import { absent, type Condition } from '../table/condition.ts';
import { getItem, type Item, updateItem } from '../table/items.ts';
import { type ItemKind, type Key, tagsKey } from '../table/keys.ts';
import { backOff, type Table } from '../table/table.ts';
import type { ItemUpdate } from '../table/update.ts';
import { type Tagged, WorkspaceTags } from './schemas.ts';
import { noTagsYet, type TagsOf, tagsOf, withTags } from './workspace-tags.ts';

const kind: ItemKind = 'tags';

/** @param item the item under {@link tagsKey}, if there is one */
export const tagsFromItem = (item: Item | undefined): WorkspaceTags =>
  item ? WorkspaceTags.parse(item) : noTagsYet;

/** Returns the tags of a workspace, with one strongly consistent read. */
export async function readWorkspaceTags(table: Table, workspaceId: string): Promise<WorkspaceTags> {
  return tagsFromItem(await getItem(table, tagsKey(workspaceId)));
}

/** Returns the function that finds the names of these posts' tags. Reads nothing if none of them has one. */
export async function readTagsOf(
  { table, workspaceId }: { readonly table: Table; readonly workspaceId: string },
  posts: readonly Tagged[],
): Promise<TagsOf> {
  const hasTags = posts.some(({ tagIds = [] }) => tagIds.length > 0);
  return tagsOf(hasTags ? await readWorkspaceTags(table, workspaceId) : noTagsYet);
}

/** Returns the write of a workspace's tags, on condition that they have not changed since they were read. */
export function tagsUpdate(
  workspaceId: string,
  { tags, lastId, version }: WorkspaceTags,
): { readonly key: Key; readonly update: ItemUpdate } {
  const unchanged: Condition = version === 0 ? { pk: absent } : { version };
  return {
    key: tagsKey(workspaceId),
    update: { set: { kind, tags, lastId, version: version + 1 }, if: unchanged },
  };
}

/** The number of tries of a change of the tags if others change them at the same time. */
export const maxTagTries = 8;
export const tagContention = { baseMs: 20, capMs: 500 };

export const tagsChanging = (): HeraldError =>
  new HeraldError(
    'changed_concurrently',
    'the tags of the workspace are being changed at the same time; try again',
  );

/**
 * Returns the ids of tags by their names. Creates those that are missing, before the post that uses them: after a crash in between,
 * the workspace has a tag that no post has.
 *
 * @param read the tags as somebody has read them; they may be out of date
 * @throws HeraldError `too_many_tags`; `changed_concurrently`
 */
export async function tagIdsOf(
  { table, workspaceId }: { readonly table: Table; readonly workspaceId: string },
  names: readonly string[],
  read: WorkspaceTags,
): Promise<number[]> {
  let before = read;
  for (let attempt = 1; ; attempt += 1) {
    // A tag that was just deleted comes back only if it is missing in what is stored now.
    if (attempt > 1) before = await readWorkspaceTags(table, workspaceId);
    const { after, ids } = withTags(before, names);
    if (after === before) return ids;
    const { key, update } = tagsUpdate(workspaceId, after);
    if ((await updateItem(table, key, update)).written) return ids;
    if (attempt === maxTagTries) throw tagsChanging();
    await backOff(table, attempt, tagContention);
  }
}
