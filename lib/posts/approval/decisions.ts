import type { Context } from '../../api-contract/context.ts';
import { HeraldError, invalidField } from '../../kernel/errors.ts';
import type { FoundItems } from '../../table/found-items.ts';
import { mediaKey } from '../../table/keys.ts';
import type { EditPostBody } from '../request/schemas.ts';
import type { Post } from '../stored/schemas.ts';
import { filesOf, type PostWithTargets } from '../stored/store.ts';

/** True if somebody has asked for the approval of a draft, and nobody has approved it. */
export const isUndecided = ({ approval }: Post): boolean =>
  approval !== undefined && approval.state !== 'approved';

/**
 * @throws HeraldError `post_changed` if the post has another version than the request says; `conflict` or `invalid` if the request
 *   declines a draft that does not wait for approval, or without a version
 */
export function requireVersion({ version, approval }: Post, { ifVersion, decline }: EditPostBody): void {
  if (decline && ifVersion === undefined) throw versionMissing();
  if (ifVersion !== undefined && ifVersion !== version)
    throw new HeraldError(
      'post_changed',
      `ifVersion: the post has changed since version ${ifVersion}; read it again`,
      { param: 'ifVersion' },
    );
  if (decline && approval?.state !== 'waiting')
    throw new HeraldError('conflict', 'decline: the post does not wait for approval');
}

const versionMissing = () =>
  invalidField(
    'ifVersion',
    'is required to decide about a draft: the version that you have seen',
    'field_required',
  );

/**
 * Refuses to approve what nobody can have seen: the request must say which version it is about, the proposed time must not have
 * passed, and the files must have arrived, because whoever proposes the draft can still send them.
 *
 * @throws HeraldError `invalid`; `media_pending`
 */
export function requireSeen(
  { workspaceId, now }: Context,
  { post, targets }: PostWithTargets,
  { ifVersion, scheduledFor, publishNow, platforms }: EditPostBody,
  found: FoundItems,
): void {
  if (ifVersion === undefined) throw versionMissing();
  const proposed = [post.scheduledFor, ...(platforms ? [] : targets.map((target) => target.scheduledFor))];
  const isPast = (time: string | undefined) => time !== undefined && Date.parse(time) <= now;
  if (scheduledFor === undefined && !publishNow && proposed.some(isPast))
    throw invalidField(
      'scheduledFor',
      'the proposed time has passed: give another one, auto or publishNow',
      'time_in_past',
    );
  const statusOf = (mediaId: string) => found.get(mediaKey(workspaceId, mediaId))?.['status'];
  if ([...filesOf({ post, targets })].some((mediaId) => statusOf(mediaId) === 'pending'))
    throw new HeraldError(
      'media_pending',
      'a file of the draft has not arrived, so nobody can have seen it: approve the draft when it has',
    );
}

/** Returns the audit log's note on a change that decides about a draft. */
export function decisionNote({ approval: before }: Post, { approval }: Post): string | undefined {
  if (approval === undefined || approval.state === 'waiting' || approval.state === before?.state)
    return undefined;
  return approval.note === undefined ? approval.state : `${approval.state}: ${approval.note}`;
}
