import { openTableAsAdministrator } from '../../../bin/dev/demo-workspaces.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { updateItem } from '../../../lib/table/items.ts';
import { type Key, targetKey } from '../../../lib/table/keys.ts';
import { type Receiver, startReceiver } from '../../lib/webhooks/receiver.ts';
import type { CloudVisit } from '../../support/local-cloud.ts';
import { type Client, clientOf, settled } from '../support/client.ts';
import { type ApiDocument, readDocument } from '../support/document.ts';
import { platformOf } from '../support/platforms.ts';
import { type Ask, askerOf } from './asker.ts';

interface Bare {
  readonly cloud: CloudVisit;
  readonly document: ApiDocument;
  /** Receives the webhook events of both workspaces. */
  readonly receiver: Receiver;
  readonly client: Client;
  readonly other: Client;
  asking(operationId: string): Ask;
}

export interface Fixture extends Bare {
  readonly things: Awaited<ReturnType<typeof makeThings>>;
  /** Plays people on the simulated Instagram. */
  control(path: string, body: unknown): Promise<Record<string, string>>;
  /** @returns the post's id */
  makeDraft(): Promise<string>;
  makeScheduled(): Promise<string>;
  /** An hour from now. */
  later(): string;
  stop(): void;
}

export async function openFixture(cloud: CloudVisit): Promise<Fixture> {
  const receiver = await startReceiver();
  const document = await readDocument(cloud);
  const bare: Bare = {
    cloud,
    document,
    receiver,
    client: clientOf(cloud, cloud.demo),
    other: clientOf(cloud, cloud.other),
    asking: (operationId) => askerOf(cloud, document, operationId),
  };
  const things = await makeThings(bare);
  const platforms = [{ accountId: things.accountId }];
  const mediaItems = [{ type: 'image', url: things.imageUrl }];
  const later = () => new Date(cloud.clock.now() + 3_600_000).toISOString();
  return {
    ...bare,
    things,
    later,
    control: (path, body) => control(cloud, path, body),
    makeDraft: async () => (await bare.client.createPost({ content: 'a draft', platforms })).id,
    makeScheduled: async () =>
      (await bare.client.createPost({ content: 'later', mediaItems, platforms, scheduledFor: later() })).id,
    stop: () => receiver.close(),
  };
}

/** Returns the `id` of the object in a response. */
export const idIn = (answer: { json(): Record<string, unknown> }, noun: string) =>
  (answer.json()[noun] as { id: string }).id;

/** Plays people on the simulated Instagram. */
async function control(cloud: CloudVisit, path: string, body: unknown): Promise<Record<string, string>> {
  const answer = await fetch(`${cloud.platforms['instagram']?.control}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, string>;
}

/** Makes a failed destination one whose call may have made a post. */
async function leaveInDoubt(cloud: CloudVisit, key: Key): Promise<void> {
  const at = toTimestamp(cloud.clock.now());
  const call = { intentAt: at, token: {}, endedAt: at, outcome: 'unknown', lookups: 2, misses: 2 };
  await updateItem(openTableAsAdministrator(cloud), key, {
    set: { calls: [call] },
    if: { status: 'failed' },
  });
}

/** Creates what the operations need: a live post, a failed one, one of unknown outcome, an automation with a link, an endpoint for all events. */
async function makeThings({ cloud, document, receiver, client, asking }: Bare) {
  const instagram = platformOf(cloud, 'instagram');
  await instagram.settings({ imageProcessingSeconds: 0 });
  const events = document.eventTypes;
  const hook = { url: `${receiver.url}/all`, events, description: null };
  const webhook = await asking('createWebhook')(201, { body: hook });
  const otherHook = { body: hook, apiKey: cloud.other.apiKey };
  const otherWebhook = await asking('createWebhook')(201, otherHook);

  const imageUrl = await client.upload('image.jpg');
  const accountId = client.accountId('instagram');
  const post = (content: string) => ({
    content,
    mediaItems: [{ type: 'image', url: imageUrl }],
    platforms: [{ accountId }],
    publishNow: true,
  });
  const live = await settled(client, (await client.createPost(post('live'))).id);
  await instagram.planFault('media', 'error:36004/2207010');
  const failed = await settled(client, (await client.createPost(post('failed'))).id);
  await instagram.planFault('media', 'error:36004/2207010');
  const doubtful = await settled(client, (await client.createPost(post('doubtful'))).id);
  await leaveInDoubt(cloud, targetKey(client.workspace.id, doubtful.id, accountId));
  const platformPostId = String(live.platforms[0]?.platformPostId);

  const automationBody = {
    accountId,
    platformPostId,
    name: 'Sale',
    keywords: ['sale'],
    matchMode: 'word',
    typoTolerance: true,
    commentReply: 'Look into your messages!',
    dmMessage: 'Here you are',
    buttons: [{ type: 'url', title: 'To the sale', url: 'https://shop.example.com/sale' }],
    followGate: { message: 'Tap', buttonLabel: 'Send it', notFollowingMessage: 'Follow us first' },
  };
  const automation = await asking('createCommentAutomation')(201, { body: automationBody });
  const automationId = idIn(automation, 'automation');
  const detail = await asking('getCommentAutomation')(200, { path: { id: automationId } });
  const { links } = (detail.json() as Record<string, { links: { address: string }[] }>)['automation'] ?? {};
  const code = new URL(links?.[0]?.address ?? '').pathname.split('/').at(-1) ?? '';
  return {
    accountId,
    imageUrl,
    liveId: live.id,
    failedId: failed.id,
    doubtfulId: doubtful.id,
    platformPostId,
    automationBody,
    automationId,
    code,
    hook,
    webhookId: idIn(webhook, 'webhook'),
    otherWebhookId: idIn(otherWebhook, 'webhook'),
  };
}
