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
import { type MediaKind, mediaKindOf } from './types.ts';

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

/** The maximum number of files that a page of a search reads. */
export const mostSearched = 500;
/** The number of files that a search reads at once: within a request's 1 MB, however much their probes say. */
const searchedAtOnce = 100;

interface ListQuery {
  readonly status?: MediaStatus | undefined;
  readonly search?: string | undefined;
  readonly kind?: MediaKind | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Returns a page of the workspace's files, newest first, strongly consistent. Makes one request, however many files there are,
 * unless the actor is limited to accounts; a search makes up to five. Reads and drops files that do not match and those that the
 * actor does not see, so a page may be shorter than `limit`.
 *
 * @throws HeraldError `invalid` if the cursor is not from this list
 */
export async function listMedia(
  context: MediaReader,
  query: ListQuery,
): Promise<{ media: Media[]; nextCursor: string | null }> {
  const { table, workspaceId, cursorSecret, now } = context;
  const { status, search, kind, limit } = query;
  const scope = { secret: cursorSecret, listing: 'media', filters: { status, search, kind } };
  const isSearch = search !== undefined || kind !== undefined;
  const isLimited = accountsOf(context.actor) !== undefined;
  const atOnce = isSearch ? searchedAtOnce : limit;
  const maxReads = isSearch && !isLimited ? mostSearched / searchedAtOnce : 1;
  let afterId = query.cursor === undefined ? undefined : openCursor(scope, query.cursor);
  const media: Media[] = [];
  for (let reads = 1; ; reads += 1) {
    const { items, lastKey } = await queryPage(table, {
      partition: mediaPartition(workspaceId),
      filter: status && { status },
      after: afterId === undefined ? undefined : mediaKey(workspaceId, afterId),
      descending: true,
      limit: isLimited ? Math.min(atOnce, limitedPage) : atOnce,
    });
    const matching = items
      .flatMap((item) => shownMediaFromItem(item, table) ?? [])
      .filter((each) => isKept(each, now) && matches(each, search, kind));
    media.push(...(await visibleOf(context, matching)));
    const last = media[limit - 1];
    if (last !== undefined && (media.length > limit || lastKey))
      return { media: media.slice(0, limit), nextCursor: sealCursor(scope, last.id) };
    if (!lastKey) return { media, nextCursor: null };
    afterId = String(lastKey['sk']);
    if (reads >= maxReads) return { media, nextCursor: sealCursor(scope, afterId) };
  }
}

function matches(
  { filename, contentType }: Media,
  search: string | undefined,
  kind: MediaKind | undefined,
): boolean {
  if (kind !== undefined && mediaKindOf(contentType) !== kind) return false;
  const name = searchable(filename);
  return (
    search === undefined ||
    searchable(search)
      .split(/\s+/)
      .every((text) => name.includes(text))
  );
}

const searchable = (text: string): string => text.normalize('NFKC').toLowerCase();

async function visibleOf(context: MediaReader, media: readonly Media[]): Promise<Media[]> {
  const seen = new Set<string>();
  await mapInBatches(media, concurrency, async (each) => {
    if (await context.seesMedia(context, each)) seen.add(each.id);
  });
  return media.filter(({ id }) => seen.has(id));
}
