import { dayMs, minuteMs, secondMs } from '../kernel/clock.ts';
import type { AbsenceRule, CallRecord, Finding } from '../platforms/contract/last-call.ts';
import type { LivePost, Preparation } from '../platforms/contract/live-post.ts';
import { noteCall } from './call-records.ts';

/** A finding about a call that results in a `Live` if it took effect. */
export type FindingOf<Live> =
  | Exclude<Finding, { state: 'live' }>
  | { readonly state: 'live'; readonly post: Live };

/** The decision after the platform was asked about the latest call. `calls` are the records to commit with it. */
export type Verdict<Live = LivePost> =
  | { readonly kind: 'live'; readonly post: Live }
  /** Nothing went live, and nothing can go live any more: prepare and call again. */
  | {
      readonly kind: 'absent';
      readonly outcome: 'absent' | 'dismissed';
      readonly proof: string;
      readonly preparation?: Preparation;
    }
  /** The same call may be made again: both together have at most one effect. */
  | { readonly kind: 'repeat'; readonly preparation?: Preparation }
  | { readonly kind: 'look again'; readonly atMs: number; readonly calls: CallRecord[] }
  | { readonly kind: 'unknown'; readonly calls: CallRecord[]; readonly why?: string | undefined };

/** The verdict after a person's retry: the person has checked, and decides to make the call again. */
export const dismissed = {
  kind: 'absent',
  outcome: 'dismissed',
  proof: 'a person asked for another try after the outcome was reported as unknown',
} as const;

/** The reason that the outcome of a call is unknown although the platform has it. */
const processingWhy = 'the platform has accepted the post and is still processing it';

/** The waits between lookups until the platform's reads have caught up: 2, 4, 8 … 60 seconds. */
const firstGapMs = 2 * secondMs;
const longestGapMs = 60 * secondMs;
/** The longest gap. The rule's gap doubles with each repeat: a platform that keeps losing calls is in trouble. */
const longestRepeatGapMs = 15 * minuteMs;
/** The time beyond the platform's own limit after which a call in processing is stuck. A person's retry may then replace it. */
const stuckMs = dayMs;
/** The time after a call's end at which it is stuck whatever the platform: no platform's own limit is longer than a day. */
const stuckAnywhereMs = dayMs + stuckMs;

/**
 * Judges a lookup of the latest call. Pure. All platforms share this rule, for posts and for messages.
 *
 * @param calls the records; the latest is unsettled
 * @param now epoch milliseconds
 */
export function judgeFinding<Live>(
  calls: readonly CallRecord[],
  finding: FindingOf<Live>,
  rule: AbsenceRule,
  now: number,
): Verdict<Live> {
  const latest = calls.at(-1);
  if (latest === undefined) throw new Error('there is no call to judge');
  const lookups = latest.lookups + 1;
  if (latest.isRestored && finding.state !== 'live') return judgeRestored(calls, latest, rule, now);
  switch (finding.state) {
    case 'live':
      return { kind: 'live', post: finding.post };
    case 'absent':
      return { kind: 'absent', outcome: 'absent', proof: finding.proof, preparation: finding.preparation };
    case 'processing': {
      const looked = noteCall(calls, { lookups, isProcessing: true });
      const latestMs = Date.parse(latest.endedAt) + rule.processingSeconds * secondMs;
      if (latest.outcome === 'unknown' && now > latestMs + stuckMs) return dismissed;
      if (now > latestMs) return { kind: 'unknown', calls: looked, why: processingWhy };
      return { kind: 'look again', atMs: now + finding.waitSeconds * secondMs, calls: looked };
    }
    case 'unseen':
      return judgeSilence(calls, latest, lookups, finding, rule, now);
  }
}

/**
 * Judges calls that a backup does not have. The platform's evidence about another call proves nothing about them. So
 * the engine looks for them as long as for any call, and then a person decides: a retry asks once more, and calls again
 * if there is still no trace.
 */
function judgeRestored(
  calls: readonly CallRecord[],
  latest: CallRecord,
  rule: AbsenceRule,
  now: number,
): Exclude<Verdict<never>, { kind: 'live' | 'repeat' }> {
  if (latest.outcome === 'unknown') return dismissed;
  const misses = latest.misses + 1;
  const looked = noteCall(calls, { lookups: latest.lookups + 1, misses });
  if (misses < rule.lookups)
    return { kind: 'look again', atMs: now + rule.gapSeconds * secondMs, calls: looked };
  return { kind: 'unknown', calls: looked, why: restoredWhy };
}

const restoredWhy = 'the service was restored from a backup, which does not say whether this went live';

function judgeSilence(
  calls: readonly CallRecord[],
  latest: CallRecord,
  lookups: number,
  { preparation, isGone = false }: Extract<Finding, { state: 'unseen' }>,
  rule: AbsenceRule,
  now: number,
): Exclude<Verdict<never>, { kind: 'live' }> {
  const caughtUpMs = Date.parse(latest.endedAt) + rule.readLagSeconds * secondMs;
  if (now < caughtUpMs) {
    const gapMs = Math.min(longestGapMs, firstGapMs * 2 ** Math.min(latest.lookups, 10));
    const looked = noteCall(calls, { lookups });
    return { kind: 'look again', atMs: Math.min(now + gapMs, caughtUpMs), calls: looked };
  }
  const misses = latest.misses + 1;
  // One lookup that sees nothing may have asked too early. Several say that the platform has given the call up.
  const isGivenUp = latest.isProcessing && misses >= rule.lookups;
  const looked = noteCall(calls, { lookups, misses, ...(isGivenUp && { isProcessing: false }) });
  if (misses < rule.lookups && latest.outcome !== 'unknown') {
    const repeats = calls.filter(({ outcome }) => outcome === 'repeated').length;
    const gapMs = Math.min(longestRepeatGapMs, rule.gapSeconds * secondMs * 2 ** Math.min(repeats, 20));
    return { kind: 'look again', atMs: now + gapMs, calls: looked };
  }
  // A refused call would be refused again. The refusal does not prove that no call took effect.
  const isRepeatable = rule.usedOnce !== undefined && !isGone && latest.refusal === undefined;
  if (isRepeatable) return { kind: 'repeat', ...(preparation && { preparation }) };
  if (latest.outcome === 'unknown') return dismissed;
  return { kind: 'unknown', calls: looked, why: latest.refusal };
}

/**
 * Returns true if a call that the platform was processing may yet take effect, as far as the records say.
 *
 * @param now epoch milliseconds
 */
export function mayTakeEffect({ isProcessing, proof, endedAt }: CallRecord, now: number): boolean {
  // An earlier release has only stored the reason.
  const wasProcessing = isProcessing ?? proof === processingWhy;
  return wasProcessing && now <= Date.parse(endedAt) + stuckAnywhereMs;
}
