import { secondMs } from '../../../lib/kernel/clock.ts';
import type {
  AttemptOutcome,
  WebhookRequest,
  WebhookSender,
} from '../../../lib/webhooks/transport/sender.ts';
import { currentProcess } from '../world/process.ts';
import type { World } from '../world/world.ts';

/** An event as a receiver got it. */
export interface ReceivedEvent {
  readonly webhookId: string;
  readonly eventId: string;
  readonly deliveryId: string;
  readonly type: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly atMs: number;
  /** True if the sender was answered 200 in time. */
  isAnswered: boolean;
}

/** The systems of the customers, which receive webhooks. They fail, are slow, and lose their responses. */
export function createReceivers(world: World) {
  const received: ReceivedEvent[] = [];
  const listeners: ((event: ReceivedEvent) => void)[] = [];

  function receive({ webhookId, eventId, deliveryId, body }: WebhookRequest): ReceivedEvent {
    const event = JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>;
    const arrival = {
      webhookId,
      eventId,
      deliveryId,
      type: String(event['type']),
      body: event,
      atMs: world.now(),
      isAnswered: false,
    };
    received.push(arrival);
    world.note('live', 'receiver', `gets ${event['type']}`);
    for (const listener of listeners) listener(arrival);
    return arrival;
  }

  const sender: WebhookSender = {
    close: () => undefined,
    async send(request) {
      const process = currentProcess();
      const failure = world.happens('receiverFails') ? world.random.pick(failures) : undefined;
      const responseDelayMs = world.happens('receiverSlow') ? world.random.between(0, 20 * secondMs) : 0;
      const beganMs = world.now();
      const { totalSeconds = 10 } = request;
      const timedOut = new Error(`no complete response within ${totalSeconds} s`);
      try {
        return await world.call(
          process,
          'delivers a webhook',
          () => {
            const arrival = failure?.endsWith('before') ? undefined : receive(request);
            const statusCode = failure === undefined ? 200 : statusOf(failure);
            if (arrival) arrival.isAnswered = statusCode === 200;
            const retryAfterSeconds = statusCode === 429 ? world.random.integer(1, 300) : undefined;
            if (retryAfterSeconds !== undefined)
              world.troubleUntil(world.now() + retryAfterSeconds * secondMs);
            return outcomeOf(statusCode, world.now() - beganMs, retryAfterSeconds);
          },
          {
            milliseconds: [20, 300],
            responseDelayMs,
            limit: { ms: totalSeconds * secondMs, error: () => timedOut },
          },
        );
      } catch (error) {
        if (error !== timedOut) throw error;
        return outcomeOf(null, totalSeconds * secondMs);
      }
    },
  };
  return {
    sender,
    received,
    /** Calls the listener with every event that arrives. */
    listen: (listener: (event: ReceivedEvent) => void) => void listeners.push(listener),
  };
}

export type Receivers = ReturnType<typeof createReceivers>;

/** Failures of an attempt, before or after the receiver has taken the event. 410 is rare, because it ends all deliveries. */
const failures = [
  ...Array.from(
    { length: 8 },
    () => ['500 before', '500 after', 'lost before', 'lost after'] as const,
  ).flat(),
  ...Array.from({ length: 8 }, () => '429 before' as const),
  '410 before' as const,
];

const statusOf = (failure: string): number | null =>
  failure.startsWith('lost') ? null : Number.parseInt(failure, 10);

function outcomeOf(
  statusCode: number | null,
  latencyMs: number,
  retryAfterSeconds: number | undefined = undefined,
): AttemptOutcome {
  const delivered = statusCode === 200;
  const error = statusCode === null ? 'the connection failed' : `the receiver answered ${statusCode}`;
  return {
    delivered,
    statusCode,
    latencyMs,
    responseStart: statusCode === null ? null : '',
    error: delivered ? null : error,
    isGone: statusCode === 410,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  };
}
