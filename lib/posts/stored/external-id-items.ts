import { sha256 } from '../../kernel/ids.ts';
import { absent, either, lessThan, unconditionally } from '../../table/condition.ts';
import { claimedExternalIdKey, externalIdKey, externalIdPrefix, type Key } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { deletePart, putPart, type Refusal, type TransactionItems } from '../../table/transaction.ts';
import type { Post } from './schemas.ts';

/** The fields that determine a post's external-id items. */
export type Labelled = Pick<Post, 'workspaceId' | 'id' | 'externalId' | 'externalIdUnique'>;

/** Returns the key of the item that finds a post by its external id; none if it has no external id. */
const entryOf = ({ workspaceId, id, externalId }: Labelled): Key | undefined =>
  externalId === undefined ? undefined : externalIdKey(workspaceId, sha256(externalId), id);

/** Returns the key of the item that only one post can hold; none if the post does not claim its external id. */
export const claimOf = ({ workspaceId, externalId, externalIdUnique }: Labelled): Key | undefined =>
  externalId === undefined || !externalIdUnique
    ? undefined
    : claimedExternalIdKey(workspaceId, sha256(externalId));

/** Returns the keys of all items that a post has because of its external id. */
export function externalIdKeys(post: Labelled): Key[] {
  return [entryOf(post), claimOf(post)].filter((key) => key !== undefined);
}

/**
 * Returns the writes that update the items of a post's external id, for the transaction that writes the post. The post's own
 * condition guards them all, except that a claim must be new, or belong to an expired post: see {@link isClaimRefused}.
 *
 * @param before the post as it was read; absent for a new one
 * @param after the post as it will be; absent if it is deleted
 * @param isRestored true if the post was going to expire, with its items
 */
export function externalIdItems(
  table: Pick<Table, 'name'>,
  before: Labelled | undefined,
  after: (Labelled & Pick<Post, 'updatedAt'>) | undefined,
  { isRestored = false }: { readonly isRestored?: boolean } = {},
): TransactionItems {
  const [old, kept] = [before, after].map((post) => (post ? externalIdKeys(post) : []));
  const isIn = (keys: readonly Key[] = [], { pk, sk }: Key) =>
    keys.some((key) => key.pk === pk && key.sk === sk);
  const ended = (old ?? []).filter((key) => !isIn(kept, key));
  const begun = (kept ?? []).filter((key) => isRestored || !isIn(old, key));
  const postId = after?.id;
  // DynamoDB may take days to remove an expired claim.
  const nowSeconds = Math.floor(Date.parse(after?.updatedAt ?? '') / 1_000);
  const isFree = { [either]: [{ pk: absent }, { postId }, { expiresAtSeconds: lessThan(nowSeconds) }] };
  return [
    ...ended.map((key) => deletePart(table, key, unconditionally)),
    ...begun.map((key) =>
      key.sk.startsWith(externalIdPrefix)
        ? putPart(table, { ...key, kind: 'externalId', postId }, unconditionally)
        : putPart(table, { ...key, kind: claimKind, postId }, isFree, { returnOld: true }),
    ),
  ];
}

const claimKind = 'claimedExternalId';

/** True if a transaction was refused because another post claims the external id. Its `oldItem` then has the `postId`. */
export const isClaimRefused = ({ oldItem }: Refusal): boolean => oldItem?.['kind'] === claimKind;
