import { stopAutomationsOfPost } from '../../lib/automations/stop.ts';
import { countedPlatforms } from '../../lib/insights/counted-platforms.ts';
import { minuteMs, systemClock } from '../../lib/kernel/clock.ts';
import { importMessageOf } from '../../lib/media/imports/records.ts';
import type { ImportMessage } from '../../lib/media/imports/schemas.ts';
import type { Measurement } from '../../lib/metrics/measurements.ts';
import { putRiskCheck, type RiskSubject } from '../../lib/overdue/risk-checks.ts';
import type { DailyLimits } from '../../lib/platforms/contract/daily-limit.ts';
import type { Platform } from '../../lib/platforms/contract/names.ts';
import { accountLimits } from '../../lib/platforms/registry/account-limits.ts';
import { measurementsOf } from '../../lib/publishing/measurements.ts';
import { type OutcomeLine, outcomeLineOf, putOffCount } from '../../lib/publishing/outcome-line.ts';
import type { Effect } from '../../lib/publishing/relay/effects.ts';
import {
  type RelayedChange,
  type RelayPorts,
  relayChanges,
  type TargetChange,
  toRelay,
} from '../../lib/publishing/relay/relay.ts';
import { type RemovalLine, removalLineOf } from '../../lib/publishing/removal-line.ts';
import { subjectOfChange } from '../../lib/risks/subjects.ts';
import { targetFromItem } from '../../lib/targets/item.ts';
import { streamHandler } from '../middleware/stream.ts';
import { chainQueue, distantWakeQueue, importQueue, table, wakeQueues } from '../wire/aws.ts';
import { dailyLimits } from '../wire/daily-limits.ts';
import { type LogKeys, logger, withLogKeys } from '../wire/logger.ts';
import { stageFeatures } from '../wire/stage-features.ts';
import type { Wired } from '../wire/start.ts';

const wires = { table, wakeQueues, distantWakeQueue, chainQueue, importQueue, dailyLimits, stageFeatures };

/** The effects of a change of a target. */
interface OfTarget extends RelayedChange {
  readonly ids: LogKeys;
  readonly lines: readonly (OutcomeLine | RemovalLine)[];
  readonly measurements: readonly Measurement[];
}

/** The work that a change causes: the effects of a target's change, the import of a file, or a check of waiting posts. */
type Change =
  | OfTarget
  | { readonly importMessage: ImportMessage; readonly atMs: number }
  | { readonly subject: RiskSubject; readonly atMs: number };

/** Runs the effects of each commit. The sweep repeats an effect that fails. */
export const build = streamHandler(wires, {
  // The stream's filter passes targets, new imports, and changes on which waiting posts depend. A deletion has no new image, an insertion no old one. All effects of a
  // change are computed here. If that fails, the change counts as unreadable and must not block the shard.
  read: ({ dailyLimits, stageFeatures }, { before, after, atMs }): Change | undefined => {
    const kind = (after ?? before)?.['kind'];
    if (kind === 'media') {
      const importMessage = importMessageOf({ before, after });
      if (importMessage) return { importMessage, atMs };
    }
    if (kind !== 'target') {
      const subject = subjectOfChange({ before, after });
      return subject && { subject, atMs };
    }
    return ofTarget(
      { before: before && targetFromItem(before), after: after && targetFromItem(after), atMs },
      dailyLimits,
      countedPlatforms(stageFeatures),
    );
  },
  work: (dependencies, changes) => {
    const ofTargets = changes.filter((change) => 'effects' in change);
    const relayed = relayChanges(ofTargets, portsOf(dependencies));
    return Promise.allSettled(
      changes.map(async (change) => {
        if ('importMessage' in change) return startImport(dependencies, change);
        if ('subject' in change) return putCheck(dependencies, change);
        return conclude(change, (await relayed)[ofTargets.indexOf(change)]);
      }),
    );
  },
});

/**
 * Sends the import's message. If the queue does not accept it, the stream repeats the change for a minute; then the sweep sends
 * it.
 */
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

/** Has waiting posts checked. If the table does not accept it, the stream repeats the change for a minute; regular checks follow. */
async function putCheck(
  { table }: Wired<typeof wires>,
  { subject, atMs }: { readonly subject: RiskSubject; readonly atMs: number },
): Promise<[]> {
  try {
    await putRiskCheck(table, subject, systemClock());
  } catch (error) {
    logger.error('a check of waiting posts was not begun', { error: error as Error, ...subject });
    if (systemClock() - atMs < minuteMs) throw error;
  }
  return [];
}

function ofTarget(change: TargetChange, limits: DailyLimits, counted: readonly Platform[]): OfTarget {
  const { before, after } = change;
  const { workspaceId, postId, accountId, attempt } = after ?? before ?? {};
  const line = outcomeLineOf(before, after);
  const lines = [line, removalLineOf(before, after)].filter((each) => each !== undefined);
  return {
    ...toRelay(change, limits, counted, accountLimits),
    ids: { workspaceId, postId, accountId, attempt },
    lines,
    measurements: [...measurementsOf(before, after), ...putOffCount(line)],
  };
}

/** Logs the outcome of a target after its change was relayed. @returns the change's measurements. @throws if the relay failed */
function conclude(
  { ids, lines, measurements }: OfTarget,
  outcome: PromiseSettledResult<void> | undefined,
): Promise<readonly Measurement[]> {
  return withLogKeys(ids, async () => {
    if (outcome?.status === 'rejected') {
      logger.error('a change was not relayed', outcome.reason as Error);
      throw outcome.reason;
    }
    for (const { level, message, details } of lines) logger[level](message, { ...details });
    return measurements;
  });
}

function portsOf(dependencies: Wired<typeof wires>): RelayPorts {
  const { table, wakeQueues, distantWakeQueue, chainQueue } = dependencies;
  return {
    table,
    now: systemClock,
    enqueue: wakeQueues.send,
    enqueueDistant: distantWakeQueue.send,
    stopAutomation: (post) => stopAutomationsOfPost(table, post, systemClock()),
    enqueueChain: chainQueue.send,
    report: (effect, error) =>
      logger.error('an effect failed and is left to the sweep', {
        ...idsOf(effect),
        effect: effect.kind,
        error: error as Error,
      }),
  };
}

/** Returns the ids of an effect's subject, for its log line. */
function idsOf(effect: Effect): LogKeys {
  switch (effect.kind) {
    case 'schedule wake':
    case 'unschedule wake':
      return ids(effect.message);
    case 'restore overdue keys':
    case 'resume removal':
    case 'note numbers':
      return ids(effect.target);
    case 'free time':
      return ids(effect.time);
    case 'discard upload':
      return ids(effect.upload);
    case 'settle places':
      return ids(effect.places[0]);
    case 'check posts':
      return ids(effect.subject);
    case 'count punctuality':
      return ids(effect.counts[0]);
    case 'run chain':
    case 'stop automation':
    case 'roll-up':
      return ids(effect);
  }
}

const ids = (of: { workspaceId?: string | undefined; postId?: string; accountId?: string } = {}): LogKeys => {
  const { workspaceId, postId, accountId } = of;
  return { workspaceId, postId, accountId };
};
