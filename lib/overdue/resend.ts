import { mapInBatches } from '../kernel/batches.ts';
import { type Clock, minuteMs, toTimestamp } from '../kernel/clock.ts';
import type { Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type DueItem, workDuePages } from './due-pages.ts';

export interface ResendPorts<Message> {
  readonly table: Table;
  readonly now: Clock;
  readonly sendAll: SendAll<Message>;
  /** Reports an item that could not be processed to operators. The sweep continues with the others. */
  readonly report: (key: Key, error: unknown) => void;
}

/** Sends messages in as few requests as possible. @returns the messages that the queue did not accept */
export type SendAll<Message> = (messages: readonly Message[]) => Promise<ReadonlySet<Message>>;

/** The way to resend the message of a waiting item. The first message is only the fast path; the sweep makes it reliable. */
export interface Resendable<Item, Message> {
  /** Reads an item; `undefined` if it needs no message now. @throws if it cannot be read */
  readonly read: (item: Record<string, unknown>) => Item | undefined;
  /** Moves an item to a later time in the index; false if the item has changed in the meantime. */
  readonly postpone: (table: Table, item: Item, untilMs: number) => Promise<boolean>;
  /**
   * The time for which the sweep leaves an item alone after it has sent its message, in milliseconds. A function gets the item
   * and the time in epoch milliseconds.
   */
  readonly postponedMs: number | ((item: Item, nowMs: number) => number);
  readonly messageOf: (item: Item) => Message;
}

/** The way to sweep shards of the index that hold only one kind of item. */
export interface Waiting<Item, Message> extends Resendable<Item, Message> {
  readonly shards: readonly string[];
  /** The minimum lateness of an item. By then its message may be lost, never sent, or far back in its queue. */
  readonly graceMs: number;
}

/**
 * The number of items of a page that are processed concurrently. With two pages at a time, their requests stay below the SDK's 50
 * connections, because a request that waits a second for a connection fails.
 */
export const concurrentItems = 20;

/**
 * The maximum time that an item is left alone before its message is known to be in the queue. If the sweep dies in between, the
 * next sweep but one finds the item again.
 */
const claimedMs = minuteMs;

/** The maximum time that {@link untilTwiceAsLateMs} leaves an item alone. */
const longestPostponedMs = 15 * minuteMs;

/**
 * Returns the time to leave an item alone after its message was sent again: until it is twice as late, at most 15 minutes. So a
 * message that was lost soon after it was due is replaced soon, and a queue that is an hour behind gets six more messages per
 * item, not sixty. Pure.
 *
 * @param lateMs the present lateness of the item, in milliseconds
 * @param graceMs the minimum lateness at which a sweep finds an item
 * @returns milliseconds
 */
export function untilTwiceAsLateMs(lateMs: number, graceMs: number): number {
  return Math.min(longestPostponedMs, Math.max(0, lateMs - graceMs));
}

/**
 * Sends a message for each due item that was not worked on, page by page until none is left or the deadline has passed; the next
 * sweep continues.
 *
 * @param deadlineMs epoch milliseconds after which no page is begun
 * @returns the number of messages sent
 */
export async function sweepMessages<Item, Message>(
  ports: ResendPorts<Message>,
  waiting: Waiting<Item, Message>,
  deadlineMs: number,
): Promise<number> {
  let sent = 0;
  const dueBefore = toTimestamp(ports.now() - waiting.graceMs);
  await workDuePages(ports, { shards: waiting.shards, dueBefore, deadlineMs }, async (page) => {
    const resent = await resend(ports, waiting, page);
    sent += resent.sent;
  });
  return sent;
}

/** The number of messages that the queue accepted, and of items that could not be processed or sent. */
export interface Resent {
  readonly sent: number;
  readonly failures: number;
}

/**
 * Sends the messages of a page of items. Each item is first claimed, by moving it to a slightly later time in the index, so that
 * a sweep sends nothing that it cannot postpone. It is moved to its final time only once the queue has accepted its message, so
 * that no crash and no refusal hides it for longer than the claim. A failure of one item does not stop the others.
 */
export async function resend<Item, Message>(
  { table, now, sendAll, report }: ResendPorts<Message>,
  { read, postpone, postponedMs, messageOf }: Resendable<Item, Message>,
  page: readonly DueItem[],
): Promise<Resent> {
  let failures = 0;
  const attempt = async <Value>(key: Key, work: () => Promise<Value[]>): Promise<Value[]> => {
    try {
      return await work();
    } catch (error) {
      failures += 1;
      report(key, error);
      return [];
    }
  };
  const pages = await mapInBatches(page, concurrentItems, ({ key, item }) =>
    attempt(key, async () => {
      const due = read(item);
      if (due === undefined) return [];
      const nowMs = now();
      const waitMs = typeof postponedMs === 'number' ? postponedMs : postponedMs(due, nowMs);
      const isClaimed = await postpone(table, due, nowMs + Math.min(waitMs, claimedMs));
      return isClaimed ? [{ key, due, waitMs, message: messageOf(due) }] : [];
    }),
  );
  const claimed = pages.flat();
  const refused = claimed.length === 0 ? new Set() : await sendAll(claimed.map(({ message }) => message));
  const rests = claimed.filter(({ message, waitMs }) => waitMs > claimedMs && !refused.has(message));
  await mapInBatches(rests, concurrentItems, ({ key, due, waitMs }) =>
    attempt(key, async () => [await postpone(table, due, now() + waitMs)]),
  );
  return { sent: claimed.length - refused.size, failures: failures + refused.size };
}
