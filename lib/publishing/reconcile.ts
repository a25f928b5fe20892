import { accountProblem } from '../accounts/problem.ts';
import { settleCall } from '../at-most-once/call-records.ts';
import { judgeFinding, type Verdict } from '../at-most-once/judge-finding.ts';
import { countFailure, decideFailure, longestRetryMs } from '../at-most-once/retry-policy.ts';
import type { IntendedJob } from '../platforms/contract/adapter.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import type { WorkerPorts } from './call-log.ts';
import { becomeLive } from './finish.ts';
import { goLive } from './go-live.ts';
import { intendedJob, type Work } from './load-work.ts';
import { type AccountWork, judge, tryingAgain, waitUntil } from './step-failure.ts';
import { commitFailed, commitUnknown, commitWake } from './transitions.ts';

/**
 * Reconciles a last call without an outcome: asks the platform before anything else. A post that is found settles the
 * target immediately. Proven absence allows another try. Doubt ends in a failure that says where to look, never in a
 * second post.
 */
export async function reconcileTarget(ports: WorkerPorts, work: Work): Promise<void> {
  const { target, account } = work;
  await waitUntil(ports, Date.parse(target.wakeAt ?? ''));
  const problem = accountProblem(account);
  if (problem || !account) {
    await commitUnknown(ports, target, `the account on ${target.platform}`, problem);
    return;
  }
  const known: AccountWork = { ...work, account };
  let job: IntendedJob;
  let verdict: Verdict;
  let where = `the account on ${target.platform}`;
  try {
    job = await intendedJob(ports, known);
    const adapter = await ports.adapterFor(target.platform);
    const rule = adapter.absenceRule(job);
    where = rule.where;
    const finding = await adapter.lookUp(job, await ports.toolsFor(target.platform));
    verdict = judgeFinding(target.calls ?? [], finding, rule, ports.now());
  } catch (error) {
    const decision = await judge(ports, known, error);
    if (decision.kind === 'retry') {
      await commitWake(ports, target, tryingAgain(error), decision.wakeMs, countFailure(target, ports.now()));
    } else {
      await commitUnknown(ports, target, where, decision.reason);
    }
    return;
  }
  switch (verdict.kind) {
    case 'live': {
      const { post } = verdict;
      // Without a time from the platform, the time at which the call had ended is the latest possible one.
      const publishedMs = Math.min(post.publishedMs ?? job.call.endedMs, ports.now());
      return becomeLive(ports, known, job, post, publishedMs);
    }
    case 'absent':
      return recordAbsence(ports, known, verdict);
    case 'repeat':
      if (ports.now() > job.call.sinceMs + longestRetryMs) {
        await commitUnknown(ports, target, where, 'the platform did not carry out the call for 6 hours');
        return;
      }
      return goLive(ports, known, { ...job, preparation: verdict.preparation ?? job.preparation });
    case 'look again':
      await commitWake(ports, target, { event: 'outcome unknown' }, verdict.atMs, { calls: verdict.calls });
      return;
    case 'unknown': {
      const looked = { ...target, calls: verdict.calls };
      await commitUnknown(ports, looked, where, verdict.calls.at(-1)?.refusal);
    }
  }
}

/** Records that nothing went live or will. The call is made again, unless the platform refused the post. */
async function recordAbsence(
  ports: WorkerPorts,
  { target }: AccountWork,
  { outcome, proof, preparation = target.preparation }: Extract<Verdict, { kind: 'absent' }>,
): Promise<void> {
  const { calls = [] } = target;
  const refusal = calls.at(-1)?.refusal;
  const settled = settleCall(calls, outcome, proof);
  const failure = new PlatformError(
    refusal === undefined ? 'retry' : 'rejected',
    refusal ?? 'the platform did not carry out the request to publish',
  );
  const decision = decideFailure(failure, target, ports.now(), ports.chance());
  // A person who asked for another try does not wait for a backoff, and has seen the refusal.
  const wakeMs = outcome === 'dismissed' ? ports.now() : undefined;
  if (decision.kind === 'fail' && wakeMs === undefined) {
    await commitFailed(ports, target, decision.reason, { calls: settled });
    return;
  }
  const atMs = wakeMs ?? (decision.kind === 'retry' ? decision.wakeMs : ports.now());
  await commitWake(ports, target, { event: 'nothing went live', reason: proof }, atMs, {
    ...countFailure(target, ports.now()),
    status: 'scheduled',
    calls: settled,
    ...(preparation && { preparation }),
  });
}
