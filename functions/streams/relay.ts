import { systemClock } from '../../lib/kernel/clock.ts';
import { measurementsOf } from '../../lib/publishing/measurements.ts';
import { type RelayPorts, relayChange, type TargetChange } from '../../lib/publishing/relay/relay.ts';
import { scheduleName } from '../../lib/publishing/wake.ts';
import { targetFromItem } from '../../lib/targets/item.ts';
import { streamHandler } from '../middleware/stream.ts';
import { chainQueue, publishQueue, schedules, table } from '../wire/aws.ts';
import { dailyLimits } from '../wire/daily-limits.ts';
import { logger, withLogKeys } from '../wire/logger.ts';
import type { Wired } from '../wire/start.ts';

const wires = { table, publishQueue, chainQueue, schedules, dailyLimits };

/** Runs the effects of each commit. An effect that fails is left to the sweep. */
export const build = streamHandler(wires, {
  // The stream's filter passes targets only. A deletion has no new image, an insertion no old one.
  read: (_dependencies, { before, after, atMs }): TargetChange => ({
    before: before && targetFromItem(before),
    after: after && targetFromItem(after),
    atMs,
  }),
  work: (dependencies, changes) => {
    const ports = portsOf(dependencies);
    return Promise.allSettled(changes.map((change) => relay(ports, change)));
  },
});

/** @returns what the change measures, once all its effects have run */
function relay(ports: RelayPorts, change: TargetChange) {
  const { workspaceId, postId, accountId, attempt } = change.after ?? change.before ?? {};
  return withLogKeys({ workspaceId, postId, accountId, attempt }, async () => {
    try {
      await relayChange(change, ports);
    } catch (error) {
      logger.error('a change was not relayed', error as Error);
      throw error;
    }
    return measurementsOf(change.before, change.after);
  });
}

function portsOf(dependencies: Wired<typeof wires>): RelayPorts {
  const { table, publishQueue, chainQueue, schedules, dailyLimits } = dependencies;
  return {
    table,
    dailyLimits,
    now: systemClock,
    enqueue: publishQueue.send,
    enqueueChain: chainQueue.send,
    report: ({ kind }, error) =>
      logger.error('an effect failed and is left to the sweep', { effect: kind, error: error as Error }),
    schedule: (message, atMs) => schedules.create(scheduleName(message), message, atMs),
    unschedule: (message) => schedules.remove(scheduleName(message)),
  };
}
