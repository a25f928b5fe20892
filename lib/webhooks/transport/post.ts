import type { PinnedConnections, PinnedTarget } from '../../http-client/address-guard/pinned-connections.ts';
import { type ExchangeLimits, exchange, type Answer as HttpAnswer } from '../../http-client/exchange.ts';
import { failureInWords } from '../../http-client/failure-in-words.ts';
import { shownBytes } from './response.ts';

/** The limits of one attempt. Times count from the look-up on. At most `answerBytes` are read, which then are the response. */
export type AttemptLimits = Omit<Required<ExchangeLimits>, 'idleSeconds'>;

export interface PinnedPost extends Omit<PinnedTarget, 'owner'> {
  readonly webhookId: string;
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly limits: AttemptLimits;
  /** The `performance.now()` at which the attempt began; the time before the POST counts too. */
  readonly begunAtMs: number;
}

export interface PostOutcome {
  readonly answer?: Answer;
  /** The failure in words. Present together with an answer if the response was incomplete. */
  readonly failure?: string;
}

export interface Answer {
  readonly statusCode: number;
  readonly retryAfter: string | undefined;
  /** The first bytes of the response, as many as the log shows. */
  readonly start: Buffer;
}

/**
 * POSTs once to exactly the given addresses, within the limits. If a kept connection turns out to be closed, it is
 * replaced once. The receiver may then get the event twice, which it must expect anyway. Never rejects.
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
