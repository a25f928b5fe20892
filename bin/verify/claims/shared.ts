import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { listLookups } from '../../../lib/platforms/shared/find-listed.ts';
import type { AnnouncedRequest, Bench, Polled, VerifiedLivePost } from '../verification.ts';

/** Returns the text of a check's post, which tells those who see it what it is. */
export const checkText = ({ mark }: Pick<Bench, 'mark'>, what = 'this post'): string =>
  `Herald check ${mark}: ${what} will be deleted.`;

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

/** The time until the last lookup of a list, in seconds. */
export const listPatienceSeconds =
  listLookups.readLagSeconds + (listLookups.lookups - 1) * listLookups.gapSeconds;

/**
 * Settles whether a lookup finds the post as if the response to its last call had been lost.
 *
 * @param seconds the time for which a worker would look
 */
export async function settleFound(
  bench: Bench,
  claim: string,
  live: VerifiedLivePost,
  {
    seconds = listPatienceSeconds,
    token,
  }: { seconds?: number; token?: VerifiedLivePost['call']['token'] } = {},
): Promise<void> {
  const { platformPostId: id } = live.post;
  const found = await bench.poll(seconds, async () => {
    const finding = await bench.lookUp(live, token);
    // A finding without an id shows that the post is live, but not yet where.
    const isShown = finding.state === 'live' && (id === null || finding.post.platformPostId !== null);
    return isShown ? finding.post : undefined;
  });
  const isSame = found.value !== undefined && (id === null || found.value.platformPostId === id);
  bench.settle(claim, isSame, describeFound(found, id));
}

function describeFound(
  { value, seconds }: Polled<{ platformPostId: string | null }>,
  id: string | null,
): string {
  if (value === undefined) return `not found within ${seconds} seconds`;
  const which =
    id === null || value.platformPostId === id ? 'the post' : `another post (${value.platformPostId})`;
  return `${which} after ${seconds} seconds`;
}

/** Declares an announced request in short form. */
export const request = (
  method: AnnouncedRequest['method'],
  url: string,
  atMost: number,
): AnnouncedRequest => ({ method, url, atMost });
