import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { redirectOf, signIn, Visitor } from '../../../bin/dev/visitor.ts';
import { workerQueries } from '../../../infra/saved-queries.ts';
import { BegunConnection } from '../../../lib/connections/schemas.ts';
import { dayMs, minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { UploadGrant } from '../../../lib/media/operations.ts';
import { deployedOperations } from '../../../lib/operations.ts';
import { platformNames } from '../../../lib/platforms/contract/names.ts';
import type { PostView } from '../../../lib/posts/view/schemas.ts';
import { preparedDestinations, raiseLimits } from '../../bench/destinations.ts';
import { type Client, clientOf, readFixture, settled, until } from '../../journeys/support/client.ts';
import { advance } from '../../journeys/support/clock.ts';
import { platformOf } from '../../journeys/support/platforms.ts';
import { openPublishQueue, type PublishQueue } from '../../journeys/support/publish-queue.ts';
import { leaksIn, type Secret, secretsOfRun } from '../../journeys/support/secrets.ts';
import { type Receiver, startReceiver } from '../../lib/webhooks/receiver.ts';
import { startTestCloud, type TestCloud } from '../../support/local-cloud.ts';
import { runQuery } from '../../support/logs-insights.ts';

const strangersCode = 'code-that-somebody-brought-1f6c0b2e';
const strangersKey = 'yay_NobodysKeyNobodysKeyNobodysKeyNobodysKey123456';

const WebhookSecret = z.object({ webhook: z.object({ id: z.string(), secret: z.string() }) });

let cloud: TestCloud;
let client: Client;
let queue: PublishQueue;
let receiver: Receiver;
let post: PostView;
/** Goes live at its own time, without problems. */
let planned: PostView;
let refused: { requestId: string | null };
/** Secrets that only the clients of this run received. */
const told: Secret[] = [];

beforeAll(async () => {
  cloud = await startTestCloud();
  client = clientOf(cloud, cloud.demo);
  queue = openPublishQueue(cloud);
  receiver = await startReceiver((response) => {
    response.statusCode = 500;
    response.end('no');
  });
  await raiseLimits(cloud);
  await journey();
}, 120_000);
afterAll(async () => {
  queue.close();
  receiver.close();
  await cloud.stop();
});

/** Runs everything that handles a secret, with and without failures. */
async function journey(): Promise<void> {
  const webhook = await openWebhook();
  // Before the days pass in which the endpoint only fails: they disable it, and a test event then answers 409.
  await client.expectStatus(202, 'POST', `/v1/webhooks/${webhook.id}/test`);
  await connections();
  const [image, video] = await Promise.all([upload('image.jpg'), upload('video.mp4')]);
  const destinations = await preparedDestinations(client, video);
  const created = await client.createPost({
    content: 'planned',
    platforms: [{ accountId: client.accountId('threads') }],
    scheduledFor: toTimestamp(cloud.clock.now() + 5 * minuteMs),
  });
  planned = await settled(client, created.id, queue.skippingWaits());
  // One call to each platform loses its response: the resulting error might contain a URL with a token.
  await Promise.all(platformNames.map((name) => platformOf(cloud, name).planFault('*', 'drop-reply')));
  post = await publish('in trouble', image, destinations);
  await Promise.all(platformNames.map((name) => platformOf(cloud, name).clearFaults()));
  await advance(cloud, (40 * dayMs) / secondMs);
  await cloud.invoke('refresh-tokens', {});
  // All tokens are revoked: each is refused, its refresh is tried, and that is refused too.
  await Promise.all(platformNames.map((name) => platformOf(cloud, name).revoke('demo.studio')));
  const [again, videoAgain] = await Promise.all([upload('image.jpg'), upload('video.mp4')]);
  await publish('refused', again, await preparedDestinations(client, videoAgain));
  await until(
    () => receiver.received.length,
    (count) => count > 0,
  );
  await strangers();
  await secretPaths();
}

async function publish(content: string, image: string, destinations: { entry: object }[]) {
  const created = await client.createPost({
    content,
    mediaItems: [{ type: 'image', url: image }],
    platforms: destinations.map(({ entry }) => entry),
    publishNow: true,
  });
  return settled(client, created.id, { withinSeconds: 60, ...queue.skippingWaits() });
}

async function openWebhook() {
  const body = { url: `${receiver.url}/hook`, events: ['post.published', 'post.failed', 'account.expired'] };
  const read = (answer: { json(): unknown }) => WebhookSecret.parse(answer.json()).webhook;
  const made = read(await client.expectStatus(201, 'POST', '/v1/webhooks', body));
  const rotated = read(await client.expectStatus(200, 'POST', `/v1/webhooks/${made.id}/rotate-secret`));
  told.push({ what: 'webhook secret', value: made.secret });
  told.push({ what: 'rotated webhook secret', value: rotated.secret });
  return made;
}

async function upload(fixture: string): Promise<string> {
  const { bytes, contentType } = readFixture(fixture);
  const asked = { filename: fixture, contentType, size: bytes.length };
  const answer = await client.expectStatus(200, 'POST', '/v1/media/presign', asked);
  const { uploadUrl, publicUrl } = UploadGrant.parse(answer.json());
  const signature = new URL(uploadUrl).searchParams.get('X-Amz-Signature') ?? '';
  told.push({ what: 'signature of an upload address', value: signature });
  const headers = { 'content-type': contentType };
  const sent = await fetch(uploadUrl, { method: 'PUT', headers, body: bytes });
  expect(sent.status).toBe(200);
  return publicUrl;
}

/** Goes through each flow once more, with failures, and notes what only this browser and this client know. */
async function connections(): Promise<void> {
  const body = { redirectUrl: 'https://app.example.com/done', claim: true };
  const answer = await client.expectStatus(201, 'POST', '/v1/connect/threads', body);
  const { authUrl, state } = BegunConnection.parse(answer.json());
  const browser = new Visitor();
  const returned = redirectOf(await browser.submit(await signIn(browser, authUrl, 'demo.studio')));
  const code = new URL(returned).searchParams.get('code') ?? '';
  await client.expectStatus(400, 'POST', `/v1/connect/attempts/${state}/claim`, { code: `${code}x` });
  await client.expectStatus(200, 'POST', `/v1/connect/attempts/${state}/claim`, { code });
  await client.expectStatus(200, 'GET', `/v1/connect/attempts/${state}`);
  const refused = BegunConnection.parse(
    (await client.expectStatus(201, 'POST', '/v1/connect/threads', body)).json(),
  );
  await browser.submit(await browser.visit(refused.authUrl));
  const query = new URLSearchParams({ state: refused.state, code: strangersCode });
  await browser.visit(`${cloud.apiUrl}/oauth/threads/callback?${query}`);
  for (const [name, value] of browser.cookies(cloud.apiUrl)) told.push({ what: `cookie ${name}`, value });
  told.push({ what: 'claim code', value: code });
  told.push({ what: 'state of a claimed attempt', value: state });
  told.push({ what: 'state of a refused attempt', value: refused.state });
}

/**
 * Visits each route whose path contains something else than ids and a platform, under both of its addresses, and a path beyond it,
 * which no route serves.
 */
async function secretPaths(): Promise<void> {
  const secrets = deployedOperations.flatMap(({ path }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    return names.every((name) => /^(id|\w+Id|platform)$/.test(name)) ? [] : [path];
  });
  expect(secrets.length).toBeGreaterThan(3);
  for (const [index, template] of [...new Set(secrets)].entries()) {
    const value = `secret-in-a-path-${index}-7c21f0`;
    const path = template.replace(/\{\w+\}/g, value);
    for (const url of [path, `/api${path}`, `${path}/${value}`, `${path}?${new URLSearchParams({ value })}`])
      for (const method of ['GET', 'POST']) await client.request(method, url).catch(() => undefined);
    told.push({ what: `a secret in ${template}`, value });
  }
}

async function strangers(): Promise<void> {
  for (const platform of platformNames) {
    await fetch(`${cloud.apiUrl}/oauth/${platform}/callback?state=made-up&code=${strangersCode}`);
  }
  const { headers } = await client.request('GET', '/v1/posts', undefined, {
    authorization: `Bearer ${strangersKey}`,
  });
  refused = { requestId: headers.get('x-request-id') };
  await client.request('POST', '/v1/posts', `{"apiKey":"${strangersKey}"`);
  told.push({ what: 'a code that a stranger brought', value: strangersCode });
  told.push({ what: 'a key that a stranger brought', value: strangersKey });
}

const linesOf = (name: string) =>
  cloud.functionLines
    .filter((line) => line.startsWith(`${name}: {`))
    .map((line): Record<string, unknown> => JSON.parse(line.slice(name.length + 2)));

describe('the functions’ logs of a run with and without failures', () => {
  it('contain no secret', () => {
    const secrets = [...secretsOfRun(cloud), ...told];
    for (const { value } of secrets) expect(value.length).toBeGreaterThan(12);
    const kinds = [...new Set(secrets.map(({ what }) => what))].join('\n');
    for (const platform of platformNames) expect(kinds).toContain(`token of ${platform}`);
    expect(kinds).toContain('authorization-code of instagram');
    expect(kinds).toContain('refresh-token of youtube');
    expect(cloud.functionLines.length).toBeGreaterThan(50);
    expect(leaksIn(cloud.functionLines, secrets)).toEqual([]);
    // Also the access log of the gateway.
    const folder = join(cloud.dataDirectory, 'logs');
    const files = readdirSync(folder);
    expect(files).toContain('access.log');
    const written = files.map((file) => readFileSync(join(folder, file), 'utf8'));
    expect(leaksIn(written, secrets)).toEqual([]);
  });

  it('would be found to contain a secret, however it is encoded', () => {
    const secret = { what: 'token', value: 'EAA+/=":x' };
    const written = [secret.value, encodeURIComponent(secret.value), JSON.stringify({ a: secret.value })];
    for (const line of written) expect(leaksIn(['', `before ${line} after`], [secret])).toEqual(['token']);
    expect(leaksIn(['EAA'], [secret])).toEqual([]);
  });

  it('name each destination with its ids and attempt', () => {
    const worked = linesOf('publish-target').filter(({ message }) => message === 'a target was processed');
    for (const { accountId } of post.platforms) {
      expect(worked).toContainEqual(
        expect.objectContaining({
          workspaceId: cloud.demo.id,
          postId: post.id,
          accountId,
          attempt: expect.any(Number),
          messageId: expect.any(String),
        }),
      );
    }
  });

  it('say what became of each destination: when it went live, how late if it had a time, or why it did not', () => {
    const outcomes = linesOf('relay').filter(({ state }) => state !== undefined);
    const live = (postId: string) =>
      outcomes.filter((line) => line['postId'] === postId && line['state'] === 'live');
    expect(live(planned.id)).toEqual([
      expect.objectContaining({
        level: 'INFO',
        workspaceId: cloud.demo.id,
        accountId: client.accountId('threads'),
        platform: 'threads',
        lateMs: expect.any(Number),
      }),
    ]);
    expect(live(post.id)).toContainEqual(
      expect.objectContaining({
        level: 'INFO',
        workspaceId: cloud.demo.id,
        accountId: expect.any(String),
        platform: expect.any(String),
      }),
    );
    for (const line of live(post.id)) expect(line).not.toHaveProperty('lateMs');
    expect(outcomes).toContainEqual(
      expect.objectContaining({
        level: 'WARN',
        state: 'failed',
        code: 'account_expired',
        platform: 'threads',
        reason: expect.stringContaining('access token'),
      }),
    );
    expect(outcomes).toContainEqual(
      expect.objectContaining({ level: 'WARN', state: 'postponed', nextAt: expect.any(String) }),
    );
    for (const { platforms } of [post])
      for (const { accountId } of platforms)
        expect(
          outcomes.filter(
            (line) =>
              line['postId'] === post.id && line['accountId'] === accountId && line['state'] !== 'postponed',
          ),
        ).not.toEqual([]);
  });

  it('answer the saved queries of the runbook', () => {
    const rows = (name: string) => {
      const query = workerQueries.find((each) => each.name === name);
      if (!query) throw new Error(`${name} is not saved`);
      return runQuery(query.commands.join('\n| '), query.functions.flatMap(linesOf));
    };
    expect(rows('Failed destinations by reason')).toContainEqual(
      expect.objectContaining({
        destinations: expect.any(Number),
        state: 'failed',
        code: 'account_expired',
        platform: 'threads',
      }),
    );
    expect(rows('Failed destinations')[0]).toMatchObject({
      workspaceId: cloud.demo.id,
      postId: expect.any(String),
      code: expect.any(String),
    });
    expect(rows('Destinations that were put off')[0]).toMatchObject({ times: expect.any(Number) });
    const punctuality = rows('Punctuality by platform');
    expect(punctuality.map(({ platform }) => platform)).toEqual(
      expect.arrayContaining(['threads', 'youtube']),
    );
    expect(punctuality.find(({ platform }) => platform === 'threads')).toMatchObject({
      p50Ms: expect.any(Number),
      worstMs: expect.any(Number),
    });
    expect(rows('Webhooks that were not delivered')).toContainEqual(
      expect.objectContaining({ workspaceId: cloud.demo.id, attempts: expect.any(Number) }),
    );
    const ofPost = workerQueries.find(({ name }) => name === 'Outcome of a post');
    const asked = ofPost?.commands.join('\n| ').replace('<post id>', post.id) ?? '';
    const told = runQuery(asked, ofPost?.functions.flatMap(linesOf) ?? []);
    expect(new Set(told.flatMap(({ platform }) => platform || []))).toEqual(new Set(platformNames));
  });

  it('connect a post with the request that created it', () => {
    expect(linesOf('posts-create')).toContainEqual(
      expect.objectContaining({
        requestId: expect.any(String),
        workspaceId: cloud.demo.id,
        postId: post.id,
      }),
    );
    expect(refused.requestId).toMatch(/./);
  });

  it('contain metrics of published and failed destinations, expired accounts and failed webhooks', () => {
    const counted = (name: string, metric: string) => linesOf(name).filter((line) => metric in line);
    expect(counted('relay', 'DestinationsPublished').map(({ platform }) => platform)).toEqual(
      expect.arrayContaining(['threads', 'youtube']),
    );
    expect(counted('relay', 'DestinationsFailed').length).toBeGreaterThan(0);
    expect(counted('announce', 'AccountsExpired').length).toBeGreaterThan(0);
    expect(counted('deliver-webhook', 'WebhooksNotDelivered').length).toBeGreaterThan(0);
  });
});
