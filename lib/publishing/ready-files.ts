import { hourMs, secondMs } from '../kernel/clock.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import type { Target } from '../targets/schemas.ts';
import { ConversionFailure } from './adapt-files.ts';
import type { WorkerPorts } from './call-log.ts';
import { type LoadedContent, loadContent } from './load-job.ts';
import { sendsFileNext } from './prepare.ts';
import { commitFailed, commitNextWake, commitWake } from './transitions.ts';
import type { Work } from './work.ts';

type AwaitsFiles = NonNullable<Target['awaitsFiles']>;

const shortestWaitMs = 5 * secondMs;
const longestWaitMs = 6 * hourMs;

/**
 * Returns the time of the next look at a file ahead of a target's preparation, in epoch milliseconds; `undefined` if the usual first
 * wake is as near. Pure. A wait is as long as the file has been awaited, which doubles it, and at most half of the time that is left:
 * a file that arrives at the last moment can still be converted.
 *
 * @param now epoch milliseconds
 * @param sinceMs the time since which the file is awaited
 * @param untilMs the usual first wake
 */
export function nextLookAheadMs(now: number, sinceMs: number, untilMs: number): number | undefined {
  const leftMs = untilMs - now;
  const waitMs = Math.min(longestWaitMs, Math.max(shortestWaitMs, now - sinceMs), Math.ceil(leftMs / 2));
  return waitMs < shortestWaitMs ? undefined : now + waitMs;
}

/**
 * Has the files of a target made ready, long before its preparation: asks for the renditions that it needs, looks at them a few
 * times, and leaves the target to its usual first wake. Asks nothing of the platform, so neither a pause nor a disconnected account
 * matters, and no place of a daily limit is taken.
 *
 * A file that cannot be converted fails the target at once, so that a person can act before its time. Every other problem is left to
 * the usual wake: until then a file may be uploaded again.
 *
 * @throws LeaseLostError if the target was taken or changed
 */
export async function readyFilesAhead(ports: WorkerPorts, work: Work, awaits: AwaitsFiles): Promise<void> {
  const { target, account } = work;
  const untilMs = Date.parse(awaits.until);
  try {
    if (!account) return await leave(ports, target, untilMs, 'the account was deleted');
    const loaded = await loadContent(ports, { ...work, account });
    if (!('kind' in loaded)) return await leaveReady(ports, target, loaded);
    const { reason, sinceMs = Date.parse(awaits.since) } = loaded;
    const lookMs = nextLookAheadMs(ports.now(), sinceMs, untilMs);
    if (lookMs === undefined) return await leave(ports, target, untilMs, reason);
    const last = target.timeline.at(-1);
    if (last?.event === 'waiting' && last.reason === reason) await commitNextWake(ports, target, lookMs);
    else await commitWake(ports, target, { event: 'waiting', reason }, lookMs);
  } catch (error) {
    if (error instanceof ConversionFailure) {
      await commitFailed(ports, target, { code: error.code, text: error.message });
    } else if (error instanceof PlatformError) await leave(ports, target, untilMs, error.message);
    else throw error;
  }
}

/** Leaves a target whose files are ready to its usual first wake, which the files decide. */
async function leaveReady(
  ports: WorkerPorts,
  target: Target,
  { content, adaptations }: LoadedContent,
): Promise<void> {
  const rules = await ports.rulesFor(target.platform);
  const dueMs = Date.parse(target.scheduledFor ?? '');
  const wakeMs = Math.max(ports.now(), dueMs - (rules?.leadSeconds(content) ?? 0) * secondMs);
  const reason = adaptations.map(({ field, message }) => `${field}: ${message}`).join('; ');
  const changes = { awaitsFiles: null, ...sendsFileNext(target, rules?.sendsFile?.(content)) };
  await commitWake(
    ports,
    target,
    { event: 'preparing', laterEvent: 'files ready', ...(reason !== '' && { reason }) },
    wakeMs,
    changes,
  );
}

async function leave(ports: WorkerPorts, target: Target, untilMs: number, reason: string): Promise<void> {
  const wakeMs = Math.max(ports.now(), untilMs);
  await commitWake(ports, target, { event: 'waiting', reason }, wakeMs, { awaitsFiles: null });
}
