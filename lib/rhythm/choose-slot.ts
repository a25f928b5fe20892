import type { Context } from '../api-contract/context.ts';
import { type CalendarEntry, readCalendar, toEntry } from '../calendar/read.ts';
import { toTimestamp } from '../kernel/clock.ts';
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
import { type Rhythm, StoredRhythm } from './schemas.ts';
import {
  findSlot,
  findSlots,
  horizonMs,
  longestReachMs,
  type OffsetSpan,
  offsetSpans,
  reachOf,
} from './slots.ts';
import { rhythmOwnerOf } from './store.ts';

export interface SlotRequest {
  readonly postId: string;
  /** All accounts that the slot must fit; at least one. */
  readonly accountIds: readonly string[];
  /** The earliest time at which the post can be ready, in epoch milliseconds. */
  readonly earliestMs: number;
}

/**
 * A slot that was free when the calendars were read. Commit the claims together with the post to take it. The commit
 * fails if another slot was claimed on one of the accounts in the meantime.
 */
export type SlotChoice =
  | { readonly state: 'free'; readonly atMs: number; readonly claims: TransactionItems }
  | { readonly state: 'none' }
  /** Another claim is being committed right now, so the calendars may be incomplete. */
  | { readonly state: 'unsettled' };

/** An account's rhythm for the calling key, and its calendar, as they were read. */
interface SlotAccount {
  readonly accountId: string;
  readonly rhythm: Rhythm;
  /** The offsets of the rhythm's time zone, covering the search and all entries. */
  readonly offsets: readonly OffsetSpan[];
  readonly entries: readonly CalendarEntry[];
  /** The time up to which the calendar is known well enough to choose slots, in epoch milliseconds. */
  readonly knownUntilMs: number;
  /** The item with the calendar's version. A claim requires that it is unchanged. */
  readonly versionItem: Item | undefined;
}

/**
 * Searches for the earliest slot that fits all accounts, by the calling key's rhythms. Writes nothing. The number of
 * reads is bounded: one batch for rhythms and versions, then the accounts' calendars concurrently, at most four requests
 * each. If a calendar has too many entries for that, the search ends where the read ended.
 */
export async function chooseSlot(context: Context, request: SlotRequest): Promise<SlotChoice> {
  const accounts = await readSlotAccounts(context, request.accountIds, request.earliestMs);
  return accounts ? chooseFrom(context, accounts, request) : { state: 'unsettled' };
}

/**
 * Returns the slots that the caller's next posts to all of these accounts would get, one after the other. Writes nothing.
 *
 * @param accountIds at least one
 * @param count the most slots to return; fewer if no more are free within 90 days
 * @returns epoch milliseconds, in order; `undefined` if another claim is being committed on one of the accounts
 */
export async function listSharedSlots(
  context: Context,
  accountIds: readonly string[],
  count: number,
): Promise<number[] | undefined> {
  const { now, actor } = context;
  const read = await readSlotAccounts(context, accountIds, now);
  if (!read) return undefined;
  const owner = rhythmOwnerOf(actor);
  const accounts = read.map(({ rhythm, offsets, entries }) => ({
    rhythm,
    offsets,
    entries: entries.map(({ atMs, autoKeyId }) => ({ atMs, isOwn: autoKeyId === owner })),
  }));
  const latestMs = Math.min(now + horizonMs, ...read.map(({ knownUntilMs }) => knownUntilMs));
  return findSlots(accounts, { earliestMs: now, latestMs, count });
}

/**
 * Reads the data that {@link chooseFrom} needs.
 *
 * @param earliestMs epoch milliseconds; no slot before this is searched
 * @returns the accounts in the given order; `undefined` if another claim is being committed on one of them
 */
