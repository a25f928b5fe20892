import type * as z from 'zod';
import { type Clock, toTimestamp } from '../kernel/clock.ts';
import type { Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type DueItem, duePages } from './due-pages.ts';

export interface SweepMessagesPorts<Message> {
  readonly table: Table;
  readonly now: Clock;
  /** @returns the messages that the queue did not accept */
  readonly sendAll: (messages: readonly Message[]) => Promise<ReadonlySet<Message>>;
  /** Reports an item that cannot be read to operators. The sweep continues with the others. */
  readonly report: (key: Key, error: unknown) => void;
}

/** How to sweep one kind of waiting item. Its queue message is only the fast path; the sweep makes it reliable. */
export interface Waiting<Item, Message> {
  readonly shards: readonly string[];
  /** How late an item must be. By then its message was lost, never sent, or is far back in its queue. */
  readonly graceMs: number;
  readonly schema: z.ZodType<Item>;
  /** Moves an item to a later time in the index; false if the item has changed in the meantime. */
  readonly postpone: (table: Table, item: Item, untilMs: number) => Promise<boolean>;
  /** How long the sweep leaves an item alone after it has sent its message. */
  readonly postponedMs: number;
  readonly messageOf: (item: Item) => Message;
}

/**
 * Sends a message for each item that is due and was not worked on, page by page until none is left or the deadline has
 * passed; the next sweep continues. Each item is moved to a later time in the index before its message is sent. If the
 * queue does not accept the message, a later sweep finds the item at its new time.
 *
 * @param deadlineMs epoch milliseconds after which no page is begun
 * @returns how many messages were sent
 */
export async function sweepMessages<Item, Message>(
  ports: SweepMessagesPorts<Message>,
  waiting: Waiting<Item, Message>,
  deadlineMs: number,
): Promise<number> {
  const dueBefore = toTimestamp(ports.now() - waiting.graceMs);
  const counts = await Promise.all(
    waiting.shards.map(async (shard) => {
      let sent = 0;
      for await (const page of duePages(ports.table, shard, dueBefore)) {
        sent += await sendPage(ports, waiting, page);
        if (ports.now() >= deadlineMs) break;
      }
      return sent;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function sendPage<Item, Message>(
  { table, now, sendAll, report }: SweepMessagesPorts<Message>,
  { schema, postpone, postponedMs, messageOf }: Waiting<Item, Message>,
  page: readonly DueItem[],
): Promise<number> {
  const messages = await Promise.all(
    page.map(async ({ key, item }) => {
      const { data, error } = schema.safeParse(item);
      if (error) report(key, error);
      return data !== undefined && (await postpone(table, data, now() + postponedMs))
        ? [messageOf(data)]
        : [];
    }),
  );
  const all = messages.flat();
  if (all.length === 0) return 0;
  return all.length - (await sendAll(all)).size;
}
