import { type Clock, toTimestamp } from '../kernel/clock.ts';
import type { Preparation } from '../platforms/contract/adapter.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import type { CallRecord } from '../platforms/contract/last-call.ts';
import { isRepeat, latestCallStartMs, noteCall, settleCall } from './call-records.ts';

/** How a last call ended, and the records that say so. */
export type Sent<Result> =
  | { readonly state: 'done'; readonly result: Result; readonly calls: CallRecord[] }
  /** Certainly nothing went live. */
  | { readonly state: 'refused'; readonly error: PlatformError; readonly calls: CallRecord[] }
  /** Only the platform can say. */
  | {
      readonly state: 'unknown';
      readonly reason: string;
      readonly calls: CallRecord[];
      readonly preparation?: Preparation | undefined;
    };

interface SendOncePorts {
  readonly now: Clock;
  readonly report: (message: string, error: unknown) => void;
}

/**
 * Makes a last call whose intent was just committed, and says what its end proves. Never throws.
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
  if (!(now() <= intentMs + latestCallStartMs)) {
    const late = new PlatformError(
      'retry',
      'an error on our side: the request to publish would have been sent too late',
    );
    return { state: 'refused', error: late, calls: settleCall(ended(), 'refused', 'it was never sent') };
  }
  try {
    const result = await send();
    return { state: 'done', result, calls: settleCall(ended(), 'live', undefined) };
  } catch (error) {
    const isRefused = error instanceof PlatformError && error.remedy !== 'unknown';
    if (isRefused && !isRepeat(calls)) {
      return { state: 'refused', error, calls: settleCall(ended(), 'refused', error.message) };
    }
    // An earlier call with the same token may be the reason for the refusal: then it proves nothing.
    if (isRefused) return { state: 'unknown', reason: error.message, calls: ended() };
    // After any other error, including our own, the outcome is unknown.
    if (!(error instanceof PlatformError)) {
      report('a last call failed', error);
      return { state: 'unknown', reason: 'an error on our side', calls: ended() };
    }
    const refusal = error.ifAbsent === 'rejected' ? { refusal: error.message } : {};
    const { message: reason, preparation } = error;
    return { state: 'unknown', reason, preparation, calls: noteCall(ended(), refusal) };
  }
}
