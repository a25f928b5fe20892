import type { Clock } from '../../lib/kernel/clock.ts';
import { newId } from '../../lib/kernel/ids.ts';
import type { ChainMessage } from '../../lib/posts/stored/chain-schemas.ts';
import type { PublishMessage } from '../../lib/publishing/message.ts';
import type { SweepPorts } from '../../lib/recovery/sweep.ts';
import type { Table } from '../../lib/table/table.ts';

/** Ports of a sweep whose queues and schedules accept everything. */
export function sweepPorts(table: Table, now: Clock): SweepPorts {
  return {
    table,
    now,
    uniqueId: () => newId(now()),
    enqueue: async () => {},
    enqueueAll: takingAll<PublishMessage>([]),
    enqueueAllChains: takingAll<ChainMessage>([]),
    schedule: async () => {},
    report: () => {},
  };
}

/** A queue that accepts all messages. @param delays the delay of each, in seconds */
export const takingAll =
  <Message>(taken: Message[], delays: number[] = []) =>
  async (
    messages: readonly Message[],
    delaySecondsOf: (message: Message) => number = () => 0,
  ): Promise<ReadonlySet<Message>> => {
    taken.push(...messages);
    delays.push(...messages.map(delaySecondsOf));
    return new Set();
  };
