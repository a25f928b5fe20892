import { secondMs, toTimestamp } from '../kernel/clock.ts';
import type { AbsenceRule, CallOutcome, CallRecord, LastCall } from '../platforms/contract/last-call.ts';
import type { Preparation } from '../platforms/contract/live-post.ts';

/**
 * The time after its intent within which a last call starts, or not at all, unless its process is paused just before it
 * sends. Our judgement. Other workers conclude from it when the call of a killed worker has certainly ended.
 */
export const latestCallStartMs = 5 * secondMs;

/** The outcomes after which the same call may still turn out to be live, so that nothing else may be prepared. */
const unsettledOutcomes: readonly CallOutcome[] = ['open', 'repeated', 'unknown'];
/** The outcomes without proof. A post that such a call made late still counts as the target's. */
const unprovenOutcomes: readonly CallOutcome[] = [...unsettledOutcomes, 'dismissed'];

/**
 * Appends the record of a call that is about to be made. The records of earlier unsettled calls have the same token.
 *
 * @param nowMs the time of the intent, in epoch milliseconds
 */
export function beginCall(
  calls: readonly CallRecord[],
  token: Preparation,
  { callSeconds }: Pick<AbsenceRule, 'callSeconds'>,
  nowMs: number,
): CallRecord[] {
  const earlier = calls.map((call) => (isUnsettled(call) ? { ...call, outcome: 'repeated' as const } : call));
  const endedMs = nowMs + latestCallStartMs + callSeconds * secondMs;
  const record: CallRecord = {
    intentAt: toTimestamp(nowMs),
    token,
    endedAt: toTimestamp(endedMs),
    outcome: 'open',
    lookups: 0,
    misses: 0,
  };
  return [...earlier, record];
}

const isUnsettled = ({ outcome }: CallRecord): boolean => unsettledOutcomes.includes(outcome);

/** Returns the latest call, if it is not settled whether it or an earlier call with the same token went live. */
export function unsettledCall(calls: readonly CallRecord[] = []): CallRecord | undefined {
  return calls.some(isUnsettled) ? calls.at(-1) : undefined;
}

/** Returns true if an earlier call with the same token as the latest may have taken effect. */
export function isRepeat(calls: readonly CallRecord[]): boolean {
  return calls.slice(0, -1).some(isUnsettled);
}

/**
 * Settles the latest call. If the outcome is proven, also settles the earlier calls with the same token.
 *
 * @param proof the evidence for the outcome
 */
export function settleCall(
  calls: readonly CallRecord[],
  outcome: Exclude<CallOutcome, 'open' | 'repeated'>,
  proof: string | undefined,
): CallRecord[] {
  const isProven = outcome !== 'unknown' && outcome !== 'refused';
  return calls.map((call, index) => {
    const isLatest = index === calls.length - 1;
    if (!isLatest && !(isProven && isUnsettled(call))) return call;
    // An earlier call took effect at most together with the latest one, so only that one is recorded as live.
    const settled = outcome === 'live' && !isLatest ? 'absent' : outcome;
    return { ...call, outcome: settled, ...(proof !== undefined && { proof }) };
  });
}

/** Replaces fields of the latest record while its outcome is open. `endedAt` only ever moves to an earlier time. */
export function noteCall(
  calls: readonly CallRecord[],
  changes: Partial<Pick<CallRecord, 'token' | 'endedAt' | 'refusal' | 'lookups' | 'misses' | 'isProcessing'>>,
): CallRecord[] {
  const latest = calls.at(-1);
  if (latest === undefined) throw new Error('there is no call to note this about');
  const { endedAt = latest.endedAt } = changes;
  const earliest = endedAt < latest.endedAt ? endedAt : latest.endedAt;
  return [...calls.slice(0, -1), { ...latest, ...changes, endedAt: earliest }];
}

/**
 * Returns the data that an adapter needs to look up the latest call.
 *
 * @throws Error if there is no call
 */
export function lastCallOf(calls: readonly CallRecord[], isTaken: LastCall['isTaken']): LastCall {
  const possible = possibleCalls(calls);
  const endedMs = Math.max(...possible.map(({ endedAt }) => Date.parse(endedAt)));
  return { token: possible.at(-1)?.token ?? {}, sinceMs: firstIntentMs(calls), endedMs, isTaken };
}

/**
 * Returns the first intent, in epoch milliseconds, of a call that may have made the post or sent the message.
 *
 * @throws Error if there is no call
 */
export function firstIntentMs(calls: readonly CallRecord[]): number {
  return Math.min(...possibleCalls(calls).map(({ intentAt }) => Date.parse(intentAt)));
}

/** Returns the earlier calls without proof, and the latest call. */
function possibleCalls(calls: readonly CallRecord[]): CallRecord[] {
  const latest = calls.at(-1);
  if (latest === undefined) throw new Error('there is no call to look up');
  return [...calls.slice(0, -1).filter(({ outcome }) => unprovenOutcomes.includes(outcome)), latest];
}
