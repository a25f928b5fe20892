import type { Context } from '../api-contract/context.ts';
import { type CalendarEntry, readCalendar, toEntry } from '../calendar/read.ts';
import { dayMs, minuteMs, toTimestamp } from '../kernel/clock.ts';
import { batchGet } from '../table/batch-get.ts';
import { absent } from '../table/condition.ts';
import type { Item } from '../table/items.ts';
import {
  calendarEntryKey,
  calendarPartition,
  calendarVersionKey,
  type Key,
  rhythmKey,
} from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type TransactionItems, transactGet, updatePart } from '../table/transaction.ts';
import { Rhythm } from './schemas.ts';
import { findSlot, type OffsetSpan, offsetSpans } from './slots.ts';

/** How far ahead a slot is looked for. */
export const horizonMs = 90 * dayMs;

export interface SlotRequest {
  readonly postId: string;
  /** Every account that the slot must fit, at least one. */
  readonly accountIds: readonly string[];
  /** Epoch milliseconds before which the post cannot be ready. */
  readonly earliestMs: number;
}

/**
 * A slot as it was seen free. Committed together with its claims it is held: they fail where another slot was claimed on
 * one of its accounts since the calendars were read.
 */
export type SlotChoice =
  | { readonly state: 'free'; readonly atMs: number; readonly claims: TransactionItems }
  | { readonly state: 'none' }
  /** Another claim is just being committed: what the calendars show is not settled. */
  | { readonly state: 'unsettled' };

/**
 * Looks for the earliest slot that fits all accounts, by the rhythms of the calling key. Nothing is written. Its reads
 * are bounded: one batch for rhythms and versions, then the accounts' calendars side by side, at most four requests
 * each. Where a calendar is too full for these, the search ends where they do.
 */
export async function chooseSlot(context: Context, request: SlotRequest): Promise<SlotChoice> {
  const { table, workspaceId, keyId, now } = context;
  const keysOf = (accountId: string) => ({
    rhythm: rhythmKey(workspaceId, accountId, keyId),
    version: calendarVersionKey(workspaceId, accountId),
  });
  // Versions are read before the entries: whatever is claimed from here on makes ours fail.
  const found = await batchGet(
    table,
    request.accountIds.flatMap((accountId) => Object.values(keysOf(accountId))),
  );
  const latestMs = now + horizonMs;
  const spansOf = rememberSpans(request.earliestMs, latestMs);
  const reads = await Promise.all(
    request.accountIds.map(async (accountId) => {
      const keys = keysOf(accountId);
      const rhythm = Rhythm.parse(found.get(keys.rhythm) ?? {});
      const reachMs = reachOf(rhythm);
      const span = { fromMs: request.earliestMs - reachMs, untilMs: latestMs + reachMs };
      const [part, offsets] = await Promise.all([
        readCalendar(table, { workspaceId, accountId }, span),
        spansOf(rhythm.timezone),
      ]);
      return { accountId, rhythm, reachMs, span, part, offsets, versionItem: found.get(keys.version) };
    }),
  );
  const late = await readLastClaims(
    table,
    reads.flatMap(({ accountId, part, span, versionItem }) => {
      const sk = versionItem?.['lastEntry'];
      const isMissing =
        typeof sk === 'string' &&
        sk >= toTimestamp(span.fromMs) &&
        !part.entries.some((entry) => entry.sk === sk);
      return isMissing ? [{ pk: calendarPartition(workspaceId, accountId), sk }] : [];
    }),
  );
  if (!late) return { state: 'unsettled' };

  const accounts = reads.map(({ accountId, rhythm, part, offsets }) => ({
    rhythm,
    offsets,
    entries: [...part.entries, ...(late.get(calendarPartition(workspaceId, accountId)) ?? [])]
      .filter(({ postId }) => postId !== request.postId)
      .map(({ atMs, autoKeyId }) => ({ atMs, isOwn: autoKeyId === keyId })),
  }));
  const knownMs = reads.map(({ part, reachMs }) => part.knownUntilMs - reachMs);
  const atMs = findSlot(accounts, {
    earliestMs: request.earliestMs,
    latestMs: Math.min(latestMs, ...knownMs),
  });
  if (atMs === undefined) return { state: 'none' };
  const claims = reads.map(({ accountId, versionItem }) => {
    const entry = { workspaceId, accountId, postId: request.postId, scheduledFor: toTimestamp(atMs) };
    return claim(table, calendarVersionKey(workspaceId, accountId), versionItem, calendarEntryKey(entry).sk);
  });
  return { state: 'free', atMs, claims };
}

/** How far away an entry may be and still matter: by gap or buffer, or because it is on the same local day. */
function reachOf({ gapMinutes, collisionBufferMinutes }: Rhythm): number {
  return Math.max(gapMinutes * minuteMs, collisionBufferMinutes * minuteMs, 2 * dayMs);
}

/** Longer than any rhythm reaches. */
const longestReachMs = 8 * dayMs;

function rememberSpans(earliestMs: number, latestMs: number) {
  const remembered = new Map<string, Promise<readonly OffsetSpan[]>>();
  return (timezone: string): Promise<readonly OffsetSpan[]> => {
    const spans =
      remembered.get(timezone) ??
      offsetSpans(timezone, earliestMs - longestReachMs, latestMs + longestReachMs);
    remembered.set(timezone, spans);
    return spans;
  };
}

/**
 * A transaction's items become visible one by one, so a version may be seen before the entry that raised it. An entry
 * that is missing is asked for by a transaction, which waits for no other: it fails while the item is being committed.
 * Entries of older claims are there: who raised the version after them had to see them.
 *
 * @returns found entries by partition; `undefined` where one is being committed
 */
async function readLastClaims(
  table: Table,
  keys: readonly Key[],
): Promise<ReadonlyMap<string, readonly CalendarEntry[]> | undefined> {
  if (keys.length === 0) return new Map();
  const items = await transactGet(table, keys);
  return items && new Map(items.map((item) => [String(item['pk']), [toEntry(item)]]));
}

/** Raises an account's version, if it is still what was read. */
function claim(table: Table, key: Key, item: Item | undefined, lastEntry: string): TransactionItems[number] {
  const version = Number(item?.['version'] ?? 0);
  return updatePart(table, key, {
    set: { kind: 'calendarVersion', version: version + 1, lastEntry },
    if: item ? { version } : { pk: absent },
  });
}
