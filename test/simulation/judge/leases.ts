import { secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import type { PublishMessage } from '../../../lib/publishing/message.ts';
import type { Change, Committed } from '../cloud/committed.ts';
import type { FaultName } from '../world/faults.ts';
import { isTargetWorker, type Process } from '../world/process.ts';
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

/**
 * Lateness in the index from which a wake is overdue to every sweep: 15 seconds when the sweep begins, and the time that a slow
 * one takes.
 */
const sweepGraceMs = 45 * secondMs;

/** Checks the workers' leases of targets: who takes them, who keeps them, and what the sweep does meanwhile. */
export function createLeaseCheck(world: World, committed: Committed) {
  const holders = new Map<string, Process>();

  world.whenEnded((process) => {
    for (const [key, holder] of holders) {
      if (holder !== process) continue;
      holders.delete(key);
      const item = committed.get(key);
      const isHeld = item?.['leaseUntil'] !== undefined;
      // A worker of this release cannot read all that the next one writes.
      const isUnreadable = process.release === 'this' && world.rollout !== undefined;
      // It may have taken the lease by a write whose response came after its pause.
      const hasPaused = process.pausedUntilMs() > 0;
      if (isHeld && !isUnreadable && !hasPaused && !committed.hasFailedWrite(key, process))
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
      if (!isTargetWorker(by)) return;
      checkTake(key, before['leaseUntil'], by);
      holders.set(key, by);
    },
    /**
     * Checks a message for the publish queue: the sweep must first move its target to a later time in the index, unless it sends the
     * message ahead of the wake.
     */
    noteSent(process: Process, body: string): void {
      const hasPaused = process.pausedUntilMs() > 0;
      if (!process.name.startsWith('sweep #') || hasPaused) return;
      const { workspaceId, postId, accountId, wakeNumber } = JSON.parse(body) as PublishMessage;
      const item = committed.get(`POST#${workspaceId}#${postId} TARGET#${accountId}`);
      const times = [item?.['dueAt'], item?.['wakeAt']].map((time) => Date.parse(String(time)));
      const isOverdue = Math.max(...times) < process.now() - sweepGraceMs;
      if (isOverdue && item?.['wakeNumber'] === wakeNumber)
        world.violate(`${process.name} sent the message ${body}, but left its target first in the index`);
    },
  };
}