async function readSlotAccounts(
  context: Context,
  accountIds: readonly string[],
  earliestMs: number,
): Promise<SlotAccount[] | undefined> {
  const { table, workspaceId, actor, now } = context;
  const owner = rhythmOwnerOf(actor);
  const keysOf = (accountId: string) => ({
    rhythm: rhythmKey(workspaceId, accountId, owner),
    version: calendarVersionKey(workspaceId, accountId),
  });
  // Versions are read before the entries: any claim committed after this read makes our claim fail.
  const found = await batchGet(
    table,
    accountIds.flatMap((accountId) => Object.values(keysOf(accountId))),
  );
  const latestMs = now + horizonMs;
  const spansOf = cachedSpans(earliestMs, latestMs);
  const reads = await Promise.all(
    accountIds.map(async (accountId) => {
      const keys = keysOf(accountId);
      const rhythm = StoredRhythm.parse(found.get(keys.rhythm) ?? {});
      const reachMs = reachOf(rhythm);
      const span = { fromMs: earliestMs - reachMs, untilMs: latestMs + reachMs };
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
  return (
    late &&
    reads.map(({ accountId, rhythm, reachMs, part, offsets, versionItem }) => ({
      accountId,
      rhythm,
      offsets,
      entries: [...part.entries, ...(late.get(calendarPartition(workspaceId, accountId)) ?? [])],
      knownUntilMs: part.knownUntilMs - reachMs,
      versionItem,
    }))
  );
}

/**
 * Finds the earliest slot in calendars that {@link readSlotAccounts} has read. Pure.
 *
 * @param read the accounts of the request
 */
function chooseFrom(
  { table, workspaceId, actor, now }: Context,
  read: readonly SlotAccount[],
  { postId, earliestMs }: SlotRequest,
): SlotChoice {
  const owner = rhythmOwnerOf(actor);
  const accounts = read.map(({ rhythm, offsets, entries }) => ({
    rhythm,
    offsets,
    entries: entries
      .filter((entry) => entry.postId !== postId)
      .map(({ atMs, autoKeyId }) => ({ atMs, isOwn: autoKeyId === owner })),
  }));
  const knownMs = read.map(({ knownUntilMs }) => knownUntilMs);
  const atMs = findSlot(accounts, { earliestMs, latestMs: Math.min(now + horizonMs, ...knownMs) });
  if (atMs === undefined) return { state: 'none' };
  const claims = read.map(({ accountId, versionItem }) => {
    const entry = { workspaceId, accountId, postId, scheduledFor: toTimestamp(atMs) };
    return claim(table, calendarVersionKey(workspaceId, accountId), versionItem, calendarEntryKey(entry).sk);
  });
  return { state: 'free', atMs, claims };
}

function cachedSpans(earliestMs: number, latestMs: number) {
  const cache = new Map<string, Promise<readonly OffsetSpan[]>>();
  return (timezone: string): Promise<readonly OffsetSpan[]> => {
    const spans =
      cache.get(timezone) ?? offsetSpans(timezone, earliestMs - longestReachMs, latestMs + longestReachMs);
    cache.set(timezone, spans);
    return spans;
  };
}

/**
 * Reads the entries of the last claims. A transaction's items become visible one by one, so a read may see a version
 * before the entry that it counts. A missing entry is read with a transaction, which fails while the item is being
 * committed. Entries of earlier claims need no check: the next claim could only be made by a caller that saw them.
 *
 * @returns found entries by partition; `undefined` if one of them is being committed
 */
async function readLastClaims(
  table: Table,
  keys: readonly Key[],
): Promise<ReadonlyMap<string, readonly CalendarEntry[]> | undefined> {
  if (keys.length === 0) return new Map();
  const items = await transactGet(table, keys);
  return items && new Map(items.map((item) => [String(item['pk']), [toEntry(item)]]));
}

/** Makes the write that increments an account's version if it is unchanged since it was read. */
function claim(table: Table, key: Key, item: Item | undefined, lastEntry: string): TransactionItems[number] {
  return updatePart(table, key, {
    set: claimed(item, lastEntry),
    if: item ? { version: versionOf(item) } : { pk: absent },
  });
}

const versionOf = (item: Item | undefined): number => Number(item?.['version'] ?? 0);

/** Returns a calendar's version after a claim. @param lastEntry the sort key of the claimed entry */
function claimed(item: Item | undefined, lastEntry: string) {
  return { kind: 'calendarVersion', version: versionOf(item) + 1, lastEntry };
}

/** A time that a post has taken on an account. */
interface TakenSlot {
  readonly workspaceId: string;
  readonly postId: string;
  readonly accountId: string;
  readonly scheduledFor: string;
  readonly autoKeyId?: string | undefined;
}

/**
 * The rhythms and calendars of the accounts of one request, read once for all of its posts. Two posts on the same
 * account must follow each other: pass the slots of the first to {@link take} before the second chooses.
 *
 * As with {@link chooseSlot}, the claims fail if anybody else claimed a slot on one of the accounts since its calendar
 * was read. The post then asks again, and the calendars of its accounts are read again. A time that somebody else gave
 * to a post since the read is not seen, as between read and commit of a single post.
 */
export class SharedCalendars {
  readonly #read = new Map<string, SlotAccount>();
  /** The accounts that each post has claimed, by the post's id. */
  readonly #claimed = new Map<string, readonly string[]>();

  /** Chooses a slot as the function `chooseSlot` does, with the shared calendars. */
  async chooseSlot(context: Context, request: SlotRequest): Promise<SlotChoice> {
    const { postId, accountIds } = request;
    if (this.#claimed.delete(postId)) for (const id of accountIds) this.#read.delete(id);
    const unread = accountIds.filter((id) => !this.#read.has(id));
    if (unread.length > 0) {
      const accounts = await readSlotAccounts(context, unread, context.now);
      if (!accounts) return { state: 'unsettled' };
      for (const account of accounts) this.#read.set(account.accountId, account);
    }
    const accounts = accountIds.flatMap((id) => this.#read.get(id) ?? []);
    const choice = chooseFrom(context, accounts, request);
    if (choice.state === 'free') this.#claimed.set(postId, accountIds);
    return choice;
  }

  /** Enters the times of a committed post, with the claims of its slot if it has one. */
  take(postId: string, slots: readonly TakenSlot[]): void {
    const claims = this.#claimed.get(postId) ?? [];
    this.#claimed.delete(postId);
    for (const slot of slots) {
      const account = this.#read.get(slot.accountId);
      if (!account) continue;
      const { sk } = calendarEntryKey(slot);
      const entry: CalendarEntry = toEntry({ ...slot, sk });
      const isClaimed = claims.includes(slot.accountId);
      this.#read.set(slot.accountId, {
        ...account,
        entries: [...account.entries, entry],
        versionItem: isClaimed ? claimed(account.versionItem, sk) : account.versionItem,
      });
    }
  }
}
