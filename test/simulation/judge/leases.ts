import { minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import type { Change, Committed } from '../cloud/committed.ts';
import type { FaultName } from '../world/faults.ts';
import type { Process } from '../world/process.ts';
import type { World } from '../world/world.ts';

/** Faults because of which a living worker may fail to renew its lease in time. */
const delaysRenewal: readonly (FaultName | 'slow')[] = [
  'standstill',
  'slowCall',
  'tableThrottled',
  'tableReplyLost',
  'writeConflict',
  'transactionConflict',
  'transactionLate',
];

/** Longer than a lease and its takeover. */
const recentMs = 30 * secondMs;

/** The sweep leaves a wake alone for a minute after it has sent its message, and then until it is late again. */
const shortestSweepGapMs = minuteMs + 5 * secondMs;

/** Checks the workers' leases of targets: who takes them, who keeps them, and what the sweep does meanwhile. */
export function createLeaseCheck(world: World, committed: Committed) {
  const holders = new Map<string, Process>();
  const sweptMs = new Map<string, number>();

  world.whenEnded((process) => {
    for (const [key, holder] of holders) {
      if (holder !== process) continue;
      holders.delete(key);
      const item = committed.get(key);
      const isHeld = item?.['leaseUntil'] !== undefined;
      if (isHeld && !committed.hasFailedWrite(key, process))
        world.violate(`${process.name} ended, but kept the lease of ${key}`);
    }
  });

  function checkTake(key: string, until: unknown, process: Process): void {
    if (typeof until !== 'string') return;
    if (until > toTimestamp(process.now()))
      world.violate(`${process.name} took the lease of ${key}, which another worker holds until ${until}`);
    const holder = holders.get(key);
    if (!holder || holder.isStopped() || holder.isEnded() || committed.hasFailedWrite(key, holder)) return;
    const sinceMs = world.now() - recentMs;
    const isTableDown = world.outages.some(
      ({ of, fromMs, untilMs }) => of === 'table' && fromMs <= world.now() && untilMs >= sinceMs,
    );
    const isExplained = world
      .troubles()
      .some(
        ({ kind, actor, untilMs }) =>
          delaysRenewal.includes(kind) &&
          untilMs >= sinceMs &&
          (actor === undefined || actor === holder.name),
      );
    if (!isTableDown && !isExplained)
      world.violate(`${process.name} took the lease of ${key}, although its worker ${holder.name} is alive`);
  }

  return {
    /** Checks a change of a target. */
    note({ key, before, after, by }: Change): void {
      if (!after || after['leaseUntil'] === undefined) holders.delete(key);
      if (!before || !after || after['attempt'] === before['attempt']) return;
      if (!by.name.startsWith('publish-target')) return;
      checkTake(key, before['leaseUntil'], by);
      holders.set(key, by);
    },
    /** Checks a message that a process has sent to the publish queue. */
    noteSent(process: Process, body: string): void {
      if (!process.name.startsWith('sweep #')) return;
      const beforeMs = sweptMs.get(body);
      sweptMs.set(body, world.now());
      if (beforeMs !== undefined && world.now() - beforeMs < shortestSweepGapMs)
        world.violate(`two sweeps in a row sent the message ${body}`);
    },
  };
}
