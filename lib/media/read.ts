import { accountsOf } from '../access/actor.ts';
import type { Context } from '../api-contract/context.ts';
import { mapInBatches } from '../kernel/batches.ts';
import { secondMs } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { openCursor, sealCursor } from '../table/cursor.ts';
import { getItem } from '../table/items.ts';
import { mediaKey, mediaPartition } from '../table/keys.ts';
import { queryPage } from '../table/query.ts';
import type { Media, MediaStatus } from './schemas.ts';
import { shownMediaFromItem } from './stored-media.ts';

/**
 * Returns true if a file exists for the actor: if it may use all accounts, has uploaded the file itself, or sees a post that uses
 * it. Passed as an argument because `lib/media` must not import `lib/posts`.
 */
export type SeesMedia = (
  context: Pick<Context, 'table' | 'workspaceId' | 'actor' | 'now'>,
  media: Pick<Media, 'id' | 'uploadedBy'>,
) => Promise<boolean>;

/** The context of reading files. */
export interface MediaReader extends Context {
  readonly seesMedia: SeesMedia;
}

/** Returns a file's record. @throws HeraldError `not_found`, also for a foreign, hidden or deleted file */
export async function getMedia(context: MediaReader, mediaId: string): Promise<Media> {
  const { table, workspaceId } = context;
  const item = isId(mediaId) ? await getItem(table, mediaKey(workspaceId, mediaId)) : undefined;
  const media = item && shownMediaFromItem(item, table);
  if (!media || !isKept(media, context.now) || !(await context.seesMedia(context, media)))
    throw notFound('media');
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

/** The maximum number of files per page for a key that is limited to accounts: its posts are looked up for each. */
const limitedPage = 50;
/** The number of files that are looked up at once. */
const concurrency = 10;

/**
 * Returns a page of the workspace's files, newest first, strongly consistent. Makes one request, however many files there are,
 * unless the actor is limited to accounts. Reads and drops files of another status and those that the actor does not see, so a
 * page may be shorter than `limit`.
 *
 * @throws HeraldError `invalid` if the cursor is not from this list
 */
export async function listMedia(
  context: MediaReader,
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
    limit: accountsOf(context.actor) ? Math.min(limit, limitedPage) : limit,
  });
  const kept = items
    .flatMap((item) => shownMediaFromItem(item, table) ?? [])
    .filter((media) => isKept(media, now));
  const seen = new Set<string>();
  await mapInBatches(kept, concurrency, async (media) => {
    if (await context.seesMedia(context, media)) seen.add(media.id);
  });
  return {
    media: kept.filter(({ id }) => seen.has(id)),
    nextCursor: lastKey ? sealCursor(scope, String(lastKey['sk'])) : null,
  };
}
