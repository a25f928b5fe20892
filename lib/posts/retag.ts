import type { Context } from '../api-contract/context.ts';
import { auditPart } from '../audit/record.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { HeraldError } from '../kernel/errors.ts';
import { present } from '../table/condition.ts';
import { postKey } from '../table/keys.ts';
import { transact, updatePart } from '../table/transaction.ts';
import { plus, removed } from '../table/update.ts';
import { readWorkspaceTags, tagIdsOf } from '../tags/store.ts';
import { tagsOf, withTags } from '../tags/workspace-tags.ts';
import { requireBeyondDrafts } from './approval/beyond-drafts.ts';
import { requireVersion } from './approval/decisions.ts';
import { readPost } from './read.ts';
import type { EditPostBody } from './request/schemas.ts';
import { type Post, subjectOf } from './stored/schemas.ts';
import type { PostWithTargets } from './stored/store.ts';
import type { DryRun } from './validate.ts';

/** A change of a post that concerns nothing but its tags. */
type TagChange = Pick<EditPostBody, 'tags' | 'ifVersion'>;

/** Returns true if a change concerns nothing but the tags of a post. Pure. */
export function isOnlyTags({ tags, ifVersion: _, dryRun: _isDryRun, ...others }: EditPostBody): boolean {
  return tags !== undefined && Object.values(others).every((value) => value === undefined);
}

/** The number of tries if the post is deleted, scheduled or changed in the meantime. */
const maxTries = 5;

/**
 * Changes the tags of a post in any state. Nothing is planned again, and nothing changes at a platform: only the item of the post is
 * written, with its version, so that a concurrent edit does not bring the old tags back.
 *
 * @throws HeraldError `not_found`; `permission_missing` if the post is no draft, and the actor may only draft; `post_changed`;
 *   `too_many_tags`; `changed_concurrently`
 */
export async function retagPost(
  context: Context,
  postId: string,
  change: TagChange,
): Promise<PostWithTargets> {
  const { table, workspaceId, now } = context;
  for (let attempt = 1; ; attempt += 1) {
    const { post, targets } = await readTaggable(context, postId, change);
    const names = change.tags ?? [];
    const ids =
      names.length === 0 ? [] : await tagIdsOf(context, names, await readWorkspaceTags(table, workspaceId));
    if (isSame(post.tagIds, ids)) return { post, targets };
    const tagIds = ids.length === 0 ? removed : ids;
    const updatedAt = toTimestamp(now);
    const { committed } = await transact(table, [
      updatePart(table, postKey(workspaceId, postId), {
        set: { tagIds, updatedAt, version: plus(1) },
        // A draft that somebody has just scheduled is read again: the actor may only draft.
        if:
          post.status === 'draft'
            ? { status: 'draft', ...versionOf(change) }
            : { pk: present, ...versionOf(change) },
      }),
      auditPart(context, subjectOf(post)),
    ]);
    if (committed) return { post: { ...post, tagIds: ids, updatedAt, version: post.version + 1 }, targets };
    if (attempt === maxTries)
      throw new HeraldError('changed_concurrently', 'the post is being changed at the same time; try again');
  }
}

/** Returns what {@link retagPost} would do. Stores nothing. @throws HeraldError as {@link retagPost} */
export async function foreseeRetagged(context: Context, postId: string, change: TagChange): Promise<DryRun> {
  const { post, targets } = await readTaggable(context, postId, change);
  const stored = await readWorkspaceTags(context.table, context.workspaceId);
  const { after, ids } = withTags(stored, change.tags ?? []);
  return { post: { ...post, tagIds: ids }, targets, tags: tagsOf(after), problems: [], warnings: [] };
}

async function readTaggable(context: Context, postId: string, change: TagChange): Promise<PostWithTargets> {
  const existing = await readPost(context, postId);
  if (existing.post.status !== 'draft') await requireBeyondDrafts(context);
  requireVersion(existing.post, change);
  return existing;
}

const versionOf = ({ ifVersion }: TagChange) => (ifVersion === undefined ? {} : { version: ifVersion });

const isSame = (before: Post['tagIds'] = [], after: readonly number[]): boolean =>
  before.length === after.length && before.every((id, index) => id === after[index]);
