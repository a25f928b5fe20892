import type { InvalidCode } from '../../kernel/error-codes.ts';
import { type FieldProblem, HeraldError } from '../../kernel/errors.ts';
import type { FoundItems } from '../../table/found-items.ts';
import { tagsKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { tagIdsOf, tagsFromItem } from '../../tags/store.ts';
import { type TagsOf, tagsOf, withTags } from '../../tags/workspace-tags.ts';
import type { Post } from '../stored/schemas.ts';
import type { PostDraft } from './check-shape.ts';

/**
 * Returns a planned post with the ids of the tags that its request names. Creates those that are missing, so call it once the post
 * is certain to be stored.
 *
 * @param found the items to which the request refers
 * @throws HeraldError `too_many_tags`; `changed_concurrently`
 */
export async function withTagIds<Planned extends { readonly post: Post }>(
  context: { readonly table: Table; readonly workspaceId: string },
  planned: Planned,
  names: readonly string[] | null | undefined,
  found: FoundItems,
): Promise<Planned> {
  if (!names || names.length === 0) return planned;
  const read = tagsFromItem(found.get(tagsKey(context.workspaceId)));
  return { ...planned, post: { ...planned.post, tagIds: await tagIdsOf(context, names, read) } };
}

/** A problem with the tags of a request. */
interface TagProblem extends FieldProblem {
  readonly code: InvalidCode;
}

/** Returns what {@link withTagIds} would do, with the function that finds the names of the tags. Stores nothing. Pure. */
export function foreseeTags(
  workspaceId: string,
  draft: PostDraft,
  found: FoundItems,
): { readonly draft: PostDraft; readonly tags: TagsOf; readonly problems: TagProblem[] } {
  const stored = tagsFromItem(found.get(tagsKey(workspaceId)));
  try {
    const { after, ids } = withTags(stored, draft.body.tags ?? []);
    const tagged = draft.body.tags ? { ...draft, tagIds: ids } : draft;
    return { draft: tagged, tags: tagsOf(after), problems: [] };
  } catch (error) {
    if (!(error instanceof HeraldError)) throw error;
    return {
      draft,
      tags: tagsOf(stored),
      problems: error.problems.map((problem) => ({ code: 'too_many_tags', ...problem })),
    };
  }
}
