import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { loadProgram, prepareProgram, type ZernioProgram } from '../contract/clients/zernio.ts';
import { type Receiver, startReceiver } from '../lib/webhooks/receiver.ts';
import type { CloudVisit } from '../support/local-cloud.ts';
import { visitSharedCloud } from '../support/shared-cloud.ts';
import { clientOf, until } from './support/client.ts';

let cloud: CloudVisit;
let receiver: Receiver;
let setting: Parameters<ZernioProgram['run']>[1];
const program = await loadProgram(prepareProgram('zernio-journey'));

visitSharedCloud(async (visit) => {
  cloud = visit;
  receiver = await startReceiver((response) => response.end());
  setting = {
    baseURL: `${cloud.apiUrl}/zernio`,
    apiKey: cloud.demo.apiKey,
    profileId: cloud.demo.id,
    accountId: clientOf(cloud, cloud.demo).accountId('threads'),
    receiverUrl: receiver.url,
    now: () => cloud.clock.now(),
    listsHave: async (postIds) => {
      await until(
        () => clientOf(cloud, cloud.demo).expectStatus(200, 'GET', '/v1/posts?status=scheduled'),
        (reply) => {
          const { posts } = reply.json() as { posts: readonly { id: string }[] };
          return postIds.every((id) => posts.some((post) => post.id === id));
        },
      );
    },
  };
});
afterAll(() => receiver.close());

describe('a program with the SDK of Zernio, under the deployed policies', () => {
  it.each(Object.keys(program.checks))('%s', async (name) => {
    await program.run(name, setting);
  });

  it('works with the prefix /api too', async () => {
    await program.run('lists accounts', { ...setting, baseURL: `${cloud.apiUrl}/api/zernio` });
  });
});

