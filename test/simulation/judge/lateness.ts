import { extraHoldMs } from '../../../lib/at-most-once/takes.ts';
import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import type { Change, Committed } from '../cloud/committed.ts';
import { isTargetWorker } from '../world/process.ts';
import type { World } from '../world/world.ts';
import type { Pauses } from './pauses.ts';

/** Allowed delay of a target if nothing goes wrong and it was scheduled before its preparation had to begin. */
const calmMs = 1_500;
/** Time after the last fault in which every due target must be live. */
const recoveryMs = 90 * secondMs;
/** Allows for the stream's delay between the commit and the message. */
const streamDelayMs = 2 * secondMs;
/** Allowed delay of a target if nothing has gone wrong around its due time, though it has before. */
const punctualMs = 5 * secondMs;
/** Time in which the relay and the sweep make up for everything that went wrong. */
const settledMs = 5 * minuteMs;
/** Maximum time of a proof of absence, after which the call is made again: the longest of all platforms. */
const absenceMs = 10 * minuteMs;

/** The longest wait of a target between two looks for a file. */
const filesLookMs = minuteMs;

/** A rendition that is ready this long before the due time makes no target late. */
const aheadMs = 5 * minuteMs;

/** Preparation begins early enough for a platform that works on a file for so long. */
const usualWorkMs = 30 * secondMs;

/** A wake within this time is sent to the queue, without Scheduler. */
const queueHorizonMs = 180 * secondMs;
/** Environments and faults that do not affect when a target goes live. */
const isElsewhere =
  /^(announce|deliver-(slow-)?webhook|ingest-delivery|run-automation|sweep-|refresh-tokens|api)/;
const isOfScheduler = /^schedule/;
const isOfQueue = /^send/;
/** Makers of schedules. A schedule that was never made is noticed only at its time, however long ago that went wrong. */
const makesSchedules = /^(keep-schedules|the distantWake queue)/;
/** Time until the stream repeats a change for which the relay could not send a message. */
const streamRetryMs = 45 * secondMs;
/** A target that has failed this often, which takes an hour, is tried again after a quarter of an hour at most. */
const quickFailures = 80;
const slowRetryMs = 15 * minuteMs;
/** Time after the end of a platform's limit in which the targets that waited for it may come back. */
const limitSpreadMs = 10 * minuteMs;

