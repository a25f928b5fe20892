import { createHmac } from 'node:crypto';
import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { listField } from '../meta/parameters.ts';
import { refuse, refuseParameter } from './errors.ts';
import type { GraphOperation } from './graph.ts';
import type { InstagramApp } from './login.ts';
import type { Session } from './sessions.ts';
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
/** The delays before each retry of a failed delivery, in seconds. Meta retries less and less often, for 36 hours. */
const retryDelaysSeconds = [0, 0.2, 0.5, 1, 2, 4, 8, 30, 120, 600, 1_800, 3_600, 3_600];
const answerSeconds = 10;

/**
 * Sends webhooks to the app's registered callback address, after verifying that it knows the verify token. Deliveries
 * alternate between both secrets and all payload shapes. By default every seventh delivery is sent twice (setting
 * `webhookTwiceEvery`). A delivery that is not answered with 200 is retried. Queued events survive a restart.
 */
export function openWebhooks(
  { background, clock, fetch: givenFetch, ledger, random, setting, timers }: Workbench,
  state: State,
  app: InstagramApp,
): Webhooks {
  const stored = ledger.records<Waiting>('webhookWaiting');
  const deliveries = ledger.records<Delivery>('webhookDelivery');
  const waiting = stored.list();
  const { stopping } = background;
  let running = 0;
  let verified: Promise<boolean> | undefined;

  function enqueue(event: WebhookEvent): void {
    if (app.webhook === undefined || !state.subscriptions.get(event.igId)?.includes(event.field)) return;
    const item = { id: String(ledger.nextNumber('webhook')), told: event, attempts: 0 };
    stored.put(item.id, item);
    waiting.push(item);
    timers.later(collectingMilliseconds, pump);
  }

  function pump(): void {
    while (!stopping.aborted && running < maxConcurrent && waiting.length > 0) {
      const number = ledger.nextNumber('delivery');
      const batch = waiting.splice(0, batchSizes[number % batchSizes.length]);
      running += 1;
      background.run(() => deliver(batch, number).finally(ended), 'webhook');
    }
  }

  function ended(): void {
    running -= 1;
    pump();
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
    if (stopping.aborted) return;
    for (const item of batch) {
      if (isAccepted) stored.delete(item.id);
      else retry(item);
    }
  }

  function retry({ id, told, attempts }: Waiting): void {
    const seconds = retryDelaysSeconds[attempts];
    if (seconds === undefined) {
      stored.delete(id);
      return;
    }
    const item = { id, told, attempts: attempts + 1 };
    stored.put(id, item);
    timers.later(seconds * 1000, () => {
      waiting.push(item);
      pump();
    });
  }

  async function post(body: string, number: number): Promise<boolean> {
    const byMeta = number % 2 === 1 && app.metaSecret !== undefined;
    const secret = byMeta ? app.metaSecret : app.secret;
    const signature = createHmac('sha256', secret ?? '')
      .update(body)
      .digest('hex');
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` };
    const answer = await send(app.webhook?.callbackUrl ?? '', { method: 'POST', headers, body });
    if (stopping.aborted) return false;
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
    const challenge = random.secret();
    const query = { 'hub.mode': 'subscribe', 'hub.challenge': challenge, 'hub.verify_token': verifyToken };
    const answer = await send(`${callbackUrl}?${new URLSearchParams(query)}`, { method: 'GET' });
    return answer.status === 200 && answer.text === challenge;
  }

  async function send(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
    const timeout = givenFetch === undefined ? [AbortSignal.timeout(answerSeconds * 1000)] : [];
    const signal = AbortSignal.any([stopping, ...timeout]);
    try {
      const response = await (givenFetch ?? fetch)(url, { ...init, redirect: 'manual', signal });
      return { status: response.status, text: await response.text() };
    } catch {
      return { status: 0, text: '' };
    }
  }

  if (waiting.length > 0) timers.later(0, pump);
  return { enqueue, deliveries: () => deliveries.list() };
}

const comments = 'instagram_business_manage_comments';
const messages = 'instagram_business_manage_messages';

/**
 * The fields, with the permission that each needs ("The app user must have granted your app appropriate permissions").
 * https://developers.facebook.com/docs/graph-api/webhooks/getting-started/webhooks-for-instagram/
 */
const scopeOfField: Readonly<Record<string, string>> = {
  comments,
  live_comments: comments,
  message_edit: messages,
  message_reactions: messages,
  messages,
  messaging_postbacks: messages,
  messaging_referral: messages,
  messaging_seen: messages,
};
const knownFields = Object.keys(scopeOfField);

/** Reads and changes the webhook fields that an account is subscribed to. */
export function subscriptionOperations(graph: GraphOperation, state: State, appId: string): Operation[] {
  function subscribe(call: Call, { user, token }: Session): Answer {
    const fields = listField(call.fields, 'subscribed_fields') ?? [];
    if (fields.length === 0) refuseParameter('The parameter subscribed_fields is required.');
    const unknown = fields.find((field) => !knownFields.includes(field));
    if (unknown !== undefined) {
      refuseParameter(`Param subscribed_fields must be one of {${knownFields.join(', ')}}`);
    }
    if (fields.some((field) => !token.scopes.includes(scopeOfField[field] ?? ''))) refuse('10');
    state.subscriptions.put(user.igId, [...new Set(fields)]);
    return json({ success: true });
  }

  function list(_: Call, { user }: Session): Answer {
    const subscribed = state.subscriptions.get(user.igId);
    return json({ data: subscribed === undefined ? [] : [{ id: appId, subscribed_fields: subscribed }] });
  }

  function unsubscribe(_: Call, { user }: Session): Answer {
    state.subscriptions.delete(user.igId);
    return json({ success: true });
  }

  const scope = 'instagram_business_basic';
  return [
    graph('subscribed_apps', 'POST', ':igId/subscribed_apps', scope, subscribe),
    graph('subscribed_apps', 'GET', ':igId/subscribed_apps', scope, list),
    graph('subscribed_apps', 'DELETE', ':igId/subscribed_apps', scope, unsubscribe),
  ];
}
