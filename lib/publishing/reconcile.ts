import { accountProblem } from '../accounts/problem.ts';
import { settleCall } from '../at-most-once/call-records.ts';
import type { Verdict } from '../at-most-once/judge-finding.ts';
import { reconcileCall } from '../at-most-once/reconcile-call.ts';
import { countFailure, decideFailure } from '../at-most-once/retry-policy.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import { PostTakenError } from '../targets/store.ts';
import type { WorkerPorts } from './call-log.ts';
import { becomeLive, becomeLiveForCertain } from './finish.ts';
import { goLive } from './go-live.ts';
import { intendedJob, notingCompared } from './load-job.ts';
import { type AccountWork, afterRetry, judge, toTryAgain, tryingAgain, waitUntil } from './step-failure.ts';
import { commitFailed, commitUnknown, commitWake } from './transitions.ts';
import type { Work } from './work.ts';

/**
 * Looks up an unsettled last call, before anything else is done. A post that is found settles the target immediately.
 * Proven absence allows another try. Doubt ends in a failure that says where to look, never in a second post.
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
  const { calls = [] } = target;
  await reconcileCall(
    ports,
    calls,
    async () => {
      const job = await intendedJob(ports, known);
      const adapter = await ports.adapterFor(target.platform);
      const tools = await ports.toolsFor(target.platform);
      const { call, isCompared } = notingCompared(job.call);
      const lookUp = () => adapter.lookUp({ ...job, call }, tools);
      return { rule: adapter.absenceRule(job), lookUp, context: { job, isCompared } };
    },
    {
      live: async (post, { job, isCompared }) => {
        // Without a time from the platform, the time at which the call had ended is the latest possible one.
        const createdMs = Math.min(post.publishedMs ?? job.call.endedMs, ports.now());
        // The platform's clock may be behind, or its time may be that of an upload.
        const publishedMs = Math.max(createdMs, job.call.sinceMs);
        const times = { calledMs: Date.parse(calls.at(-1)?.intentAt ?? ''), publishedMs };
        if (!isCompared(post)) return becomeLiveForCertain(ports, known, job, post, times);
        try {
          return await becomeLive(ports, known, job, post, times);
        } catch (error) {
          if (!(error instanceof PostTakenError)) throw error;
          // Another target has claimed the post since the lookup. The next lookup ignores it.
          await commitWake(ports, target, { event: 'outcome unknown' }, ports.now());
        }
      },
      absent: (verdict) => recordAbsence(ports, known, verdict),
      repeat: (preparation, { job }) =>
        goLive(ports, known, { ...job, preparation: preparation ?? job.preparation }),
      lookAgain: async (looked, atMs) => {
        await commitWake(ports, target, { event: 'outcome unknown' }, atMs, { calls: looked });
      },
      unknown: async (looked, where, why) => {
        await commitUnknown(ports, { ...target, calls: [...looked] }, where, why);
      },
      failed: async (error, where = `the account on ${target.platform}`) => {
        // A lookup waits for a daily limit whatever the post says: without it, the outcome stays unknown.
        const decision = await judge(ports, known, error, 'wait');
        if (decision.kind === 'fail') {
          await commitUnknown(ports, target, where, decision.reason);
          return;
        }
        const retried = afterRetry(ports, target, error, decision);
        await commitWake(ports, target, tryingAgain(error), decision.wakeMs, retried);
      },
    },
  );
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
    refusal ?? `the platform did not carry out the request to publish: ${proof}`,
  );
  const code = refusal === undefined ? 'platform_unavailable' : 'platform_rejected';
  const found = { code, platformMessage: refusal } as const;
  const decision = decideFailure(failure, target, ports.now(), ports.chance());
  // A person who asked for another try has seen the refusal, and does not wait for a backoff.
  const isAskedFor = outcome === 'dismissed';
  if (decision.kind === 'fail' && !isAskedFor) {
    await commitFailed(ports, target, { ...found, text: decision.reason }, { calls: settled });
    return;
  }
  const wakeMs = isAskedFor || decision.kind === 'fail' ? ports.now() : decision.wakeMs;
  await commitWake(ports, target, { event: 'nothing went live', reason: proof }, wakeMs, {
    ...countFailure(target, ports.now()),
    ...toTryAgain(target),
    problem: isAskedFor ? null : { ...found, text: `trying again: ${failure.message}`, retryMs: wakeMs },
    calls: settled,
    ...(preparation && { preparation }),
  });
}
