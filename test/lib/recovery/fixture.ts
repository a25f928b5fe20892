import { minuteMs } from '../../../lib/kernel/clock.ts';
import type { PublishMessage } from '../../../lib/publishing/message.ts';
import { type SweepCount, sweepOverdue } from '../../../lib/recovery/sweep.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs } from '../../support/builders.ts';

export interface Swept {
  readonly count: SweepCount;
  readonly messages: PublishMessage[];
  /** What operators were told. */
  readonly reports: string[];
}

/** A sweep of the whole table, so many minutes after the start. */
export async function sweepAfter(table: Table, minutes: number): Promise<Swept> {
  const messages: PublishMessage[] = [];
  const reports: string[] = [];
  const count = await sweepOverdue({
    table,
    now: startMs + minutes * minuteMs,
    enqueue: async (message) => void messages.push(message),
    enqueueChain: async () => {},
    report: (message, error) => reports.push(`${message}: ${error}`),
  });
  return { count, messages, reports };
}

/** The table, where a command that is meant fails. */
export function failingTable(real: Table, isMeant: (command: object) => boolean): Table {
  const client = new Proxy(real.client, {
    get: (target, name) =>
      name === 'send'
        ? async (command: object) => {
            if (isMeant(command)) throw new Error('the table does not take it');
            return target.send(command as Parameters<typeof target.send>[0]);
          }
        : Reflect.get(target, name, target),
  });
  return { ...real, client };
}
