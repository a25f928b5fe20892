import {
  type PinnedConnections,
  type PinnedTarget,
  pinnedConnections,
} from '../../http-client/address-guard/pinned-connections.ts';
import { type PublicNetwork, resolveHost } from '../../http-client/address-guard/public-url.ts';
import { type ExchangeLimits, exchange, type Answer as HttpAnswer } from '../../http-client/exchange.ts';
import { failureInWords } from '../../http-client/failure-in-words.ts';
import { parseRetryAfter } from '../../http-client/retry-after.ts';
import { type Clock, secondMs, systemClock } from '../../kernel/clock.ts';
import { signatureHeader } from './signature.ts';
import { checkWebhookUrl } from './url.ts';

/** A sender of single attempts, one POST each. */
export interface WebhookSender {
  send(request: WebhookRequest): Promise<AttemptOutcome>;
  /** Closes the kept connections. */
  close(): void;
}

/** Returns the headers that prove and name an event. @param secrets newest first */
export type SignatureOf = (
  request: Pick<WebhookRequest, 'body' | 'eventId' | 'deliveryId' | 'secrets'>,
  unixSeconds: number,
) => Readonly<Record<string, string>>;

export interface WebhookRequest {
  readonly webhookId: string;
  readonly eventId: string;
  readonly deliveryId: string;
  /** The stored URL. It is checked and resolved again for every attempt. */
  readonly url: string;
  /** The exact bytes to send. */
  readonly body: Uint8Array;
  /** The valid secrets as they were shown, newest first. */
  readonly secrets: readonly string[];
  /** Returns the headers of another form of events. Absent: those of Herald's own. */
  readonly signatureOf?: SignatureOf;
  /** Ends the attempt earlier than the sender's limits do. */
  readonly totalSeconds?: number;
}

/** The outcome of one attempt. Its fields go into the log unchanged. */
export interface AttemptOutcome {
  readonly delivered: boolean;
  /** Null if no response came. */
  readonly statusCode: number | null;
  readonly latencyMs: number;
  /** The first 1,000 characters of the response, made printable; null if no response came. */
  readonly responseStart: string | null;
  /** The reason that the attempt failed, in words; null if it succeeded. Contains no secret and no address. */
  readonly error: string | null;
  /** The receiver's `Retry-After` in seconds from now. Only for a failed attempt, and not bounded here. */
  readonly retryAfterSeconds?: number;
  /** True if the receiver responded 410, which means that it wants no more events. */
  readonly isGone: boolean;
}

export interface WebhookSenderOptions extends PublicNetwork {
  readonly limits?: Partial<AttemptLimits>;
  readonly now?: Clock;
}

const defaultLimits: AttemptLimits = { connectSeconds: 5, totalSeconds: 10, answerBytes: 64 * 1_024 };

/** Creates a sender that keeps its connections until it is closed. Default limits: 10 s in total, 5 s to connect, 64 KiB. */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { now = systemClock, plainHttpHosts } = options;
  const sendersLimits = { ...defaultLimits, ...options.limits };
  const connections = pinnedConnections();

  const post = async ({ url: text, ...request }: WebhookRequest): Promise<PostOutcome> => {
    const begunAtMs = performance.now();
    const limits = limitsOf(sendersLimits, request.totalSeconds);
    const checked = checkWebhookUrl(text, plainHttpHosts);
    if ('problem' in checked) return { failure: `not sent: the URL ${checked.problem}` };
    const { url } = checked;
    const resolved = await resolveHost(url, options, limits.connectSeconds);
    if ('problem' in resolved) return { failure: `not sent: ${resolved.problem}` };
    const { webhookId, body } = request;
    const headers = headersOf(request, Math.floor(now() / secondMs));
    return postPinned(connections, { url, ...resolved, webhookId, headers, body, limits, begunAtMs });
  };

  return {
    async send(request) {
      const begunAt = performance.now();
      const outcome = await post(request);
      return outcomeOf(outcome, Math.round(performance.now() - begunAt), now());
    },
    close: () => connections.close(),
  };
}

function limitsOf(limits: AttemptLimits, totalSeconds = limits.totalSeconds): AttemptLimits {
  const connectSeconds = Math.min(limits.connectSeconds, totalSeconds);
  return { ...limits, connectSeconds, totalSeconds: Math.min(limits.totalSeconds, totalSeconds) };
}

function headersOf(
  { signatureOf = ownSignature, ...request }: Omit<WebhookRequest, 'url'>,
  unixSeconds: number,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Herald-Webhooks/1',
    ...signatureOf(request, unixSeconds),
  };
}

const ownSignature: SignatureOf = ({ eventId, deliveryId, body, secrets }, unixSeconds) => ({
  'x-service-signature': signatureHeader(body, unixSeconds, secrets),
  'x-service-event-id': eventId,
  'x-service-delivery-id': deliveryId,
});

function outcomeOf({ answer, failure }: PostOutcome, latencyMs: number, now: number): AttemptOutcome {
  const statusCode = answer?.statusCode ?? null;
  const error = (answer && refusalIn(answer.statusCode)) ?? failure ?? null;
  const retryAfterSeconds = error === null ? undefined : parseRetryAfter(answer?.retryAfter, now);
  return {
    delivered: error === null,
    statusCode,
    latencyMs,
    responseStart: answer ? printableStart(answer.start) : null,
    error,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    isGone: statusCode === 410,
  };
}

/** The limits of one attempt. Times count from the look-up on. At most `answerBytes` are read, which then are the response. */
type AttemptLimits = Omit<Required<ExchangeLimits>, 'idleSeconds'>;

interface PinnedPost extends Omit<PinnedTarget, 'owner'> {
  readonly webhookId: string;
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly limits: AttemptLimits;
  /** The `performance.now()` at which the attempt began; the time before the POST counts too. */
  readonly begunAtMs: number;
}

interface PostOutcome {
  readonly answer?: Answer;
  /** The failure in words. Present together with an answer if the response was incomplete. */
  readonly failure?: string;
}

interface Answer {
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

const shownCharacters = 1_000;

/** The number of bytes that suffice for the shown characters: a UTF-16 unit takes at most three bytes of UTF-8. */
const shownBytes = 3 * shownCharacters;

/**
 * Returns the first 1,000 characters of a response, safe to show in the log. Invalid text, control characters and characters that
 * change the writing direction are replaced with U+FFFD.
 *
 * @param bytes the beginning of the response, read as UTF-8
 */
function printableStart(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  return text
    .slice(0, shownCharacters)
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\n\t]|[\u2028-\u202e\u2066-\u2069\ufeff]/gu, '\ufffd');
}

/**
 * Returns the reason that a response counts as failed, in words; null for 2xx.
 *
 * @param statusCode as the receiver sent it
 */
function refusalIn(statusCode: number): string | null {
  if (statusCode >= 200 && statusCode < 300) return null;
  if (statusCode === 410) return 'responded 410: the receiver wants no more events';
  const isRedirect = statusCode >= 300 && statusCode < 400 && statusCode !== 304;
  return isRedirect
    ? `responded ${statusCode}: redirects are not followed, so change the endpoint to the final URL`
    : `responded ${statusCode}`;
}
