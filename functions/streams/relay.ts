import { minuteMs, systemClock } from '../../lib/kernel/clock.ts';
import { importMessageOf } from '../../lib/media/imports/records.ts';
import type { ImportMessage } from '../../lib/media/imports/schemas.ts';
import { measurementsOf } from '../../lib/publishing/measurements.ts';
import { outcomeLineOf } from '../../lib/publishing/outcome-line.ts';
import { type RelayPorts, relayChange, type TargetChange } from '../../lib/publishing/relay/relay.ts';
import { scheduleName } from '../../lib/publishing/wake.ts';
import { targetFromItem } from '../../lib/targets/item.ts';
import { streamHandler } from '../middleware/stream.ts';
import { chainQueue, importQueue, schedules, table, wakeQueues } from '../wire/aws.ts';
import { dailyLimits } from '../wire/daily-limits.ts';
import { logger, withLogKeys } from '../wire/logger.ts';
import type { Wired } from '../wire/start.ts';

const wires = { table, wakeQueues, chainQueue, importQueue, schedules, dailyLimits };

/** What has to be done for a change: of a target, or of a file that is to be imported. */
type Change = TargetChange | { readonly importMessage: ImportMessage; readonly atMs: number };

/** Runs the effects of each commit. An effect that fails is left to the sweep. */
export const build = streamHandler(wires, {
  // The stream's filter passes targets and new imports. A deletion has no new image, an insertion no old one.
  read: (_dependencies, { before, after, atMs }): Change | undefined => {
    if ((after ?? before)?.['kind'] === 'media') {
      const importMessage = importMessageOf({ before, after });
      return importMessage && { importMessage, atMs };
    }
    return { before: before && targetFromItem(before), after: after && targetFromItem(after), atMs };
  },
  work: (dependencies, changes) => {
    const ports = portsOf(dependencies);
    return Promise.allSettled(
      changes.map((change) =>
        'importMessage' in change ? startImport(dependencies, change) : relay(ports, change),
      ),
    );
  },
});

/** The stream repeats the change for a minute if the queue does not accept the message. Then the sweep sends it. */
async function startImport(
  { importQueue }: Wired<typeof wires>,
  { importMessage, atMs }: { readonly importMessage: ImportMessage; readonly atMs: number },
): Promise<[]> {
  try {
    await importQueue.send(importMessage);
  } catch (error) {
    logger.error('an import was not started', { error: error as Error, ...importMessage });
    if (systemClock() - atMs < minuteMs) throw error;
  }
  return [];
}

/** Logs what became of the target. @returns what the change measures, once all its effects have run */
function relay(ports: RelayPorts, change: TargetChange) {
  const { workspaceId, postId, accountId, attempt } = change.after ?? change.before ?? {};
  return withLogKeys({ workspaceId, postId, accountId, attempt }, async () => {
    try {
      await relayChange(change, ports);
    } catch (error) {
      logger.error('a change was not relayed', error as Error);
      throw error;
    }
    const line = outcomeLineOf(change.before, change.after);
    if (line) logger[line.level](line.message, { ...line.details });
    return measurementsOf(change.before, change.after);
  });
}

function portsOf(dependencies: Wired<typeof wires>): RelayPorts {
  const { table, wakeQueues, chainQueue, schedules, dailyLimits } = dependencies;
  return {
    table,
    dailyLimits,
    now: systemClock,
    enqueue: wakeQueues.send,
    enqueueChain: chainQueue.send,
    report: ({ kind }, error) =>
      logger.error('an effect failed and is left to the sweep', { effect: kind, error: error as Error }),
    schedule: (message, atMs) => schedules.create(scheduleName(message), message, atMs),
    unschedule: (message) => schedules.remove(scheduleName(message)),
  };
}
