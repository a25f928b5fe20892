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
}

/** The systems of the customers, which receive webhooks. They fail, are slow, and lose their responses. */
export function createReceivers(world: World) {
  const received: ReceivedEvent[] = [];

  function receive({ webhookId, eventId, deliveryId, body }: WebhookRequest): void {
    const event = JSON.parse(Buffer.from(body).toString()) as Record<string, unknown>;
    received.push({
      webhookId,
      eventId,
      deliveryId,
      type: String(event['type']),
      body: event,
      atMs: world.now(),
    });
    world.note('live', 'receiver', `gets ${event['type']}`);
  }

  const sender: WebhookSender = {
    close: () => undefined,
    async send(request) {
      const process = currentProcess();
      const failure = world.happens('receiverFails')
        ? world.random.pick(['500 before', '500 after', 'lost before', 'lost after'] as const)
        : undefined;
      const responseDelayMs = world.happens('receiverSlow') ? world.random.between(0, 20 * secondMs) : 0;
      const beganMs = world.now();
      const timedOut = new Error('no complete response within 10 s');
      try {
        return await world.call(
          process,
          'delivers a webhook',
          () => {
            if (failure?.endsWith('before') !== true) receive(request);
            const statusCode = failure === undefined ? 200 : failure.startsWith('500') ? 500 : null;
            return outcomeOf(statusCode, world.now() - beganMs);
          },
          { milliseconds: [20, 300], responseDelayMs, limit: { ms: 10 * secondMs, error: () => timedOut } },
        );
      } catch (error) {
        if (error !== timedOut) throw error;
        return outcomeOf(null, 10 * secondMs);
      }
    },
  };
  return { sender, received };
}

export type Receivers = ReturnType<typeof createReceivers>;

function outcomeOf(statusCode: number | null, latencyMs: number): AttemptOutcome {
  const delivered = statusCode === 200;
  const error = statusCode === null ? 'the connection failed' : `the receiver answered ${statusCode}`;
  return {
    delivered,
    statusCode,
    latencyMs,
    responseStart: statusCode === null ? null : '',
    error: delivered ? null : error,
    isGone: false,
  };
}
