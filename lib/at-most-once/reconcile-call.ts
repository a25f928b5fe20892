import type { Clock } from '../kernel/clock.ts';
import type { Preparation } from '../platforms/contract/adapter.ts';
import type { AbsenceRule, CallRecord } from '../platforms/contract/last-call.ts';
import { lastCallOf } from './call-records.ts';
import { type Findings, judgeFinding, type Verdict } from './judge-finding.ts';
import { longestRetryMs } from './retry-policy.ts';

/** What the platform shows about the latest call, and the rule by which to judge it. */
export interface Asked<Live> {
  readonly finding: Findings<Live>;
  readonly rule: AbsenceRule;
}

/** What to commit after each verdict. */
export interface Reconciling<Live, Outcome> {
  readonly live: (post: Live) => Promise<Outcome>;
  readonly absent: (verdict: Extract<Verdict<Live>, { kind: 'absent' }>) => Promise<Outcome>;
  /** Makes the same call again. */
  readonly repeat: (preparation: Preparation | undefined) => Promise<Outcome>;
  /** @param calls the records to commit; `atMs` is in epoch milliseconds */
  readonly lookAgain: (atMs: number, calls: CallRecord[]) => Promise<Outcome>;
  /** @param where where a person can see what became of the call */
  readonly unknown: (calls: CallRecord[], where: string, why: string | undefined) => Promise<Outcome>;
  /** The platform could not be asked. */
  readonly failed: (error: unknown) => Promise<Outcome>;
}

/**
 * Reconciles a last call without an outcome: asks the platform, judges its answer, and commits what follows. The same call
 * is repeated for at most six hours.
 *
 * @param calls the records; the latest is unsettled
 * @param ask asks the platform about the latest call
 */
export async function reconcileCall<Live, Outcome>(
  { now }: { readonly now: Clock },
  calls: readonly CallRecord[],
  ask: () => Promise<Asked<Live>>,
  next: Reconciling<Live, Outcome>,
): Promise<Outcome> {
  let where: string;
  let verdict: Verdict<Live>;
  try {
    const { finding, rule } = await ask();
    where = rule.where;
    verdict = judgeFinding(calls, finding, rule, now());
  } catch (error) {
    return next.failed(error);
  }
  switch (verdict.kind) {
    case 'live':
      return next.live(verdict.post);
    case 'absent':
      return next.absent(verdict);
    case 'repeat': {
      const { sinceMs } = lastCallOf(calls, async () => false);
      const isGivenUp = now() > sinceMs + longestRetryMs;
      if (isGivenUp)
        return next.unknown([...calls], where, 'the platform did not carry out the call for 6 hours');
      return next.repeat(verdict.preparation);
    }
    case 'look again':
      return next.lookAgain(verdict.atMs, verdict.calls);
    case 'unknown':
      return next.unknown(verdict.calls, where, verdict.calls.at(-1)?.refusal);
  }
}
