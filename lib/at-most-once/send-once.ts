import { type Clock, toTimestamp } from '../kernel/clock.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import type { CallRecord } from '../platforms/contract/last-call.ts';
import type { Preparation } from '../platforms/contract/live-post.ts';
import { OwnFailure } from '../targets/problem.ts';
import { isRepeat, latestCallStartMs, noteCall, settleCall } from './call-records.ts';

/** The end of a last call, with the records that say so. */
export type Sent<Result> =
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

export interface SendOncePorts {
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
    const { message: reason, preparation, status, ifAbsent, retryAfterSeconds } = error;
    // Without an answer, the platform may still be executing the call.
    const after = status === undefined ? calls : ended();
    const refusal = ifAbsent === 'rejected' ? { refusal: error.message } : {};
    return { state: 'unknown', reason, preparation, retryAfterSeconds, calls: noteCall(after, refusal) };
  }
}
