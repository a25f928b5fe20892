import type { Context } from '../api-contract/context.ts';
import { secondMs } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { openCursor, sealCursor } from '../table/cursor.ts';
import { mediaKey, mediaPartition } from '../table/keys.ts';
import { queryPage } from '../table/query.ts';
import { Media, type MediaStatus } from './schemas.ts';
import { findMedia } from './store.ts';

/** @throws HeraldError `not_found`, for a foreign and a deleted file too */
export async function getMedia(context: Context, mediaId: string): Promise<Media> {
  const media = isId(mediaId) ? await findMedia(context.table, context.workspaceId, mediaId) : undefined;
  if (!media || !isKept(media, context.now)) throw notFound('media');
  return media;
}

/** Grants that nothing came of expire; DynamoDB removes them within days. */
function isKept({ removedAt, expiresAtSeconds }: Media, now: number): boolean {
  const isExpired = expiresAtSeconds !== undefined && expiresAtSeconds * secondMs <= now;
  return removedAt === undefined && !isExpired;
}

/**
 * A page of the library, newest first, strongly consistent. One request, whatever the number of files: those of another
 * status are looked at and left out, so that a page may be shorter than `limit`.
 *
 * @throws HeraldError `invalid` for a cursor that is not of this list
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
  return {
    media: items.map((item) => Media.parse(item)).filter((media) => isKept(media, now)),
    nextCursor: lastKey ? sealCursor(scope, String(lastKey['sk'])) : null,
  };
}
