import type { Context } from '../api-contract/context.ts';
import { secondMs } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { openCursor, sealCursor } from '../table/cursor.ts';
import { getItem } from '../table/items.ts';
import { mediaKey, mediaPartition } from '../table/keys.ts';
import { queryPage } from '../table/query.ts';
import type { Media, MediaStatus } from './schemas.ts';
import { shownMediaFromItem } from './stored-media.ts';

/** Returns a file's record. @throws HeraldError `not_found`, also for a foreign or deleted file */
export async function getMedia(context: Context, mediaId: string): Promise<Media> {
  const { table, workspaceId } = context;
  const item = isId(mediaId) ? await getItem(table, mediaKey(workspaceId, mediaId)) : undefined;
  const media = item && shownMediaFromItem(item, table);
  if (!media || !isKept(media, context.now)) throw notFound('media');
  return media;
}

/**
 * Returns true if the file still exists for users. Unused grants expire; DynamoDB's TTL removes them within days, so
 * expired ones are hidden until then.
 */
function isKept({ removedAt, expiresAtSeconds }: Media, now: number): boolean {
  const isExpired = expiresAtSeconds !== undefined && expiresAtSeconds * secondMs <= now;
  return removedAt === undefined && !isExpired;
}

/**
 * Returns a page of the workspace's files, newest first, strongly consistent. Makes one request, however many files
 * there are. Reads and drops files of another status, so a page may be shorter than `limit`.
 *
 * @throws HeraldError `invalid` if the cursor is not from this list
 */
export async function listMedia(
  context: Context,
  query: { status?: MediaStatus | undefined; limit: number; cursor?: string | undefined },
): Promise<{ media: Media[]; nextCursor: string | null }> {
  const { table, workspaceId, cursorSecret, now } = context;
  const { status, limit } = query;
  const scope = { secret: cursorSecret, listing: 'media', filters: { status } };
  const afterId = query.cursor === undefined ? undefined : openCursor(scope, query.cursor);
  const { items, lastKey } = await queryPage(table, {
    partition: mediaPartition(workspaceId),
    filter: status && { status },
    after: afterId === undefined ? undefined : mediaKey(workspaceId, afterId),
    descending: true,
    limit,
  });
  const shown = items.flatMap((item) => shownMediaFromItem(item, table) ?? []);
  return {
    media: shown.filter((media) => isKept(media, now)),
    nextCursor: lastKey ? sealCursor(scope, String(lastKey['sk'])) : null,
  };
}
