import { hourMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { sha256 } from '../kernel/ids.ts';
import { absent, moreThan, present, unconditionally } from '../table/condition.ts';
import { getItem, putItem, updateItem } from '../table/items.ts';
import { choiceKey, connectionKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type TransactionItems, updatePart } from '../table/transaction.ts';
import { removed } from '../table/update.ts';
import { Choice, Connection } from './schemas.ts';

/** Items stay this long after they expire, so that a late user still gets a reason at the URL they came from. */
const keptMs = 24 * hourMs;

/** @param state only its digest is stored, so that a reader of the table cannot complete another user's connection */
export async function insertConnection(table: Table, state: string, connection: Connection): Promise<void> {
  await insert(table, { ...connectionKey(sha256(state)), kind: 'connection', ...connection });
}

export async function insertChoice(table: Table, token: string, choice: Choice): Promise<void> {
  await insert(table, { ...choiceKey(sha256(token)), kind: 'choice', ...choice });
}

/** The key is the digest of a new random token, so there is nothing to overwrite, and repeating the write is safe. */
async function insert(table: Table, item: { expiresAt: string; [name: string]: unknown }): Promise<void> {
  const expiresAtSeconds = Math.ceil((Date.parse(item.expiresAt) + keptMs) / secondMs);
  await putItem(table, { ...item, expiresAtSeconds }, unconditionally);
}

/** Why a state or a choice cannot be used. */
export type Unusable = 'unknown' | 'wrong platform' | 'used' | 'expired';

export type TakenConnection =
  | { readonly state: 'taken'; readonly connection: Connection }
  | { readonly state: Unusable; readonly connection?: Connection };

/**
 * Uses up a state. If several calls present the same state, only one gets it.
 *
 * @param platform from the URL that the browser came to; must be the platform that the state was made for
 * @param writeId unique to this call; recognizes our own write if the SDK repeats it
 */
export async function takeConnection(
  table: Table,
  state: string,
  { platform, now, writeId }: { platform: string; now: number; writeId: string },
): Promise<TakenConnection> {
  const { written, item } = await updateItem(table, connectionKey(sha256(state)), {
    set: { usedAt: toTimestamp(now), usedBy: writeId },
    if: { ...isUnused(now), platform },
  });
  if (!item) return { state: 'unknown' };
  const connection = Connection.parse(item);
  if (written || item['usedBy'] === writeId) return { state: 'taken', connection };
  return { state: unusable(connection, platform, now) ?? 'used', connection };
}

export type FoundChoice =
  | { readonly state: 'open'; readonly choice: Choice }
  | { readonly state: Unusable; readonly choice?: Choice };

export async function findChoice(
  table: Table,
  token: string,
  { platform, now }: { platform: string; now: number },
): Promise<FoundChoice> {
  const item = await getItem(table, choiceKey(sha256(token)));
  if (!item) return { state: 'unknown' };
  const choice = Choice.parse(item);
  return { state: unusable(choice, platform, now) ?? 'open', choice };
}

/** The transaction part that uses up a choice and removes its candidates. */
export function useChoice(table: Table, token: string, now: number): TransactionItems[number] {
  return updatePart(table, choiceKey(sha256(token)), {
    set: { usedAt: toTimestamp(now), candidates: removed },
    if: isUnused(now),
  });
}

const isUnused = (now: number) => ({ pk: present, usedAt: absent, expiresAt: moreThan(toTimestamp(now)) });

function unusable(
  { platform, usedAt, expiresAt }: Connection | Choice,
  platformInUrl: string,
  now: number,
): Unusable | undefined {
  if (platform !== platformInUrl) return 'wrong platform';
  if (usedAt !== undefined) return 'used';
  return Date.parse(expiresAt) <= now ? 'expired' : undefined;
}
