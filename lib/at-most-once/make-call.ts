import { type Clock, secondMs, toTimestamp } from '../kernel/clock.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import type { AbsenceRule, CallRecord } from '../platforms/contract/last-call.ts';
import type { Preparation } from '../platforms/contract/live-post.ts';
import { OwnFailure } from '../targets/problem.ts';
import { beginCall, isRepeat, latestCallStartMs, noteCall, settleCall } from './call-records.ts';

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

/** The end of a last call, with the records that say so. */
type Sent<Result> =
  | { readonly state: 'done'; readonly result: Result; readonly calls: CallRecord[] }
  /** Certainly nothing went live. */
  | { readonly state: 'refused'; readonly error: PlatformError; readonly calls: CallRecord[] }
  /** Only the platform can say. */
  | {
      readonly state: 'unknown';
      readonly reason: string;
      /** The error if a repeated call was refused or not sent. */
      readonly refusal?: PlatformError;
      readonly calls: CallRecord[];
      readonly preparation?: Preparation | undefined;
      /** The time after which a lookup makes sense, if the error gives one. */
      readonly retryAfterSeconds?: number | undefined;
    };

interface SendOncePorts {
  readonly now: Clock;
  /** Reports an internal error to operators. */
  readonly report: (message: string, error: unknown) => void;
}

/**
 * Makes a last call after its intent was just committed, and says what its end proves. Never throws.
 *
 * @param calls the committed records; the latest is this call's
 */
export async function sendOnce<Result>(
  { now, report }: SendOncePorts,
  calls: readonly CallRecord[],
  send: () => Promise<Result>,
): Promise<Sent<Result>> {
  const intentMs = Date.parse(calls.at(-1)?.intentAt ?? '');
  const ended = () => noteCall(calls, { endedAt: toTimestamp(now()) });
  // If an earlier call with the same token may be the reason for a refusal, the refusal proves nothing.
  const refused = (error: PlatformError, proof: string): Sent<Result> =>
    isRepeat(calls)
      ? { state: 'unknown', reason: error.message, refusal: error, calls: ended() }
      : { state: 'refused', error, calls: settleCall(ended(), 'refused', proof) };
  if (!(now() <= intentMs + latestCallStartMs)) {
    const late = new OwnFailure(
      'retry',
      'internal',
      'an error on our side: the request to publish would have been sent too late',
    );
    return refused(late, 'it was never sent');
  }
  try {
    const result = await send();
    return { state: 'done', result, calls: settleCall(ended(), 'live', undefined) };
  } catch (error) {
    if (error instanceof PlatformError && error.remedy !== 'unknown') return refused(error, error.message);
    // After any other error, including our own, the outcome is unknown.
    if (!(error instanceof PlatformError)) {
      report('a last call failed', error);
      return { state: 'unknown', reason: 'an error on our side', calls: [...calls] };
    }
    const { message: reason, preparation, status, ifAbsent, isProcessing, retryAfterSeconds } = error;
    // Without an answer, the platform may still be executing the call.
    const after = status === undefined ? calls : ended();
    const notes = {
      ...(ifAbsent === 'rejected' && { refusal: error.message }),
      ...(isProcessing && { isProcessing }),
    };
    return { state: 'unknown', reason, preparation, retryAfterSeconds, calls: noteCall(after, notes) };
  }
}
