import type * as z from 'zod';
import { type Clock, toTimestamp } from '../kernel/clock.ts';
import type { Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type DueItem, duePages } from './due-pages.ts';

export interface SweepMessagesPorts<Message> {
  readonly table: Table;
  readonly now: Clock;
  /** @returns those that the queue did not take */
  readonly sendAll: (messages: readonly Message[]) => Promise<ReadonlySet<Message>>;
  /** Tells operators of an item that cannot be read; the others are swept all the same. */
  readonly report: (key: Key, error: unknown) => void;
}

/** What waits, and whose message the queue is only the quick way for. */
export interface Waiting<Item, Message> {
  readonly shards: readonly string[];
  /** So late, a message was lost, is far back in its queue, or was never sent: its wait was too long. */
  readonly graceMs: number;
  readonly schema: z.ZodType<Item>;
  /** Moves an item ahead in the index; false where it has moved on by itself. */
  readonly postpone: (table: Table, item: Item, untilMs: number) => Promise<boolean>;
  /** What was sent is not sent again for so long, however far back in the queue it stands. */
  readonly postponedMs: number;
  readonly messageOf: (item: Item) => Message;
}

/**
 * Sends the messages of all that is due and was not worked, page by page until none is left or the time is over; the
 * next sweep goes on. Each is moved ahead in the index before its message is sent. One whose message the queue does not
 * take is found again when its new time has come.
 *
 * @param deadlineMs no page is begun after it, in epoch milliseconds
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
