import { DeleteCommand, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { createMovableClock } from '@herald/local-cloud/clock.ts';
import { openMessageStore } from '@herald/local-cloud/engines/sqs/message-store.ts';
import { createQueueEngine } from '@herald/local-cloud/engines/sqs/queue-engine.ts';
import { secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { derivedTimeId, newId } from '../../../lib/kernel/ids.ts';
import { deliveriesPartition, webhookEventKey, webhookKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { announce } from '../../../lib/webhooks/announce.ts';
import { type DeliverPorts, deliver, type Lane } from '../../../lib/webhooks/deliveries/deliver.ts';
import { resendDueDeliveries } from '../../../lib/webhooks/deliveries/resend-due.ts';
import type { EventDraft } from '../../../lib/webhooks/events/store.ts';
import { Delivery, Webhook, type WebhookEvent, WebhookMessage } from '../../../lib/webhooks/schemas.ts';
import type { AttemptOutcome, WebhookRequest } from '../../../lib/webhooks/transport/sender.ts';
import { zernioForm } from '../../../lib/zernio/events.ts';
import { startMs } from '../../support/builders.ts';
import { aWebhook } from '../../support/webhooks.ts';

const queueArns = {
  main: 'arn:aws:sqs:eu-central-1:000000000000:webhook',
  slow: 'arn:aws:sqs:eu-central-1:000000000000:slow-webhook',
} as const;
const lanes = ['main', 'slow'] as const satisfies Lane[];
const visibilitySeconds = 180;

/** A receiver's response to a POST. */
export type Receiver = (
  request: WebhookRequest & { readonly attempt: number },
) => AttemptOutcome | Promise<AttemptOutcome>;

export const answered = (
  statusCode: number,
  extra: Partial<Pick<AttemptOutcome, 'retryAfterSeconds'>> = {},
): AttemptOutcome => {
  const delivered = statusCode >= 200 && statusCode < 300;
  return {
    delivered,
    statusCode,
    latencyMs: 10,
    responseStart: '',
    error: delivered ? null : `the receiver responded ${statusCode}`,
    isGone: statusCode === 410,
    ...extra,
  };
};

export const timedOut: AttemptOutcome = {
  delivered: false,
  statusCode: null,
  latencyMs: 10_000,
  responseStart: null,
  error: 'no response within 10 s',
  isGone: false,
};

/** Webhooks with a real table, a real queue engine and a movable clock. Stream and receivers are replaced by functions. */
export function createFixture(table: Table) {
  const clock = createMovableClock({ realNow: () => startMs });
  const queues = lanes.map((lane) => ({
    name: lane,
    arn: queueArns[lane],
    url: '',
    visibilityTimeoutSeconds: visibilitySeconds,
    retentionSeconds: 4 * 86_400,
    delaySeconds: 0,
  }));
  const engine = createQueueEngine({ queues, store: openMessageStore(':memory:'), clock });
  const receivers = new Map<string, Receiver>();
  const posted: (WebhookRequest & { readonly atMs: number })[] = [];
  const attempts = new Map<string, number>();

  const enqueue = async (lane: Lane, message: WebhookMessage, delaySeconds: number) => {
    const body = JSON.stringify(message);
    engine.send({ queueArn: queueArns[lane], body, delaySeconds, messageGroupId: message.workspaceId });
  };
  const sendAll = async (messages: readonly WebhookMessage[]) => {
    for (const message of messages) await enqueue('main', message, 0);
    return new Set<WebhookMessage>();
  };
  const ports: DeliverPorts & { sendAll: typeof sendAll } = {
    table,
    now: clock.now,
    chance: () => 0.5,
    openSecret: async (_endpoint, sealed) => `open:${sealed}`,
    forms: { zernio: zernioForm },
    send: async (request) => {
      posted.push({ ...request, atMs: clock.now() });
      const attempt = (attempts.get(request.deliveryId) ?? 0) + 1;
      attempts.set(request.deliveryId, attempt);
      const receive = receivers.get(request.webhookId);
      return receive ? receive({ ...request, attempt }) : answered(200);
    },
    lane: 'main',
    enqueue,
    sendAll,
  };

  /**
   * Works up to ten messages of a lane, as Lambda does. Those that fail stay invisible for the queue's visibility timeout.
   */
  async function workBatch(using: DeliverPorts = ports, lane: Lane = 'main') {
    const queueArn = queueArns[lane];
    const messages = await engine.receive({ queueArn, max: 10, waitMs: 0 });
    const outcomes = await deliver(
      { ...using, lane },
      messages.map(({ body, attributes }) => ({
        message: WebhookMessage.parse(JSON.parse(body)),
        isAgain: Number(attributes['ApproximateReceiveCount']) > 1,
      })),
    );
    for (const [index, { receiptHandle }] of messages.entries()) {
      if (outcomes[index]?.status === 'fulfilled') engine.delete(queueArn, receiptHandle);
    }
    return messages.length === 0 ? undefined : outcomes;
  }

  /** Works both lanes until they are empty. @returns the outcomes, without those that only changed the lane */
  async function work(): Promise<string[]> {
    const all: string[] = [];
    for (const lane of lanes) {
      for (let outcomes = await workBatch(ports, lane); outcomes; outcomes = await workBatch(ports, lane)) {
        all.push(...outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'thrown')));
      }
    }
    return all.filter((outcome) => outcome !== 'left to the slow lane');
  }

  const sweep = () =>
    resendDueDeliveries(
      {
        table,
        now: clock.now,
        sendAll,
        report: (_key, error) => {
          throw error;
        },
      },
      clock.now() + 40 * secondMs,
    );

  async function read<Thing>(key: { pk: string; sk: string }, parse: (item: unknown) => Thing) {
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }),
    );
    return Item && parse(Item);
  }

  return {
    clock,
    ports,
    posted,
    receivers,
    workBatch,
    work,
    sweep,
    counts: (lane: Lane = 'main') => engine.counts(queueArns[lane]),
    /** Loses every message, as an outage of the queue could. */
    loseMessages: () => {
      for (const lane of lanes) engine.purge(queueArns[lane]);
    },
    announce: (drafts: readonly EventDraft[]) => announce(ports, drafts),
    async endpoint(
      workspaceId: string,
      changes: Partial<Webhook> = {},
      receive?: Receiver,
    ): Promise<Webhook> {
      const webhook = aWebhook(workspaceId, changes);
      await table.client.send(
        new PutCommand({
          TableName: table.name,
          Item: { ...webhookKey(workspaceId, webhook.id), kind: 'webhook', ...webhook },
        }),
      );
      if (receive) receivers.set(webhook.id, receive);
      return webhook;
    },
    remove: ({ workspaceId, id }: Webhook) =>
      table.client.send(new DeleteCommand({ TableName: table.name, Key: webhookKey(workspaceId, id) })),
    endpointNow: ({ workspaceId, id }: Webhook) =>
      read(webhookKey(workspaceId, id), (item) => Webhook.parse(item)),
    eventExists: async (event: Pick<WebhookEvent, 'workspaceId' | 'id'>) =>
      (await read(webhookEventKey(event.workspaceId, event.id), () => true)) ?? false,
    async deliveries({ workspaceId, id }: Webhook): Promise<Delivery[]> {
      const { Items = [] } = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          KeyConditionExpression: 'pk = :partition',
          ExpressionAttributeValues: { ':partition': deliveriesPartition(workspaceId, id) },
          ConsistentRead: true,
        }),
      );
      return Items.map((item) => Delivery.parse(item));
    },
    /** Advances to the next pending attempt, by queue or sweep, and makes it. `undefined` if none is pending. */
    async nextAttempt(endpoint: Webhook): Promise<string[] | undefined> {
      const [waiting] = (await this.deliveries(endpoint)).filter(({ status }) => status === 'pending');
      if (!waiting?.nextAttemptAt) return undefined;
      clock.advance(Math.max(0, Date.parse(waiting.nextAttemptAt) - clock.now()) + secondMs);
      const outcomes = await work();
      if (outcomes.length > 0) return outcomes;
      clock.advance(60 * secondMs);
      await sweep();
      return work();
    },
  };
}

export type Fixture = ReturnType<typeof createFixture>;

export function anEventDraft(workspaceId: string, changes: Partial<EventDraft> = {}): EventDraft {
  const { atMs = startMs } = changes;
  return {
    id: derivedTimeId(atMs, newId(atMs)),
    workspaceId,
    type: 'post.published',
    atMs,
    accountIds: [],
    data: { post: { id: 'p', at: toTimestamp(atMs) } },
    ...changes,
  };
}

/** A process that crashes at its nth step. Neither that step nor any later one is executed. */
export class Crash {
  readonly #at: number;
  steps = 0;

  constructor(at: number) {
    this.#at = at;
  }

  get isDead(): boolean {
    return this.steps >= this.#at;
  }

  step(): void {
    this.steps += 1;
    if (this.isDead) throw new Error('the process is dead');
  }

  /** The same table, in a process that may crash before each request. */
  table(table: Table): Table {
    const client = new Proxy(table.client, {
      get: (target, name) =>
        name === 'send'
          ? async (command: never) => {
              this.step();
              return target.send(command);
            }
          : Reflect.get(target, name),
    });
    return { ...table, client };
  }
}
