import { pinnedConnections } from '../../http-client/address-guard/pinned-connections.ts';
import { type PublicNetwork, resolveHost } from '../../http-client/address-guard/public-url.ts';
import { parseRetryAfter } from '../../http-client/retry-after.ts';
import { type Clock, secondMs, systemClock } from '../../kernel/clock.ts';
import { type AttemptLimits, type PostOutcome, postPinned } from './post.ts';
import { printableStart, refusalIn } from './response.ts';
import { signatureHeader } from './signature.ts';
import { checkWebhookUrl } from './url.ts';

/** A sender of single attempts, one POST each. */
export interface WebhookSender {
  send(request: WebhookRequest): Promise<AttemptOutcome>;
  /** Closes the kept connections. */
  close(): void;
}

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
  { eventId, deliveryId, body, secrets }: Omit<WebhookRequest, 'url'>,
  unixSeconds: number,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Herald-Webhooks/1',
    'x-service-signature': signatureHeader(body, unixSeconds, secrets),
    'x-service-event-id': eventId,
    'x-service-delivery-id': deliveryId,
  };
}

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
