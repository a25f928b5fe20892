import { accountProblem, accountProblemCode } from '../accounts/problem.ts';
import { dayMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { readPause } from '../pauses/read.ts';
import { pausedText } from '../pauses/scope.ts';
import { isAboutAccount, PlatformError } from '../platforms/contract/errors.ts';
import { Post } from '../posts/stored/schemas.ts';
import { batchGet } from '../table/batch-get.ts';
import { postKey } from '../table/keys.ts';
import { codeOf, quoteOf } from '../targets/problem.ts';
import { isWholePostTakenDown } from '../targets/removal.ts';
import type { Target } from '../targets/schemas.ts';
import { holdingScope } from '../targets/wake.ts';
import { loadWhenReady } from './await-files.ts';
import type { WorkerPorts } from './call-log.ts';
import { goLive } from './go-live.ts';
import { holdIfPaused } from './hold.ts';
import { type Prepared, prepare, sendsFileNext } from './prepare.ts';
import { readyFilesAhead } from './ready-files.ts';
import { requirePlace } from './require-place.ts';
import { type AccountWork, recordFailure, waitUntil } from './step-failure.ts';
import { waitInPlaceMs } from './time-limits.ts';
import { commitFailed, commitWake, type Step } from './transitions.ts';
import type { Work } from './work.ts';

/** The greatest lateness with which a target is still published after an outage. */
const maxLatenessMs = dayMs;

/** If a pause was looked for longer ago than this, it is looked for again before a target goes live. */
const pauseFreshMs = 5 * secondMs;

/** Long enough for a slow TLS handshake. The connection is young enough to be used: see `freshConnections`. */
const connectLeadMs = 1.5 * secondMs;

/**
 * Works a scheduled target: has its files made ready long ahead, prepares it ahead of its due time, and makes it live at that time.
 */
export async function publishScheduled(ports: WorkerPorts, work: Work): Promise<void> {
  const { target, account } = work;
  if (target.awaitsFiles) return readyFilesAhead(ports, work, target.awaitsFiles);
  const dueMs = Date.parse(target.scheduledFor ?? work.post.createdAt);
  const wakeMs = Date.parse(target.wakeAt ?? '');
  const problem = accountProblem(account);
  // The first step and the wake at the due time may start early. Any other wake (a status check, a retry) must not.
  const { limitedUntil = toTimestamp(dueMs) } = target;
  const isBegun =
    target.preparation !== undefined ||
    target.failures > 0 ||
    target.limitedUntil !== undefined ||
    holdingScope(target) !== undefined;
  if (problem || (isBegun && wakeMs !== dueMs)) await waitUntil(ports, wakeMs);
  // While a target waits for a limit of the platform, it is not late.
  const missedMs = Math.max(dueMs, Date.parse(limitedUntil)) + maxLatenessMs;
  if (ports.now() > missedMs) {
    const why = work.pause ? ` (${pausedText(work.pause)})` : '';
    const missed = `missed: it was due at ${toTimestamp(dueMs)}, more than 24 hours ago${why}`;
    await commitFailed(ports, target, { code: 'missed', text: missed });
    return;
  }
  const times = { dueMs, missedMs };
  if (await holdIfPaused(ports, target, work.pause, times)) return;
  if (await isParentTakenDown(ports, work)) {
    await commitFailed(ports, target, {
      code: 'taken_down',
      text: 'the post that it follows was taken down',
    });
    return;
  }
  if (problem || !account) {
    // The account may be usable again by the due time. The target fails only if it is not.
    const text = problem ?? 'the account was deleted';
    const found = { code: accountProblemCode(account), text };
    if (ports.now() < dueMs)
      await commitWake(ports, target, waitingFor(text), dueMs, { problem: { ...found, retryMs: dueMs } });
    else await commitFailed(ports, target, found);
    return;
  }
  const known: AccountWork = { ...work, account };
  let prepared: Prepared | undefined;
  let latest = target;
  const onCommitted = (committed: Target) => {
    latest = committed;
    ports.onCommitted(committed);
  };
  try {
    const job = await loadWhenReady(ports, known, dueMs);
    if (job) await requirePlace(ports, known);
    prepared = job && (await prepare({ ...ports, onCommitted }, known, job, dueMs));
  } catch (error) {
    const preparation = error instanceof PlatformError ? error.preparation : undefined;
    if (account.status === 'error' && isAboutAccount(error) && dueMs - ports.now() > waitInPlaceMs) {
      // The restriction may end before the due time: the target is tried then, for the last time.
      const { message: text } = error as PlatformError;
      const problem = { code: codeOf(error), text, platformMessage: quoteOf(error), retryMs: dueMs };
      await commitWake(ports, latest, waitingFor(text), dueMs, {
        problem,
        ...(preparation && { preparation }),
      });
      return;
    }
    await recordFailure(ports, { ...known, target: latest }, error, preparation && { preparation });
    return;
  }
  if (!prepared) return;
  const adapter = await ports.adapterFor(target.platform);
  const callMs = Math.max(dueMs, ports.now());
  // Lambda would kill this worker during a call that takes as long as it may.
  const isTooLate = callMs + adapter.absenceRule(prepared.job).callSeconds * secondMs > work.deadline;
  if (callMs - ports.now() > waitInPlaceMs || isTooLate || ports.queue === 'upload') {
    const { preparation } = prepared.job;
    const changes = { preparation, ...sendsFileNext(prepared.target) };
    await commitWake(ports, prepared.target, { event: 'prepared' }, callMs, changes);
    return;
  }
  await waitConnected(ports, prepared, dueMs);
  if (ports.now() - work.readMs > pauseFreshMs) {
    const pause = await readPause(ports.table, target);
    const { preparation } = prepared.job;
    if (await holdIfPaused(ports, prepared.target, pause, times, { preparation })) return;
  }
  await goLive(ports, { ...known, target: prepared.target }, prepared.job);
}

/** True if the post whose chain made this one was taken down as a whole. Of its own item: a moment may pass until that says so. */
async function isParentTakenDown(
  { table }: WorkerPorts,
  { target: { workspaceId }, post: { parentPostId } }: Work,
): Promise<boolean> {
  if (parentPostId === undefined) return false;
  const key = postKey(workspaceId, parentPostId);
  const parent = (await batchGet(table, [key])).get(key);
  return parent !== undefined && isWholePostTakenDown(Post.parse(parent).targets);
}

/** Waits for the due time, and opens the connection of the last call shortly before. @param dueMs epoch milliseconds */
async function waitConnected(ports: WorkerPorts, prepared: Prepared, dueMs: number): Promise<void> {
  await waitUntil(ports, dueMs - connectLeadMs);
  void connectAhead(ports, prepared);
  await waitUntil(ports, dueMs);
}

/** Opens the connection of the last call. Never throws: without it, the call opens its own. */
async function connectAhead(ports: WorkerPorts, { target, job }: Prepared): Promise<void> {
  try {
    const adapter = await ports.adapterFor(target.platform);
    const tools = await ports.toolsFor(target.platform);
    await tools.http.connectAhead(adapter.lastCallUrl(job, tools));
  } catch {}
}

const waitingFor = (reason: string): Step => ({ event: 'waiting', reason });
