import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import type { MediaType } from '../../../lib/platforms/contract/names.ts';
import { listLookups } from '../../../lib/platforms/shared/find-listed.ts';
import type {
  AnnouncedRequest,
  Bench,
  Observation,
  VerificationStep,
  VerifiedLivePost,
  VerifiedPost,
} from '../verification.ts';

/** Declares a step. Its claims know what its `act` returns. */
export const step = <Made>(declared: VerificationStep<Made>): VerificationStep => declared;

/** Declares an announced request in short form. */
export const request = (
  method: AnnouncedRequest['method'],
  url: string,
  atMost: number,
): AnnouncedRequest => ({ method, url, atMost });

/** Returns the text of a check's post, which tells those who see it what it is. */
export const checkText = ({ mark }: Pick<Bench, 'mark'>, what = 'this post'): string =>
  `Herald check ${mark}: ${what} will be deleted.`;

/** Makes an `act` that publishes a post. @param file the operator's file; absent for a text */
export const publishing =
  (what = 'this post', file?: MediaType, options: VerifiedPost['options'] = {}) =>
  (bench: Bench): Promise<VerifiedLivePost> =>
    bench.publish({
      content: checkText(bench, what),
      media: file === undefined ? [] : [bench.file(file).source],
      options,
    });

/** Repeats the last call of a post. @returns the platform's refusal; undefined if there is a second post */
export const publishAgain = (bench: Bench, live: VerifiedLivePost): Promise<PlatformError | undefined> =>
  bench.again(live, async () => (await bench.adapter.goLive(live.job, bench.tools)).platformPostId);

/**
 * Returns true if an error is the platform's answer to the call. A lost response, a failure on its side or a rate limit
 * says nothing about a claim.
 */
export function isAnswer(error: unknown): error is PlatformError & { readonly status: number } {
  if (!(error instanceof PlatformError) || error.status === undefined || error.isDailyLimit) return false;
  return error.status !== 429 && error.status < 500;
}

/** Returns the result of a call, or the platform's refusal. @throws other errors, such as a lost connection */
export async function outcomeOf<T>(
  call: () => Promise<T>,
): Promise<{ readonly value?: T; readonly refusal?: PlatformError }> {
  try {
    return { value: await call() };
  } catch (error) {
    if (isAnswer(error)) return { refusal: error };
    throw error;
  }
}

export const describeRefusal = (
  refusal: PlatformError | undefined,
  success = 'the call succeeded',
): string => (refusal === undefined ? success : `refused: ${refusal.message}`);

/** Confirms a claim if a second publication was refused with this code, or with one that has it as a part. */
export const refusedWith = (refusal: PlatformError | undefined, code: string): Observation => ({
  isTrue: refusal?.platformCode === code || refusal?.platformCode?.split('/').includes(code) === true,
  seen: describeRefusal(refusal, 'it was published a second time'),
});

/** The time until the last lookup of a list, in seconds. */
export const listPatienceSeconds =
  listLookups.readLagSeconds + (listLookups.lookups - 1) * listLookups.gapSeconds;

/**
 * Confirms a claim if a lookup finds the post as if the response to its last call had been lost.
 *
 * @param seconds the time for which a worker would look
 */
export async function findAgain(
  bench: Bench,
  live: VerifiedLivePost,
  seconds = listPatienceSeconds,
  token?: VerifiedLivePost['call']['token'],
): Promise<Observation> {
  const { platformPostId: id } = live.post;
  const found = await bench.poll(seconds, async () => {
    const finding = await bench.lookUp(live, token);
    // A finding without an id shows that the post is live, but not yet where.
    const isShown = finding.state === 'live' && (id === null || finding.post.platformPostId !== null);
    return isShown ? finding.post.platformPostId : undefined;
  });
  if (found.value === undefined) return { isTrue: false, seen: `not found within ${found.seconds} seconds` };
  const isSame = id === null || found.value === id;
  const which = isSame ? 'the post' : `another post (${found.value})`;
  return { isTrue: isSame, seen: `${which} after ${found.seconds} seconds` };
}
