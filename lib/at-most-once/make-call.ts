import { secondMs } from '../kernel/clock.ts';
import type { AbsenceRule, CallRecord } from '../platforms/contract/last-call.ts';
import type { Preparation } from '../platforms/contract/live-post.ts';
import { beginCall } from './call-records.ts';
import { type SendOncePorts, type Sent, sendOnce } from './send-once.ts';

/** The time from a call of unknown outcome to its first lookup, if the error names no time. Our judgement. */
const shortestLookupMs = 2 * secondMs;
/** The longest time to the first lookup, whatever the error says. */
const longestLookupMs = 60 * secondMs;

/**
 * Returns the time from a call of unknown outcome to its first lookup, in milliseconds.
 *
 * @param retryAfterSeconds the time that the platform or its adapter asks for, if any
 */
export const firstLookupMs = ({
  retryAfterSeconds = 0,
}: {
  readonly retryAfterSeconds?: number | undefined;
}) => Math.min(longestLookupMs, Math.max(shortestLookupMs, retryAfterSeconds * secondMs));

/** A last call that is about to be made. */
export interface PlannedCall<Held, Result> {
  /** The records of the earlier calls. */
  readonly calls: readonly CallRecord[];
  readonly token: Preparation;
  readonly rule: AbsenceRule;
  /** Commits the intent: stores the records with the one of this call, and returns the item as it is now. */
  readonly commitIntent: (calls: CallRecord[]) => Promise<Held>;
  /** Makes the platform call. */
  readonly send: () => Promise<Result>;
}

/**
 * Commits the intent, then makes a last call once.
 *
 * @returns the item with its intent, and the end of the call, which the caller commits
 * @throws only if the intent cannot be committed: then nothing was sent
 */
export async function makeCall<Held, Result>(
  ports: SendOncePorts,
  { calls, token, rule, commitIntent, send }: PlannedCall<Held, Result>,
): Promise<{ readonly held: Held; readonly sent: Sent<Result> }> {
  const begun = beginCall(calls, token, rule, ports.now());
  const held = await commitIntent(begun);
  return { held, sent: await sendOnce(ports, begun, send) };
}
