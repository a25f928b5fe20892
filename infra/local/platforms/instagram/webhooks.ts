import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { randomSecret } from '../kit/login/authorization-codes.ts';
import type { Workbench } from '../kit/types.ts';
import type { InstagramApp } from './login.ts';
import type { State } from './state.ts';
import { payload, shapes, type WebhookEvent } from './webhook-shapes.ts';

/** One webhook POST to the app, as `GET {control}/webhooks` shows it. */
export interface Delivery {
  readonly at: number;
  /** The HTTP status of the app's answer; 0 if there was none. */
  readonly status: number;
  readonly signedBy: 'Instagram app' | 'Meta app';
  readonly body: string;
}

export interface Webhooks {
  /** Queues an event for delivery if the account is subscribed to its field. Returns immediately. */
  enqueue(event: WebhookEvent): void;
  deliveries(): readonly Delivery[];
  stop(): Promise<void>;
}

interface Waiting {
  readonly id: string;
  readonly told: WebhookEvent;
  readonly attempts: number;
}

/** The maximum number of events per delivery. Deliveries use these sizes in turn. */
const batchSizes = [1, 3, 1, 100];
const collectingMilliseconds = 20;
const maxConcurrent = 4;
/** The delays before each retry of a failed delivery, in seconds of real time. */
const retryDelaysSeconds = [0, 0.2, 0.5, 1, 2, 4, 8];
const answerSeconds = 10;

/**
 * Sends webhooks to the app's registered callback address, after verifying that it knows the verify token. Deliveries
 * alternate between both secrets and all payload shapes. By default every seventh delivery is sent twice (setting
 * `webhookTwiceEvery`). A delivery that is not answered with 200 is retried. Queued events survive a restart.
 */
export function openWebhooks(
  { clock, ledger, setting }: Workbench,
  state: State,
  app: InstagramApp,
): Webhooks {
  const stored = ledger.records<Waiting>('webhookWaiting');
  const deliveries = ledger.records<Delivery>('webhookDelivery');
  const waiting = stored.list();
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  let verified: Promise<boolean> | undefined;

  function enqueue(event: WebhookEvent): void {
    if (app.webhook === undefined || !state.subscriptions.get(event.igId)?.includes(event.field)) return;
    const item = { id: String(ledger.nextNumber('webhook')), told: event, attempts: 0 };
    stored.put(item.id, item);
    waiting.push(item);
    setTimeout(pump, collectingMilliseconds).unref();
  }

  function pump(): void {
    while (!stopping.signal.aborted && running.size < maxConcurrent && waiting.length > 0) {
      const number = ledger.nextNumber('delivery');
      const batch = waiting.splice(0, batchSizes[number % batchSizes.length]);
      run(deliver(batch, number));
    }
  }

  function run(work: Promise<void>): void {
    const tracked = work.finally(() => {
      running.delete(tracked);
      pump();
    });
    running.add(tracked);
  }

  async function deliver(batch: readonly Waiting[], number: number): Promise<void> {
    const shape = shapes[number % shapes.length] ?? 'changes';
    const body = payload(
      batch.map(({ told }) => told),
      shape,
      clock.now(),
    );
    const every = Number(setting('webhookTwiceEvery'));
    const isAccepted = (await isVerified()) && (await post(body, number));
    if (isAccepted && every > 0 && number % every === 0) await post(body, number);
    if (stopping.signal.aborted) return;
    for (const item of batch) {
      if (isAccepted) stored.delete(item.id);
      else void retry(item);
    }
  }

  async function retry({ id, told, attempts }: Waiting): Promise<void> {
    const seconds = retryDelaysSeconds[attempts];
    if (seconds === undefined) return stored.delete(id);
    const item = { id, told, attempts: attempts + 1 };
    stored.put(id, item);
    await delay(seconds * 1000, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined);
    if (stopping.signal.aborted) return;
    waiting.push(item);
    pump();
  }

  async function post(body: string, number: number): Promise<boolean> {
    const byMeta = number % 2 === 1 && app.metaSecret !== undefined;
    const secret = byMeta ? app.metaSecret : app.secret;
    const signature = createHmac('sha256', secret ?? '')
      .update(body)
      .digest('hex');
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` };
    const answer = await send(app.webhook?.callbackUrl ?? '', { method: 'POST', headers, body });
    if (stopping.signal.aborted) return false;
    const signedBy = byMeta ? 'Meta app' : 'Instagram app';
    const at = clock.now();
    deliveries.put(String(ledger.nextNumber('delivered')), { at, status: answer.status, signedBy, body });
    return answer.status === 200;
  }

  /** Verifies the callback address, as Meta does at registration. Retries until it succeeds. */
  async function isVerified(): Promise<boolean> {
    verified ??= verify();
    const isKnown = await verified;
    if (!isKnown) verified = undefined;
    return isKnown;
  }

  async function verify(): Promise<boolean> {
    if (app.webhook === undefined) return false;
    const { callbackUrl, verifyToken } = app.webhook;
    const challenge = randomSecret('');
    const query = { 'hub.mode': 'subscribe', 'hub.challenge': challenge, 'hub.verify_token': verifyToken };
    const answer = await send(`${callbackUrl}?${new URLSearchParams(query)}`, { method: 'GET' });
    return answer.status === 200 && answer.text === challenge;
  }

  async function send(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(answerSeconds * 1000)]);
    try {
      const response = await fetch(url, { ...init, redirect: 'manual', signal });
      return { status: response.status, text: await response.text() };
    } catch {
      return { status: 0, text: '' };
    }
  }

  setImmediate(pump);
  return {
    enqueue,
    deliveries: () => deliveries.list(),
    async stop() {
      stopping.abort();
      await Promise.allSettled(running);
    },
  };
}
