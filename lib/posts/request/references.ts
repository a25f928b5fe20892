import { seesAccount } from '../../access/actor.ts';
import type { Context } from '../../api-contract/context.ts';
import { batchGet, type FoundItems } from '../../table/batch-get.ts';
import type { Item } from '../../table/items.ts';
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
 * Reads everything that a request refers to, in one batch. Accounts that the actor may not use are not read: for the plan,
 * they are unknown.
 *
 * @param digest digest of the request's idempotency key, if it has one
 * @returns the stored items; and, if the key was used before, its record
 */
export async function readReferences(
  { table, workspaceId, actor, now }: Context,
  draft: PostDraft,
  digest?: string,
): Promise<{ found: FoundItems; earlierUse: Item | undefined }> {
  const maySee = (accountId: string) => seesAccount(actor, accountId);
  const recordKey = digest === undefined ? undefined : idempotencyKey(workspaceId, digest);
  const found = await batchGet(table, [
    ...(recordKey ? [recordKey] : []),
    ...[draft, ...stepPosts(draft)].flatMap((post) => referenceKeys(workspaceId, post, maySee)),
  ]);
  const record = recordKey && found.get(recordKey);
  const isAlive = record && Number(record['expiresAtSeconds']) * 1_000 > now;
  return { found, earlierUse: isAlive ? record : undefined };
}
