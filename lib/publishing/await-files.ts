import { minuteMs, secondMs } from '../kernel/clock.ts';
import { attemptMs, patienceMs } from '../media/imports/times.ts';
import type { PublishJob } from '../platforms/contract/adapter.ts';
import { OwnFailure } from '../targets/problem.ts';
import type { AwaitedFile } from './adapt-files.ts';
import type { WorkerPorts } from './call-log.ts';
import { loadJob } from './load-job.ts';
import type { AccountWork } from './step-failure.ts';
import { waitInPlaceMs } from './time-limits.ts';
import { commitWake } from './transitions.ts';

/** The time after its due time for which a target still waits for a file that has not been uploaded. */
const uploadGraceMs = 10 * minuteMs;

/** The same for a file that is imported: the time for which failed attempts are repeated, and one attempt more. */
const importGraceMs = patienceMs + attemptMs;

/** The same for a file that is converted: two attempts at the largest one, with the wait for a message that was lost. */
const renditionGraceMs = 35 * minuteMs;

const gracesMs: Readonly<Record<AwaitedFile['kind'], number>> = {
  upload: uploadGraceMs,
  import: importGraceMs,
  rendition: renditionGraceMs,
};

/** If the due time is this near, the next look at a missing file is at the due time. */
const nearMs = 15 * secondMs;

const shortestWaitMs = secondMs;
const longestWaitMs = minuteMs;

/**
 * Returns the time of the next look at a missing file or rendition, in epoch milliseconds. Pure. Before the due time, each wait is half of the time
 * that is left, so an early preparation looks a few times. After it, waits grow from a second to a minute, so a post that
 * is published right after its upload goes live within seconds.
 *
 * @param now epoch milliseconds
 * @param dueMs epoch milliseconds
 */
export function nextLookMs(now: number, dueMs: number): number {
  const leftMs = dueMs - now;
  if (leftMs > 0) return leftMs <= nearMs ? dueMs : now + Math.ceil(leftMs / 2);
  return now + Math.min(longestWaitMs, Math.max(shortestWaitMs, Math.ceil(-leftMs / 2)));
}

/**
 * Loads a target's job once its files are ready. Waits in place if the wait is short; otherwise commits a wake.
 *
 * If an outage delivered the wake later than all patience, the file may be late for the same reason. So the target looks
 * once more, a minute later.
 *
 * @param dueMs when the target is due, in epoch milliseconds
 * @returns `undefined` if the rest is left to the next wake
 * @throws PlatformError as {@link loadJob} does, and if a file is still missing at a wake ten minutes after the due time
 *   (45 minutes if its import is still being tried, 35 if it is being converted)
 */
export async function loadWhenReady(
  ports: WorkerPorts,
  work: AccountWork,
  dueMs: number,
): Promise<PublishJob | undefined> {
  const beganMs = ports.now();
  const wakeMs = Date.parse(work.target.wakeAt ?? '');
  let waitedMs = 0;
  for (;;) {
    const loaded = await loadJob(ports, work);
    if ('job' in loaded) return loaded.job;
    const graceEndMs = dueMs + gracesMs[loaded.kind];
    const isLate = beganMs >= graceEndMs && wakeMs < graceEndMs;
    const now = ports.now();
    if (now >= graceEndMs && !isLate)
      throw new OwnFailure('rejected', loaded.missing.code, loaded.missing.text);
    const nextMs = nextLookMs(now, dueMs);
    const lookMs = now < graceEndMs ? Math.min(nextMs, graceEndMs) : nextMs;
    // A wake's message arrives up to a second early. That second is always waited in place.
    waitedMs += lookMs - now;
    if (waitedMs > waitInPlaceMs) {
      await commitWake(ports, work.target, { event: 'waiting', reason: loaded.reason }, lookMs);
      return undefined;
    }
    await ports.sleep(lookMs - now);
  }
}
