import { batchWrite } from '../../table/batch-write.ts';
import { absent, type Condition } from '../../table/condition.ts';
import { deleteItem, getItem, putItem, updateItem } from '../../table/items.ts';
import { postWordKey, searchedPostKey } from '../../table/keys.ts';
import { backOff, type Table } from '../../table/table.ts';
import { removed } from '../../table/update.ts';
import { findPost } from '../stored/store.ts';
import {
  type IndexEntry,
  indexEntry,
  postWordItems,
  SearchedPost,
  searchedPostItem,
  wordsOf,
} from './index-rows.ts';
import { stemOf } from './words.ts';

export interface PostName {
  readonly workspaceId: string;
  readonly postId: string;
}

/** The number of tries if the index of the post is being changed at the same time. Our judgement. */
const maxTries = 8;
const contentionRange = { baseMs: 50, capMs: 1_000 };

/**
 * Makes the rows of the index follow a post as it is now: new, edited or gone. Safe to run at any time, more than once and concurrently.
 * Writes nothing if the rows are up to date.
 *
 * 1. Reads the post's row, and only then the post, so that a row of a newer post is never replaced: its revision has changed.
 * 2. Notes in the post's row the stems of all rows by word that exist or are about to.
 * 3. Writes and deletes rows by word.
 * 4. Takes the note away if no other run has begun in the meantime; otherwise begins again with the stems that it has written.
 * 5. Reads the post once more, and begins again if it has changed: the run of that change may have found the rows as they should be,
 *    before this one replaced them with those of an older post.
 *
 * So after a crash anywhere, the next run knows every row that may be left over.
 *
 * @throws Error if other runs keep changing the rows
 */
export async function indexPost(table: Table, post: PostName): Promise<void> {
  const own = new Set<string>();
  for (let attempt = 1; attempt <= maxTries; attempt += 1) {
    if (await tryToIndex(table, post, own)) return;
    await backOff(table, attempt, contentionRange);
  }
  throw new Error(`the index of post ${post.postId} changed during each of ${maxTries} tries`);
}

/**
 * @param own the stems of rows that this run has written
 * @returns false if another run has changed the rows at the same time
 */
async function tryToIndex(
  table: Table,
  { workspaceId, postId }: PostName,
  own: Set<string>,
): Promise<boolean> {
  const key = searchedPostKey(workspaceId, postId);
  const item = await getItem(table, key);
  const before = item && SearchedPost.parse(item);
  const found = await findPost(table, workspaceId, postId);
  const after = found && indexEntry(postId, found);
  const isDone = before?.stems === undefined && before?.digest === after?.row.digest;
  if (isDone && own.size === 0) return true;
  const unchanged: Condition = before ? { revision: before.revision } : { pk: absent };
  const stems = new Set([
    ...own,
    ...(before ? (before.stems ?? wordsOf(before).map(stemOf)) : []),
    ...(after?.wordsByStem.keys() ?? []),
  ]);
  const left = [...stems].filter((stem) => !after?.wordsByStem.has(stem));
  const deletes = left.map((stem) => postWordKey(workspaceId, stem, postId));
  if (!after) {
    await batchWrite(table, { deletes });
    const isGone = before === undefined || (await deleteItem(table, key, unchanged));
    // An id is never used again, but a text may get words again.
    return isGone && (found === undefined || (await isStill(table, { workspaceId, postId }, after)));
  }
  const revision = (before?.revision ?? 0) + 1;
  const row = { ...after.row, revision, stems: [...stems] };
  const noted = await putItem(table, searchedPostItem(workspaceId, row), unchanged);
  if (!noted.written) return false;
  for (const stem of after.wordsByStem.keys()) own.add(stem);
  await batchWrite(table, { puts: postWordItems(workspaceId, after), deletes });
  const ended = await updateItem(table, key, { set: { stems: removed }, if: { revision } });
  return ended.written && isStill(table, { workspaceId, postId }, after);
}

/** Returns true if a post should have these rows. */
async function isStill(
  table: Table,
  { workspaceId, postId }: PostName,
  entry: IndexEntry | undefined,
): Promise<boolean> {
  const found = await findPost(table, workspaceId, postId);
  return (found && indexEntry(postId, found))?.row.digest === entry?.row.digest;
}
