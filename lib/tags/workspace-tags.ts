import { HeraldError, invalidField } from '../kernel/errors.ts';
import {
  foldTag,
  maxTagsOfWorkspace,
  type StoredTag,
  TagColor,
  type Tagged,
  type WorkspaceTags,
} from './schemas.ts';

/** The tags of a workspace that has never used one. */
export const noTagsYet: WorkspaceTags = { tags: [], lastId: 0, version: 0 };

/** Returns the names of a post's tags, in order. */
export type TagsOf = (post: Tagged) => string[];

/** Returns the function that finds the names of posts' tags. Deleted tags are left out. Pure. */
export function tagsOf({ tags }: WorkspaceTags): TagsOf {
  const names = new Map(tags.map(({ id, name }) => [id, name]));
  return ({ tagIds = [] }) => tagIds.flatMap((id) => names.get(id) ?? []);
}

export const findTag = ({ tags }: WorkspaceTags, name: string): StoredTag | undefined => {
  const folded = foldTag(name);
  return tags.find((tag) => foldTag(tag.name) === folded);
};

/**
 * Returns the ids of these names, and the tags of the workspace with those that are new. Pure.
 *
 * @throws HeraldError `too_many_tags`, about `tags`
 */
export function withTags(
  before: WorkspaceTags,
  names: readonly string[],
): { readonly after: WorkspaceTags; readonly ids: number[] } {
  let after = before;
  const ids = names.map((name) => {
    const known = findTag(after, name);
    if (known) return known.id;
    const tag = { id: after.lastId + 1, name, color: nextColor(after.tags) };
    after = { ...after, tags: [...after.tags, tag], lastId: tag.id };
    return tag.id;
  });
  if (after.tags.length > maxTagsOfWorkspace)
    throw invalidField(
      'tags',
      `the workspace has ${before.tags.length} tags, and may have ${maxTagsOfWorkspace}: delete some, or use existing ones`,
      'too_many_tags',
    );
  return { after, ids };
}

/** Returns the first of the colours that the fewest tags have. */
function nextColor(tags: readonly StoredTag[]): TagColor {
  const uses = (color: TagColor) => tags.filter((tag) => tag.color === color).length;
  return TagColor.options.reduce((best, color) => (uses(color) < uses(best) ? color : best));
}

/**
 * Returns the tags with a changed one. Posts refer to it by its id, so they follow. Pure.
 *
 * @throws HeraldError `not_found`; `conflict` if another tag has the new name
 */
export function withChangedTag(
  before: WorkspaceTags,
  tag: StoredTag,
  {
    name = tag.name,
    color = tag.color,
  }: { readonly name?: string | undefined; readonly color?: TagColor | undefined },
): WorkspaceTags {
  const other = findTag(before, name);
  if (other && other.id !== tag.id)
    throw new HeraldError('conflict', 'name: another tag of the workspace has this name', { param: 'name' });
  return {
    ...before,
    tags: before.tags.map((each) => (each.id === tag.id ? { ...each, name, color } : each)),
  };
}
