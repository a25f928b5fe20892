import { accountProblem } from '../accounts/problem.ts';
import { dayMs, toTimestamp } from '../kernel/clock.ts';
import type { WorkerPorts } from './call-log.ts';
import { goLive } from './go-live.ts';
import { buildJob, type Work } from './load-work.ts';
import { type Prepared, prepare } from './prepare.ts';
import { type AccountWork, recordFailure, waitInPlaceMs, waitUntil } from './step-failure.ts';
import { commitFailed, commitWake, type Step } from './transitions.ts';

/** How late a target may still be published after an outage. */
const latestMs = dayMs;

/** A scheduled target: prepared ahead of its time, live at it. */
export async function publishScheduled(ports: WorkerPorts, work: Work): Promise<void> {
  const { target, account } = work;
  const dueMs = Date.parse(target.scheduledFor ?? work.post.createdAt);
  const wakeMs = Date.parse(target.wakeAt ?? '');
  const problem = accountProblem(account);
  // What is due in seconds is made ready for its second, and the first step may come early; any other wake is waited for.
  const isBegun = target.preparation !== undefined || target.failures > 0;
  if (problem || (isBegun && wakeMs !== dueMs)) await waitUntil(ports, wakeMs);
  if (ports.now() > dueMs + latestMs) {
    await commitFailed(ports, target, `missed: it was due at ${toTimestamp(dueMs)}, more than 24 hours ago`);
    return;
  }
  if (problem || !account) {
    // The account may be back by the target's time; only then does its trouble fail the target.
    if (ports.now() < dueMs) await commitWake(ports, target, waitingFor(problem), dueMs);
    else await commitFailed(ports, target, problem ?? 'the account is gone');
    return;
  }
  const known: AccountWork = { ...work, account };
  let prepared: Prepared | undefined;
  try {
    prepared = await prepare(ports, known, await buildJob(ports, known), dueMs);
  } catch (error) {
    await recordFailure(ports, known, error);
    return;
  }
  if (!prepared) return;
  if (dueMs - ports.now() > waitInPlaceMs || dueMs > work.deadline) {
    const { preparation } = prepared.job;
    await commitWake(ports, prepared.target, { event: 'prepared' }, dueMs, { preparation });
    return;
  }
  await waitUntil(ports, dueMs);
  await goLive(ports, { ...known, target: prepared.target }, prepared.job);
}

const waitingFor = (problem: string | undefined): Step =>
  problem === undefined ? { event: 'waiting' } : { event: 'waiting', reason: problem };
