import { PlatformError } from '../contract/errors.ts';
import type { AnnouncedRequest, Bench, Polled, VerifiedLivePost } from '../contract/verification.ts';
import { listLookups } from './find-listed.ts';

/** The text of a check's post. It says to whoever sees it what it is. */
export const checkText = ({ mark }: Pick<Bench, 'mark'>, what = 'this post'): string =>
  `Herald check ${mark}: ${what} will be deleted.`;

/**
 * Whether an error is the platform's answer to what was asked. A lost response, a failure on its side or a rate limit says
 * nothing about a claim.
 */
export function isAnswer(error: unknown): error is PlatformError & { readonly status: number } {
  if (!(error instanceof PlatformError) || error.status === undefined || error.isDailyLimit) return false;
  return error.status !== 429 && error.status < 500;
}

/** What a call returns, or how the platform refuses it. @throws other errors, such as a lost connection */
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

/** How long lookups wait for a list, until the last of them, in seconds. */
export const listPatienceSeconds =
  listLookups.readLagSeconds + (listLookups.lookups - 1) * listLookups.gapSeconds;

/**
 * Settles whether a lookup finds the post as if the response to its last call had been lost.
 *
 * @param seconds how long a worker would look
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
    // Without its id, the platform shows that the post is live, but not yet where.
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

/** Shortens the declaration of announced requests: method, at most, and URL. */
export const request = (
  method: AnnouncedRequest['method'],
  url: string,
  atMost: number,
): AnnouncedRequest => ({ method, url, atMost });
