import { seesAccount } from '../../access/actor.ts';
import type { Context } from '../../api-contract/context.ts';
import { mediaItem } from '../../media/store.ts';
import { batchGet, type FoundItems } from '../../table/batch-get.ts';
import { accountKey, idempotencyKey, type Key, mediaKey } from '../../table/keys.ts';
import { stepPosts } from '../chain/step-post.ts';
import type { PostDraft } from './check-shape.ts';

/**
 * Returns the keys of the accounts and files that a post refers to, without those of its chain.
 *
 * @param maySee whether to include an account
 */
export function referenceKeys(
  workspaceId: string,
  draft: PostDraft,
  maySee: (accountId: string) => boolean = () => true,
): Key[] {
  const files = [
    ...draft.mediaItems,
    ...(draft.cover ? [draft.cover] : []),
    ...draft.destinations.flatMap(({ customMedia = [] }) => customMedia),
  ];
  return [
    ...draft.destinations
      .filter(({ entry }) => maySee(entry.accountId))
      .map(({ entry }) => accountKey(workspaceId, entry.accountId)),
    ...files.map(({ mediaId }) => mediaKey(workspaceId, mediaId)),
  ];
}

/**
 * Reads everything that a request refers to, in one batch. The files that it imports are found too, as they will be
 * stored. Accounts that the actor may not use are not read: for the plan,
 * they are unknown.
 *
 * @param digest digest of the request's idempotency key, if it has one
 * @returns the stored items; and, if the key was used before, the id of the post that it created
 */
export async function readReferences(
  { table, workspaceId, actor, now }: Context,
  draft: PostDraft,
  digest?: string,
): Promise<{ found: FoundItems; replayedPostId: string | undefined }> {
  const maySee = (accountId: string) => seesAccount(actor, accountId);
  const recordKey = digest === undefined ? undefined : idempotencyKey(workspaceId, digest);
  const imported = new Map(
    (draft.imports ?? []).map(({ media }) => [mediaKey(workspaceId, media.id).sk, mediaItem(media)]),
  );
  const stored = await batchGet(
    table,
    [
      ...(recordKey ? [recordKey] : []),
      ...[draft, ...stepPosts(draft)].flatMap((post) => referenceKeys(workspaceId, post, maySee)),
    ].filter(({ sk }) => !imported.has(sk)),
  );
  const found = { get: (key: Key) => imported.get(key.sk) ?? stored.get(key) };
  const record = recordKey && found.get(recordKey);
  const isAlive = record && Number(record['expiresAtSeconds']) * 1_000 > now;
  return { found, replayedPostId: isAlive ? String(record['postId']) : undefined };
}
