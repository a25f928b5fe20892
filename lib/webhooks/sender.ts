import type { Clock } from '../kernel/clock.ts';
import type { WebhookNetwork } from './resolve.ts';

/** Makes single attempts: one POST each, whose outcome it tells and never throws. */
export interface WebhookSender {
  send(request: WebhookRequest): Promise<AttemptOutcome>;
  /** Closes the connections that are kept for the next attempt. */
  close(): void;
}

export interface WebhookRequest {
  readonly webhookId: string;
  readonly eventId: string;
  readonly deliveryId: string;
  /** As it is stored; checked and resolved anew for every attempt. */
  readonly url: string;
  /** The very bytes to send. */
  readonly body: Uint8Array;
  /** Those that are live, as they were shown, the newest first. */
  readonly secrets: readonly string[];
}

/** What came of one attempt; its fields stand in the log as they are. */
export interface AttemptOutcome {
  readonly delivered: boolean;
  /** Null where no answer came. */
  readonly statusCode: number | null;
  readonly latencyMs: number;
  /** The first 1,000 characters of the answer, made printable; null where no answer came. */
  readonly responseStart: string | null;
  /** Why it counts as failed, in words; null where it went through. Holds no secret and no address. */
  readonly error: string | null;
  /** How long the receiver asks to be left alone, from now on; only of a failed attempt. Not bounded here. */
  readonly retryAfterSeconds?: number;
  /** Whether the receiver said 410: that it wants no more. */
  readonly isGone: boolean;
}

export interface AttemptLimits {
  /** Look-up, TCP and TLS together. */
  readonly connectSeconds: number;
  /** From the look-up to the last byte of the answer. */
  readonly totalSeconds: number;
  /** So much of the answer is read, and no more. */
  readonly answerBytes: number;
}

export interface WebhookSenderOptions extends WebhookNetwork {
  readonly limits?: Partial<AttemptLimits>;
  readonly now?: Clock;
}

export function createWebhookSender(_options: WebhookSenderOptions): WebhookSender {
  throw new Error('not built yet');
}
