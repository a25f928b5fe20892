import type { Clock } from '../kernel/clock.ts';
import type { AbsenceRule, CallRecord } from '../platforms/contract/last-call.ts';
import type { Preparation } from '../platforms/contract/live-post.ts';
import { firstIntentMs } from './call-records.ts';
import { dismissed, type FindingOf, judgeFinding, type Verdict } from './judge-finding.ts';
import { longestRetryMs } from './retry-policy.ts';

/** The parts for looking up a call. */
export interface OpenedCall<Live, Context> {
  readonly rule: AbsenceRule;
  readonly lookUp: () => Promise<FindingOf<Live>>;
  /** The data that `live` and `repeat` need. */
  readonly context: Context;
}

/** The handlers that commit each verdict. `where` is the place where a person can see the outcome of the call. */
export interface VerdictHandlers<Live, Context, Outcome> {
  readonly live: (post: Live, context: Context) => Promise<Outcome>;
  readonly absent: (verdict: Extract<Verdict<Live>, { kind: 'absent' }>) => Promise<Outcome>;
  /** Makes the same call again. */
  readonly repeat: (
    preparation: Preparation | undefined,
    context: Context,
    where: string,
  ) => Promise<Outcome>;
  /** Schedules another lookup. @param atMs epoch milliseconds */
  readonly lookAgain: (calls: CallRecord[], atMs: number) => Promise<Outcome>;
  readonly unknown: (
    calls: readonly CallRecord[],
    where: string,
    why: string | undefined,
  ) => Promise<Outcome>;
  /** Handles a platform that could not be asked. `where` is undefined if the call could not even be opened. */
  readonly failed: (error: unknown, where: string | undefined) => Promise<Outcome>;
}

/**
 * Looks up an unsettled last call, judges the finding, and commits the verdict. The same call is repeated for at most
 * six hours. After that, a person's first retry repeats it once more, because that cannot make a second post. The next
 * retry dismisses it.
 *
 * @param calls the records; the latest is unsettled
 * @param open gets what the lookup needs, such as an access token
 */
export async function reconcileCall<Live, Context, Outcome>(
  { now }: { readonly now: Clock },
  calls: readonly CallRecord[],
  open: () => Promise<OpenedCall<Live, Context>>,
  next: VerdictHandlers<Live, Context, Outcome>,
): Promise<Outcome> {
  let opened: OpenedCall<Live, Context> | undefined;
  let verdict: Verdict<Live>;
  try {
    opened = await open();
    verdict = judgeFinding(calls, await opened.lookUp(), opened.rule, now());
  } catch (error) {
    return next.failed(error, opened?.rule.where);
  }
  const { context, rule } = opened;
  switch (verdict.kind) {
    case 'live':
      return next.live(verdict.post, context);
    case 'absent':
      return next.absent(verdict);
    case 'repeat': {
      const lastMs = firstIntentMs(calls) + longestRetryMs;
      const { outcome, intentAt = '' } = calls.at(-1) ?? {};
      const isAskedFor = outcome === 'unknown';
      const isRepeated = now() <= lastMs || (isAskedFor && Date.parse(intentAt) <= lastMs);
      if (isRepeated) return next.repeat(verdict.preparation, context, rule.where);
      if (isAskedFor) return next.absent(dismissed);
      return next.unknown(calls, rule.where, 'the platform did not carry out the call for 6 hours');
    }
    case 'look again':
      return next.lookAgain(verdict.calls, verdict.atMs);
    case 'unknown':
      return next.unknown(verdict.calls, rule.where, verdict.why);
  }
}