/** Checks that targets go live on time: to the second in a calm run, and soon after the last fault in any other. */
export function createLatenessCheck(world: World, committed: Committed, pauses: Pauses) {
  /** The times at which imported files became ready, by their ids. */
  const importedMs = new Map<string, number>();
  committed.listen(({ kind, before, after }) => {
    const isReady = kind === 'media' && before?.['status'] !== 'ready' && after?.['status'] === 'ready';
    if (isReady && after['sourceUrl'] !== undefined) importedMs.set(String(after['id']), world.now());
  });
  const filesMs = ({ mediaItems = [] }: Target): number =>
    Math.max(0, ...mediaItems.map(({ mediaId }) => importedMs.get(mediaId) ?? 0));
  /** The times at which renditions became ready, by the ids of their originals. */
  const convertedMs = new Map<string, number>();
  committed.listen(({ kind, before, after }) => {
    const isReady = kind === 'rendition' && before?.['status'] !== 'ready' && after?.['status'] === 'ready';
    if (isReady) convertedMs.set(String(after['mediaId']), world.now());
  });
  /** The time at which the last rendition of a target was ready, unless that was long before its time. */
  const lateConversionMs = ({ mediaItems = [], scheduledFor = '' }: Target): number => {
    const readyMs = Math.max(0, ...mediaItems.map(({ mediaId }) => convertedMs.get(mediaId) ?? 0));
    return readyMs > Date.parse(scheduledFor) - aheadMs ? readyMs : 0;
  };

  /** The time at which somebody last asked for the target, or changed it. */
  const askedMs = new Map<string, number>();
  const plannedAhead = new Set<string>();
  /** Each platform's working time on a file, which a post that is prepared late has to wait for. */
  const processingMs = new Map<string, number>();
  /**
   * The time until which a target was left alone because earlier workers failed to finish it: its leases are longer
   * (`extraHoldMs`).
   */
  const heldUntilMs = new Map<string, number>();
  /** Accounts that were disconnected or connected again during the run. */
  const reconnectedMs = new Map<string, number>();

  /** Returns true if something that went wrong may be why a target was not live at its due time. */
  function wasTroubled(platform: string, askedAtMs: number, dueMs: number, liveMs: number): boolean {
    const mayUseScheduler = dueMs - askedAtMs > queueHorizonMs;
    const delays = (fromMs: number, untilMs: number, settlesInMs = settledMs) =>
      fromMs <= liveMs && untilMs >= askedAtMs && untilMs + settlesInMs >= dueMs;
    return (
      world.waitUntilMs(platform) >= dueMs - settledMs ||
      world.outages.some(
        ({ of, fromMs, untilMs }) => (mayUseScheduler || of !== 'scheduler') && delays(fromMs, untilMs),
      ) ||
      (world.rollout !== undefined && delays(world.rollout.fromMs, world.rollout.untilMs)) ||
      world.troubles().some(({ kind, actor = '', fromMs, untilMs }) => {
        if (isElsewhere.test(actor) || (isOfScheduler.test(kind) && !mayUseScheduler)) return false;
        if (makesSchedules.test(actor)) return mayUseScheduler && fromMs <= liveMs && untilMs >= askedAtMs;
        const isRepeatedSoon = isOfQueue.test(kind) && actor.startsWith('relay');
        return delays(fromMs, untilMs, isRepeatedSoon ? streamRetryMs : settledMs);
      })
    );
  }

  /** The first time from the due time on after which nothing goes wrong for as long as the recovery may take. */
  function quietFrom(platform: string, dueMs: number): number {
    const waitMs = world.waitUntilMs(platform);
    const intervals = [
      ...world.troubles().filter(({ actor = '' }) => !isElsewhere.test(actor)),
      ...world.outages,
      ...(world.rollout ? [world.rollout] : []),
      ...(waitMs > dueMs ? [{ fromMs: dueMs, untilMs: waitMs }] : []),
    ];
    let quietMs = dueMs;
    for (const { fromMs, untilMs } of intervals.toSorted((one, other) => one.fromMs - other.fromMs)) {
      if (fromMs > quietMs + recoveryMs) break;
      if (untilMs + recoveryMs > dueMs) quietMs = Math.max(quietMs, untilMs);
    }
    return quietMs;
  }

  return {
    /** The settings of an account are those of its platform's simulator, and so of all accounts there. */
    noteProcessing(platform: string, longestMs: number): void {
      processingMs.set(platform, Math.max(processingMs.get(platform) ?? 0, longestMs));
    },
    /** @param accountId an account that somebody has disconnected, or connected again */
    noteConnection(accountId: string): void {
      reconnectedMs.set(accountId, world.now());
    },
    wasDisconnected: (accountId: string): boolean => reconnectedMs.has(accountId),
    note({ key, before, after, by }: Change): void {
      if (by.name.startsWith('api')) askedMs.set(key, world.now());
      if (by.name.startsWith('run-chain')) askedMs.set(key, world.now());
      if (extraHoldMs({ takes: Number(after?.['takes'] ?? 0) }, 1) > 0)
        heldUntilMs.set(key, Date.parse(String(after?.['leaseUntil'] ?? '')) || 0);
      if (isTargetWorker(by) || !after?.['wakeAt']) return;
      // The sweep moves a target in the index, but does not change its wake.
      if (before?.['wakeNumber'] === after['wakeNumber']) return;
      const isAhead = Date.parse(String(after['wakeAt'])) > world.now() + streamDelayMs;
      if (isAhead) plannedAhead.add(key);
      else plannedAhead.delete(key);
    },
    /** @param liveMs when the call arrived at the platform that made the target live, perhaps after processing */
    checkLive(name: string, target: Target, liveMs: number): void {
      const { accountId, scheduledFor, platform, failures, limitedUntil, calls = [] } = target;
      const connectedMs = reconnectedMs.get(accountId);
      const pauseEndMs = pauses.endMs(target);
      // A target looks for a file that is not there yet at growing intervals.
      const readyMs = Math.max(filesMs(target), lateConversionMs(target));
      const filesAtMs = readyMs > 0 ? readyMs + filesLookMs : 0;
      const dueMs = Math.max(
        ...[Date.parse(scheduledFor ?? ''), askedMs.get(name) ?? 0, connectedMs ?? 0, pauseEndMs, filesAtMs],
      );
      const isUndisturbed = connectedMs === undefined && pauseEndMs === 0 && filesAtMs === 0;
      const isFirstTry = calls.length === 1 && failures === 0 && plannedAhead.has(name) && isUndisturbed;
      const lateMs = liveMs - dueMs;
      const workMs = processingMs.get(platform) ?? 0;
      const slowMs = workMs > usualWorkMs ? workMs : 0;
      if (
        isFirstTry &&
        lateMs > punctualMs + world.clockSkewMs + workMs &&
        !wasTroubled(platform, askedMs.get(name) ?? 0, dueMs, liveMs)
      )
        world.violate(`${name} went live ${lateMs} ms late, but nothing went wrong around that time`);
      if (world.isCalm && isUndisturbed) {
        if (plannedAhead.has(name) && lateMs > calmMs + 2 * world.clockSkewMs + slowMs)
          world.violate(`${name} went live ${lateMs} ms late, but nothing went wrong`);
        return;
      }
      const latestMs =
        Math.max(quietFrom(platform, dueMs), heldUntilMs.get(name) ?? 0) +
        recoveryMs +
        workMs +
        (failures > quickFailures ? slowRetryMs : 0) +
        (limitedUntil === undefined ? 0 : limitSpreadMs) +
        (calls.length > 1 ? absenceMs : 0);
      if (liveMs > latestMs)
        world.violate(
          `${name} went live ${liveMs - latestMs} ms later than ${recoveryMs / secondMs} s after the faults`,
        );
    },
  };
}
