import { accountsOf, seesAccount } from '../../access/actor.ts';
import type { Context } from '../../api-contract/context.ts';
import { mapInBatches } from '../../kernel/batches.ts';
import { shownMediaFromItem } from '../../media/stored-media.ts';
import { batchGet } from '../../table/batch-get.ts';
import type { FoundItems } from '../../table/found-items.ts';
import type { Item } from '../../table/items.ts';
import { accountKey, idempotencyKey, type Key, mediaKey, snippetKey, tagsKey } from '../../table/keys.ts';
import { seesMedia } from '../stored/visible-media.ts';
import type { PostDraft } from './check-shape.ts';
import { stepPosts } from './step-post.ts';

/**
 * Returns the keys of the accounts and files to which a post refers, without those of its chain.
 *
 * @param maySee returns true for accounts to include
 */
export function referenceKeys(
  workspaceId: string,
  draft: PostDraft,
  maySee: (accountId: string) => boolean = () => true,
): Key[] {
  const files = [
    ...draft.mediaItems,
    ...(draft.cover ? [draft.cover] : []),
    ...draft.destinations.flatMap(({ customMedia = [], thread = [] }) => [
      ...customMedia,
      ...thread.flatMap(({ mediaItems }) => mediaItems),
    ]),
  ];
  return [
    ...draft.destinations
      .filter(({ entry }) => maySee(entry.accountId))
      .map(({ entry }) => accountKey(workspaceId, entry.accountId)),
    ...files.map(({ mediaId }) => mediaKey(workspaceId, mediaId)),
  ];
}

/** The stored items to which a request refers. */
export interface References {
  readonly found: FoundItems;
  /** The id of the post that the request's idempotency key created before. */
  readonly replayedPostId: string | undefined;
  /** Digest of the body with which the key was first used. Records of earlier releases have none. */
  readonly replayedBodyDigest?: string | undefined;
}

/**
 * Returns the keys of everything to which a request refers, with its chain and the record of its idempotency key. Leaves out
 * accounts that the actor may not use: for the plan, they are unknown. Files to import are not stored yet.
 *
 * @param digest digest of the request's idempotency key, if it has one
 */
export function requestKeys({ workspaceId, actor }: Context, draft: PostDraft, digest?: string): Key[] {
  const maySee = (accountId: string) => seesAccount(actor, accountId);
  const imported = new Set((draft.imports ?? []).map(({ media }) => mediaKey(workspaceId, media.id).sk));
  return [
    ...(digest === undefined ? [] : [idempotencyKey(workspaceId, digest)]),
    ...(draft.body.snippets ?? []).map(({ id }) => snippetKey(workspaceId, id)),
    ...(draft.body.tags || draft.tagIds ? [tagsKey(workspaceId)] : []),
    ...[draft, ...stepPosts(draft)]
      .flatMap((post) => referenceKeys(workspaceId, post, maySee))
      .filter(({ sk }) => !imported.has(sk)),
  ];
}

/**
 * Returns the references of one request from items that were read by {@link requestKeys}, perhaps together with those of other
 * requests.
 */
export function referencesIn(
  { workspaceId, now }: Context,
  found: FoundItems,
  digest: string | undefined,
): References {
  const record = digest === undefined ? undefined : found.get(idempotencyKey(workspaceId, digest));
  const isAlive = record && Number(record['expiresAtSeconds']) * 1_000 > now;
  if (!isAlive) return { found, replayedPostId: undefined };
  return { found, ...usedBy(record) };
}

/** Returns the first use of a key from its idempotency record. */
export function usedBy({ postId, bodyDigest }: Item): Omit<References, 'found'> & { replayedPostId: string } {
  return {
    replayedPostId: String(postId),
    ...(bodyDigest !== undefined && { replayedBodyDigest: String(bodyDigest) }),
  };
}

/**
 * Hides the files that the actor does not see: for the plan, they are unknown. Reads nothing unless the actor is limited to
 * accounts and refers to files that it has not uploaded itself.
 *
 * @param found the items by {@link requestKeys}
 */
export async function withoutHiddenFiles(
  context: Context,
  drafts: readonly PostDraft[],
  found: FoundItems,
): Promise<FoundItems> {
  if (accountsOf(context.actor) === undefined) return found;
  const { table, workspaceId } = context;
  const keys = drafts
    .flatMap((draft) => [draft, ...stepPosts(draft)])
    .flatMap((draft) => referenceKeys(workspaceId, draft, () => false));
  const ids = [...new Set(keys.map(({ sk }) => sk))];
  const hidden = new Set<string>();
  await mapInBatches(ids, concurrency, async (id) => {
    const item = found.get(mediaKey(workspaceId, id));
    const media = item && shownMediaFromItem(item, table);
    if (media && !(await seesMedia(context, media))) hidden.add(id);
  });
  const { pk: files } = mediaKey(workspaceId, '');
  return { get: (key) => (key.pk === files && hidden.has(key.sk) ? undefined : found.get(key)) };
}

/** The number of files that are looked up at once. */
const concurrency = 10;

/**
 * Reads everything to which a request refers, in one batch.
 *
 * @param digest digest of the request's idempotency key, if it has one
 */
export async function readReferences(
  context: Context,
  draft: PostDraft,
  digest?: string,
): Promise<References> {
  const found = await batchGet(context.table, requestKeys(context, draft, digest));
  return referencesIn(context, await withoutHiddenFiles(context, [draft], found), digest);
}
