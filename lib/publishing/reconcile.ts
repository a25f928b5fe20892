import { accountProblem } from '../accounts/problem.ts';
import { countFailure, decideFailure, longestRetryMs } from '../at-most-once/retry-policy.ts';
import { secondMs } from '../kernel/clock.ts';
import type { IntendedJob, Preparation, Reconciliation } from '../platforms/contract/adapter.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import type { Target } from '../targets/schemas.ts';
import type { WorkerPorts } from './call-log.ts';
import { becomeLive } from './finish.ts';
import { intendedJob, type Work } from './load-work.ts';
import { type AccountWork, judge, tryingAgain, waitUntil } from './step-failure.ts';
import { commitFailed, commitUnknown, commitWake } from './transitions.ts';

/**
 * Reconciles an intent without an outcome: asks the platform before anything else. Proven absence allows another try. Doubt
 * ends in a failure that says where to look, never in a second post.
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
  let answer: Reconciliation;
  try {
    job = await intendedJob(ports, known);
    const adapter = await ports.adapterFor(target.platform);
    answer = await adapter.reconcile(job, await ports.toolsFor(target.platform));
  } catch (error) {
    const decision = await judge(ports, known, error);
    if (decision.kind === 'retry') {
      await commitWake(ports, target, tryingAgain(error), decision.wakeMs, countFailure(target, ports.now()));
    } else {
      await commitUnknown(ports, target, `the account on ${target.platform}`, decision.reason);
    }
    return;
  }
  switch (answer.state) {
    case 'live':
      return becomeLive(ports, known, job, answer.post, job.intentAt);
    case 'absent':
      return recordAbsence(ports, target, answer.preparation);
    case 'pending':
      if (ports.now() > job.intentAt + longestRetryMs) {
        await commitUnknown(
          ports,
          target,
          `the account on ${target.platform}`,
          'the platform gave no clear answer for 6 hours',
        );
        return;
      }
      await commitWake(
        ports,
        target,
        { event: 'outcome unknown' },
        ports.now() + answer.waitSeconds * secondMs,
      );
      return;
    case 'unknown':
      await commitUnknown(ports, target, answer.where);
  }
}

/** Records proven absence: nothing is live or will be. The go-live call is retried, unless the platform refused the post. */
async function recordAbsence(ports: WorkerPorts, target: Target, preparation: Preparation): Promise<void> {
  const { refusal } = target;
  const failure = new PlatformError(
    refusal === undefined ? 'retry' : 'rejected',
    refusal ?? 'the platform did not carry out the request to publish',
  );
  const decision = decideFailure(failure, target, ports.now(), ports.chance());
  if (decision.kind === 'fail') {
    await commitFailed(ports, target, decision.reason);
    return;
  }
  await commitWake(ports, target, { event: 'nothing went live' }, decision.wakeMs, {
    ...countFailure(target, ports.now()),
    status: 'scheduled',
    intentAt: null,
    preparation,
  });
}
