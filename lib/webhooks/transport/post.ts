import type { PinnedConnections, PinnedTarget } from '../../http-client/address-guard/pinned-connections.ts';
import { type ExchangeLimits, exchange, type Answer as HttpAnswer } from '../../http-client/exchange.ts';
import { failureInWords } from './failure.ts';
import { shownBytes } from './response.ts';

/** All count from the look-up on. So much of the answer is read, and no more; what was read then counts as the answer. */
export type AttemptLimits = Omit<Required<ExchangeLimits>, 'idleSeconds'>;

export interface PinnedPost extends Omit<PinnedTarget, 'owner'> {
  readonly webhookId: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly limits: AttemptLimits;
  /** When the attempt began, by `performance.now()`: what went before the POST counts, too. */
  readonly begunAtMs: number;
}

export interface PostOutcome {
  readonly answer?: Answer;
  /** In words; beside an answer that did not come to its end. */
  readonly failure?: string;
}

export interface Answer {
  readonly statusCode: number;
  readonly retryAfter: string | undefined;
  /** The first bytes, as many as are shown. */
  readonly start: Buffer;
}

/**
 * One POST to exactly the given addresses, within its limits. A kept connection that turns out to be closed is replaced,
 * once: the receiver may then see the event twice, as it has to expect anyway. Never rejects.
 */
export async function postPinned(connections: PinnedConnections, post: PinnedPost): Promise<PostOutcome> {
  const { body, limits, begunAtMs: startedAt, webhookId: owner, ...target } = post;
  const headers = { ...post.headers, 'content-length': String(body.length) };
  const send = (isFresh: boolean) =>
    exchange({
      start: () => connections.begin({ ...target, owner }, { method: 'POST', headers }, isFresh),
      body,
      limits,
      startedAt,
      cutsLongAnswer: true,
    });
  let exchanged = await send(false);
  if ('failure' in exchanged && exchanged.failure.isStale) exchanged = await send(true);
  if ('answer' in exchanged) return { answer: shown(exchanged.answer) };
  const { answer, ...failure } = exchanged.failure;
  return { ...(answer && { answer: shown(answer) }), failure: failureInWords(failure) };
}

function shown({ status, headers, body }: HttpAnswer): Answer {
  return { statusCode: status, retryAfter: headers['retry-after'], start: body.subarray(0, shownBytes) };
}