const ask = async (method: string, path: string, body?: object) => {
  const response = await fetch(`${setting.baseURL}${path}`, {
    method,
    headers: { authorization: `Bearer ${setting.apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe('what a platform knows', () => {
  it.each([
    ['pinterest', 'pinterest-boards', { boards: [{ id: expect.any(String), name: expect.any(String) }] }],
    ['youtube', 'youtube-playlists', { playlists: [{ id: expect.any(String), title: expect.any(String) }] }],
    [
      'tiktok',
      'tiktok/creator-info',
      {
        privacyLevels: expect.arrayContaining([{ value: 'SELF_ONLY', label: 'SELF_ONLY' }]),
        postingLimits: { interactionSettings: { allow_comment: { enabled: true } } },
      },
    ],
    ['instagram', 'posts', { status: 'success', posts: expect.any(Array) }],
  ])('about an account of %s is shown: %s', async (platform, path, expected) => {
    const id = clientOf(cloud, cloud.demo).accountId(platform);
    const { status, body } = await ask('GET', `/v1/accounts/${id}/${path}`);
    expect(status).toBe(200);
    for (const [name, list] of Object.entries(expected))
      expect(Array.isArray(list) ? (body[name] as unknown[])[0] : body[name]).toMatchObject(
        Array.isArray(list) ? list[0] : list,
      );
  });
});

it('a post goes live, and its events come in the envelope of Zernio with its signature', async () => {
  const secret = 'secret of the receiver';
  await ask('POST', '/v1/webhooks/settings', {
    name: 'Journey',
    url: `${receiver.url}/zernio`,
    secret,
    events: ['post.published', 'post.platform.published'],
  });
  const { accountId } = setting;
  const created = await ask('POST', '/v1/posts', {
    content: 'Hello from Zernio',
    platforms: [{ platform: 'threads', accountId }],
    publishNow: true,
  });
  const { _id: postId } = created.body['post'] as { _id: string };
  const live = await until(
    async () => (await ask('GET', `/v1/posts/${postId}`)).body['post'] as Record<string, unknown>,
    (post) => post['status'] === 'published',
  );
  expect(live).toMatchObject({
    platforms: [{ accountId, platformPostUrl: expect.stringContaining('http') }],
  });

  const received = await until(
    () => receiver.received.filter(({ body }) => JSON.parse(body.toString()).post?.id === postId),
    ({ length }) => length === 2,
  );
  for (const { headers, body } of received) {
    expect(headers['x-zernio-signature']).toBe(createHmac('sha256', secret).update(body).digest('hex'));
    expect(headers).not.toHaveProperty('x-service-signature');
    const event = JSON.parse(body.toString()) as Record<string, unknown>;
    expect(headers['x-zernio-event-id']).toBe(event['id']);
    expect(event).toMatchObject({
      event: expect.stringMatching(/^post\.(platform\.)?published$/),
      post: { id: postId, platforms: [{ accountId, publishedUrl: expect.stringContaining('http') }] },
      timestamp: expect.any(String),
    });
    expect((event['post'] as { content: string }).content).toBe('Hello from Zernio');
    if (event['event'] === 'post.platform.published')
      expect(event).toMatchObject({ account: { accountId, username: expect.stringMatching(/./) } });
  }

  // Another secret signs what is sent from now on, also an event that is sent again: the same bytes.
  const { webhooks } = (await ask('GET', '/v1/webhooks/settings')).body as {
    webhooks: { _id: string; name: string }[];
  };
  const webhookId = webhooks.find(({ name }) => name === 'Journey')?._id;
  const changed = { _id: webhookId, secret: 'another secret' };
  expect((await ask('PUT', '/v1/webhooks/settings', changed)).status).toBe(200);
  const [first] = received;
  const eventId = JSON.parse(first?.body.toString() ?? '{}').id as string;
  const { status } = await ask('POST', '/v1/webhooks/logs/redeliver', { webhookId, eventId });
  expect(status).toBe(200);
  const again = await until(
    () => receiver.received.filter(({ headers }) => headers['x-zernio-event-id'] === eventId),
    ({ length }) => length === 2,
  );
  const last = again.at(-1);
  expect(last?.body).toEqual(first?.body);
  expect(last?.headers['x-zernio-signature']).toBe(
    createHmac('sha256', 'another secret')
      .update(last?.body ?? '')
      .digest('hex'),
  );
  const { logs } = (await ask('GET', `/v1/webhooks/logs?webhookId=${webhookId}&eventId=${eventId}`)).body as {
    logs: object[];
  };
  expect(logs).toMatchObject([{ eventId, status: 'success', attemptNumber: 2 }]);
});

it('a post that is live is deleted at its platform', async () => {
  const facebook = clientOf(cloud, cloud.demo).accountId('facebook');
  const created = await ask('POST', '/v1/posts', {
    content: 'Taken back',
    platforms: [{ platform: 'facebook', accountId: facebook }],
    publishNow: true,
  });
  const { _id: postId } = created.body['post'] as { _id: string };
  type Live = { status: string; platforms: { removedFromPlatformAt?: string }[] };
  const read = async () => (await ask('GET', `/v1/posts/${postId}`)).body['post'] as Live;
  await until(read, ({ status }) => status === 'published');
  for (let repeats = 0; repeats < 2; repeats += 1)
    expect(await ask('POST', `/v1/posts/${postId}/unpublish`, { platform: 'facebook' })).toMatchObject({
      status: 200,
      body: { success: true },
    });
  await until(read, ({ platforms }) => platforms[0]?.removedFromPlatformAt !== undefined);
});

describe('the command line of Zernio', () => {
  const clients = createRequire(join(import.meta.dirname, '../contract/clients/package.json'));
  const program = join(dirname(clients.resolve('@zernio/cli/package.json')), 'dist/index.js');
  const run = async (...args: string[]) => {
    const env = { ...process.env, ZERNIO_API_KEY: setting.apiKey, ZERNIO_API_URL: setting.baseURL };
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env });
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  it('checks its key, lists, creates, reads and deletes', async () => {
    expect(await run('auth:check')).toMatchObject({ success: true });
    expect(await run('accounts:health')).toMatchObject({ summary: { needsReconnect: 0 } });
    expect(await run('profiles:list')).toMatchObject({ profiles: [{ _id: setting.profileId }] });
    const created = await run(
      'posts:create',
      '--text',
      'From a shell',
      '--accounts',
      setting.accountId,
      '--draft',
    );
    const { _id } = created['post'] as { _id: string };
    expect(await run('posts:get', _id)).toMatchObject({ post: { content: 'From a shell', status: 'draft' } });
    await run('posts:delete', _id);
  });
});
