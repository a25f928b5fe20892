import { minuteMs } from '../../../lib/kernel/clock.ts';
import type { DailyLimits } from '../../../lib/platforms/contract/daily-limit.ts';
import type { PublishMessage } from '../../../lib/publishing/message.ts';
import {
  type RelayPorts,
  relayChanges,
  type TargetChange,
  toRelay,
} from '../../../lib/publishing/relay/relay.ts';
import { type SweepCount, sweepOverdue } from '../../../lib/recovery/sweep.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs } from '../../support/builders.ts';
import { sweepPorts, takingAll } from '../../support/sweep.ts';

export interface Swept {
  readonly count: SweepCount;
  readonly messages: PublishMessage[];
  /** Reports to operators. */
  readonly reports: string[];
}

/** Sweeps the whole table, `minutes` after the start. */
export async function sweepAfter(table: Table, minutes: number): Promise<Swept> {
  const messages: PublishMessage[] = [];
  const reports: string[] = [];
  const ports = {
    ...sweepPorts(table, () => startMs + minutes * minuteMs),
    enqueueAll: takingAll(messages),
    report: (message: string, error: unknown) => reports.push(`${message}: ${error}`),
  };
  const count = await sweepOverdue(ports, Number.POSITIVE_INFINITY);
  return { count, messages, reports };
}

/** The table, except that the commands chosen by `fails` fail. */
export function failingTable(real: Table, fails: (command: object) => boolean): Table {
  const client = new Proxy(real.client, {
    get: (target, name) =>
      name === 'send'
        ? async (command: object) => {
            if (fails(command)) throw new Error('the table refuses the command');
            return target.send(command as Parameters<typeof target.send>[0]);
          }
        : Reflect.get(target, name, target),
  });
  return { ...real, client };
}

/** Relays one change. @throws if it must be relayed again */
export async function relayChange(
  change: TargetChange,
  ports: RelayPorts,
  limits: DailyLimits = {},
): Promise<void> {
  const [outcome] = await relayChanges([toRelay(change, limits)], ports);
  if (outcome?.status === 'rejected') throw outcome.reason;
}
