import { unsettledCall } from '../at-most-once/call-records.ts';
import { minuteMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { readPause } from '../pauses/read.ts';
import type { Target } from '../targets/schemas.ts';
import { holdingScope } from '../targets/wake.ts';
import type { WorkerPorts } from './call-log.ts';
import { goLive } from './go-live.ts';
import { loadJob } from './load-job.ts';
import type { PublishingPorts } from './ports.ts';
import { pauseFreshMs, waitConnected } from './publish-scheduled.ts';
import type { AccountWork } from './step-failure.ts';
import { type Work, type WorkItems, workOf } from './work.ts';

/** A target that needs only its last call, and the moment for that has come. */
export interface ReadyCall {
  /**
   * Takes the lease and records the intent in one write, makes the call and commits what follows. For a worker that renews the
   * lease meanwhile.
   *
   * @throws LeaseLostError if the target was taken or changed since it was seen; then no call was made
   */
  readonly make: (ports: WorkerPorts) => Promise<void>;
}

/**
 * Does without a lease all that comes before the last call of a target that needs nothing else: builds its job, checks it, and
 * waits for the due time. That changes nothing, so several workers may do it at the same time. The write that follows
 * takes the lease on condition that nobody else has taken or changed the target.
 *
 * Only the plain case is worth it: the wake at the due time of a target that has never failed. All else needs the lease first,
 * because it may end in another write.
 *
 * @param seen the target, read a moment ago; see {@link isPlain}
 * @param items what it belongs to, read after it
 * @returns what was read, if the target is fine but is not prepared; `undefined` if something is in its way. Then it must be taken
 *   first
 */
export async function awaitReadyCall(
  ports: WorkerPorts,
  seen: Target,
  items: WorkItems,
  times: Pick<Work, 'deadline' | 'ended'>,
): Promise<ReadyCall | Work | undefined> {
  try {
    return await readyCall(ports, seen, items, times);
  } catch {
    // Nothing was written. With the lease, the error is met again, and what it means for the target is committed.
    return undefined;
  }
}

async function readyCall(
  ports: WorkerPorts,
  seen: Target,
  items: WorkItems,
  times: Pick<Work, 'deadline' | 'ended'>,
): Promise<ReadyCall | Work | undefined> {
  const dueMs = Date.parse(seen.wakeAt ?? '');
  const loaded = workOf(items, seen, times);
  if (loaded?.account?.status !== 'ok' || loaded.account.disconnectedAt || loaded.pause) return undefined;
  const work: AccountWork = { ...loaded, account: loaded.account };
  const found = await loadJob(ports, work, { isEventual: true });
  if (!('job' in found)) return undefined;
  const { job } = found;
  const adapter = await ports.adapterFor(seen.platform);
  // Workers of `upload` make no last call.
  if (ports.queue === 'upload' || !adapter.isReady(job, ports.now())) return { ...work, job };
  // Lambda would kill this worker during a call that takes as long as it may.
  const callMs = Math.max(dueMs, ports.now());
  if (callMs + adapter.absenceRule(job).callSeconds * secondMs > times.deadline) return undefined;
  await waitConnected(ports, { target: seen, job }, dueMs);
  const isOld = ports.now() - work.readMs > pauseFreshMs;
  if (isOld && (await readPause(ports.table, seen))) return undefined;
  return { make: (worker) => goLive(worker, work, job, { takes: true }) };
}

/**
 * A target that comes later than this was perhaps in the hands of workers that crashed before they took it. So it is taken first,
 * which counts. More than the wait in the queue of a great burst.
 */
const latestMs = 2 * minuteMs;

/**
 * Returns true for the wake at the due time of a target to which nothing has happened, except that it was prepared.
 *
 * @param seen the target, read a moment ago
 */
export function isPlain(
  { now, dailyLimits }: Pick<PublishingPorts, 'now' | 'dailyLimits'>,
  seen: Target,
): boolean {
  const { status, wakeAt, scheduledFor, leaseUntil, takes, failures, limitedUntil, platform } = seen;
  return (
    status === 'scheduled' &&
    wakeAt !== undefined &&
    wakeAt === scheduledFor &&
    (leaseUntil === undefined || leaseUntil <= toTimestamp(now())) &&
    takes === undefined &&
    failures === 0 &&
    limitedUntil === undefined &&
    holdingScope(seen) === undefined &&
    unsettledCall(seen.calls) === undefined &&
    now() <= Date.parse(wakeAt) + latestMs &&
    // Whether a place is left in the day is decided with the lease.
    dailyLimits[platform] === undefined
  );
}
