import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { apiFunctions } from '../../../infra/functions/api.ts';
import { CreatePostBody } from '../../../lib/posts/request/schemas.ts';
import { type Answer, type Client, clientOf, settled, targetOf } from '../../journeys/support/client.ts';
import { platformOf } from '../../journeys/support/platforms.ts';
import type { CloudVisit } from '../../support/local-cloud.ts';
import { visitSharedCloud } from '../../support/shared-cloud.ts';

let cloud: CloudVisit;
let client: Client;
let other: Client;
/** The id (of an attempt to connect: the state) of one thing of each kind, keyed by its segment in the routes' paths. */
let own: Ids;
let foreign: Ids;

const kinds = ['posts', 'accounts', 'media', 'webhooks', 'comment-automations', 'connect'] as const;
/** Kinds of objects that the routes of one platform need. */
const platformKinds = ['tiktok', 'youtube', 'pinterest', 'linkedin', 'board'] as const;
type Kind = (typeof kinds)[number] | (typeof platformKinds)[number];
type Ids = Readonly<Record<Kind, string>>;
const idsFrom = (make: () => string) =>
  Object.fromEntries([...kinds, ...platformKinds].map((kind) => [kind, make()])) as Ids;

visitSharedCloud(async (visit) => {
  cloud = visit;
  client = clientOf(cloud, cloud.demo);
  other = clientOf(cloud, cloud.other);
  await platformOf(cloud, 'instagram').settings({ imageProcessingSeconds: 0 });
  [own, foreign] = (await Promise.all([client, other].map(makeThings))) as [Ids, Ids];
});

async function makeThings(owner: Client): Promise<Ids> {
  const accounts = owner.accountId('instagram');
  const { id } = await owner.createPost({ content: 'a draft', platforms: [{ accountId: accounts }] });
  const image = await owner.upload('image.jpg');
  const [media = ''] = /[0-9a-f-]{36}(?=\/[^/]+$)/.exec(image) ?? [];
  const made = async (noun: string, path: string, body: object) => {
    const answer = await owner.expectStatus(201, 'POST', path, body);
    return z.object({ [noun]: z.object({ id: z.string() }) }).parse(answer.json())[noun]?.id ?? '';
  };
  const webhooks = await made('webhook', '/v1/webhooks', {
    url: 'http://127.0.0.1:9/hook',
    events: ['webhook.test'],
  });
  const live = await owner.createPost({
    mediaItems: [{ type: 'image', url: image }],
    platforms: [{ accountId: accounts }],
    publishNow: true,
  });
  const { platformPostId } = targetOf(await settled(owner, live.id), 'instagram');
  const automations = await made('automation', '/v1/comment-automations', {
    accountId: accounts,
    platformPostId,
    commentReply: 'Thanks',
  });
  const begun = await owner.expectStatus(201, 'POST', '/v1/connect/threads', {});
  const { state: connect } = z.object({ state: z.string() }).parse(begun.json());
  const [tiktok = '', youtube = '', pinterest = '', linkedin = ''] = (
    ['tiktok', 'youtube', 'pinterest', 'linkedin'] as const
  ).map((platform) => owner.accountId(platform));
  const listed = await owner.expectStatus(200, 'GET', `/v1/accounts/${pinterest}/boards`);
  const { boards } = z.object({ boards: z.array(z.object({ id: z.string() })) }).parse(listed.json());
  const ofPlatforms = { tiktok, youtube, pinterest, linkedin, board: boards[0]?.id ?? '' };
  return {
    posts: id,
    accounts,
    media,
    webhooks,
    'comment-automations': automations,
    connect,
    ...ofPlatforms,
  };
}

/** Every route that requires a key. New routes are tested without naming them here. */
const keyed = apiFunctions
  .flatMap(({ routes }) => routes)
  .filter((route) => / \/v1\//.test(route) && !route.includes('openapi'));
const withId = keyed.filter((route) => /^GET .*\{(id|state)\}/.test(route));

function kindOf(pattern: string): Kind {
  if (pattern.includes('/boards')) return 'pinterest';
  if (pattern.includes('/creator-info')) return 'tiktok';
  if (pattern.includes('/playlists')) return 'youtube';
  if (pattern.includes('/mentions')) return 'linkedin';
  return kinds.find((name) => pattern.startsWith(`/v1/${name}/`)) ?? 'posts';
}

/** Fills the id of the right kind into the path of a route. */
function fill(route: string, ids: Ids): { method: string; path: string } {
  const [method = '', pattern = ''] = route.split(' ');
  const path = pattern
    .replace(/\{(id|state)\}/, ids[kindOf(pattern)])
    .replace('{platform}', 'instagram')
    .replace('{boardId}', ids.board)
    .replace('{platformPostId}', '17990000000099999');
  return { method, path };
}

const ErrorBody = z.strictObject({
  error: z.string().min(1),
  code: z.string().min(1),
  param: z.string().min(1).optional(),
  docUrl: z.url(),
  details: z.object({ fields: z.record(z.string(), z.array(z.string())) }).optional(),
});

function expectRefusal(answer: Answer, status: number): z.infer<typeof ErrorBody> {
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status });
  return ErrorBody.parse(answer.json());
}

function expectStandingHeaders({ headers }: Answer): void {
  expect(headers.get('x-request-id')).toMatch(/\S{8,}/);
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(headers.get(`x-ratelimit-${name}`)),
  );
  expect(limit).toBeGreaterThan(0);
  expect(remaining).toBeLessThan(limit ?? 0);
  expect((reset ?? 0) * 1_000).toBeGreaterThan(cloud.clock.now() - 60_000);
}

/** The tests of the handlers bombard every operation; here the bodies go through the gateway, which encodes some of them. */
it('generated bodies of any content type never cause a 5xx', async () => {
  const names = [...Object.keys(CreatePostBody.shape), '__proto__', 'constructor'];
  const json = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 });
  const body = fc.oneof(
    json.map((generated) => JSON.stringify(generated)),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.uint8Array({ maxLength: 200 }),
  );
  const contentType = fc.constantFrom(
    'application/json',
    'application/json; charset=utf-8',
    'text/plain',
    'application/octet-stream',
    'multipart/form-data',
  );
  await fc.assert(
    fc.asyncProperty(body, contentType, async (sent, type) => {
      const answer = await client.request('POST', '/v1/posts', sent, { 'content-type': type });
      expect(answer.status, answer.text).toBeLessThan(500);
      if (answer.status >= 400) ErrorBody.parse(answer.json());
      expectStandingHeaders(answer);
    }),
    { numRuns: 60 },
  );
});

describe('malformed bodies', () => {
  const draft = (content: string) => `{"content":${content}}`;
  const cases: Record<string, [body: string | Uint8Array, says: RegExp]> = {
    'an incomplete object': ['{"content":"a"', /^body: must be valid JSON/],
    'an array': ['[]', /^body: /],
    'invalid UTF-8': [Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), /^body: must be valid UTF-8/],
    'deep nesting': [draft(`${'['.repeat(20_000)}${']'.repeat(20_000)}`), /nested more than/],
    'a text that is too long': [draft(`"${'x'.repeat(3_000_000)}"`), /^content: must have at most/],
  };

  it.each(Object.entries(cases))('%s is refused with the name of the field', async (_, [body, says]) => {
    for (const type of ['application/json', 'application/octet-stream']) {
      const answer = await client.request('POST', '/v1/posts', body, { 'content-type': type });
      expect(expectRefusal(answer, 400).error).toMatch(says);
    }
  });

  it('a body over the gateway’s limits gets the gateway’s own response', async () => {
    for (const megabytes of [6, 11]) {
      const body = draft(`"${'x'.repeat(megabytes * 1024 * 1024)}"`);
      const answer = await client.request('POST', '/v1/posts', body);
      expect(answer.status).toBe(413);
      expect(answer.json()).toEqual({ message: 'Request Entity Too Large' });
    }
  });
});

it('what a request has too much is refused or named in a warning, through the gateway too', async () => {
  const listed = await client.request('GET', '/v1/posts?fromDate=2026-01-01');
  expect([listed.status, listed.json()]).toMatchObject([
    400,
    { code: 'unknown_parameter', param: 'fromDate' },
  ]);
  const accountId = client.accountId('instagram').toUpperCase();
  const body = {
    platforms: [{ accountId }],
    content: null,
    scheduledAt: '2026-01-01',
    idempotencyKey: 'strict',
  };
  const made = await client.expectStatus(201, 'POST', '/v1/posts', body);
  const warnings = [{ field: 'scheduledAt', message: expect.stringContaining('did you mean scheduledFor?') }];
  expect(made.json()).toMatchObject({ post: { status: 'draft' }, warnings });
  const again = await client.expectStatus(200, 'POST', '/v1/posts', { ...body, content: 'Other' });
  expect(again.json()).toMatchObject({ idempotencyMismatch: true, warnings });
  const { id } = z.object({ post: z.object({ id: z.string() }) }).parse(again.json()).post;
  const path = `/v1/posts/${id.toUpperCase()}`;
  const kept = { scheduledFor: '2030-01-01T00:00:00Z', isDraft: true };
  const planned = await client.expectStatus(200, 'PATCH', path, kept);
  expect(planned.json()).toMatchObject({
    post: { status: 'draft', scheduledFor: '2030-01-01T00:00:00.000Z' },
  });
  const refused = await client.request('PATCH', path, { isDraft: false });
  expect([refused.status, refused.json()]).toMatchObject([400, { param: 'scheduledFor' }]);
}, 60_000);

describe('a foreign id', () => {
  it.each(withId)('gets exactly the response of an unknown id: %s', async (route) => {
    const answers = [];
    for (const ids of [foreign, idsFrom(randomUUID)]) {
      const { method, path } = fill(route, ids);
      const answer = await client.request(method, path);
      expectRefusal(answer, 404);
      expectStandingHeaders(answer);
      const names = [...answer.headers.keys()].filter((name) => name !== 'date');
      answers.push({ text: answer.text, names, type: answer.headers.get('content-type') });
    }
    expect(answers[1]).toEqual(answers[0]);
    const { method, path } = fill(
      route,
      idsFrom(() => 'x'),
    );
    const { code, error } = expectRefusal(await client.request(method, path), 404);
    // A state is a text of ours, not a UUID.
    expect([code, error]).toEqual(
      route.includes('{state}')
        ? ['not_found', 'attempt not found']
        : ['route_unknown', `no such route: ${method} ${path}`],
    );
  });

  it('gets exactly the response of an unknown id inside a body too', async () => {
    const media = await other.upload('image.jpg');
    const unknownMedia = media.replaceAll(/[0-9a-f-]{36}/g, randomUUID());
    const account = (accountId: string) => ({ content: 'a', platforms: [{ accountId }] });
    const file = (url: string) => ({ mediaItems: [{ type: 'image', url }], isDraft: true });
    const cover = (coverUrl: string) => ({ coverUrl, isDraft: true });
    const pairs = [
      ['platforms[0].accountId', account(foreign.accounts), account(randomUUID())],
      ['mediaItems[0].url', file(media), file(unknownMedia)],
      ['coverUrl', cover(media), cover(unknownMedia)],
    ] as const;
    for (const [field, theirs, nobodys] of pairs) {
      const [one, two] = await Promise.all(
        [theirs, nobodys].map((body) => client.request('POST', '/v1/posts', body)),
      );
      expect(one?.status).toBe(400);
      expect(one?.json()).toHaveProperty(['details', 'fields', field]);
      expect(one?.text).toBe(two?.text);
    }
  });

  it('finds nothing as the filter of a list', async () => {
    const list = (id: string) => client.request('GET', `/v1/posts?accountId=${id}`);
    const [theirs, nobodys] = await Promise.all([list(foreign.accounts), list(randomUUID())]);
    expect(theirs.text).toBe(nobodys.text);
  });
});

describe('a query parameter', () => {
  it.each([
    ['limit=0', 'limit'],
    ['limit=1&limit=2', 'limit'],
  ])('that is invalid is named in the error: %s', async (query, field) => {
    const answer = await client.request('GET', `/v1/posts?${query}`);
    expect(expectRefusal(answer, 400).error).toMatch(new RegExp(`^${field}: `));
  });
});

it('a request without a key gets the same 401 from every route', async () => {
  const texts = new Set<string>();
  for (const route of keyed) {
    const { method, path } = fill(route, own);
    const response = await fetch(`${cloud.apiUrl}${path}`, { method });
    const text = await response.text();
    const { status, headers } = response;
    const answer = { status, headers, text, json: () => JSON.parse(text) };
    expectRefusal(answer, 401);
    expectStandingHeaders(answer);
    texts.add(text);
  }
  expect(texts.size).toBe(1);
});

describe('the prefix /api', () => {
  it.each(keyed.filter((route) => route.startsWith('GET ')))('gives the same response: %s', async (route) => {
    const { method, path } = fill(route, own);
    const [plain, prefixed] = await Promise.all(
      [path, `/api${path}`].map((address) => client.request(method, address)),
    );
    // Some need a parameter, or a thing in another state.
    expect(plain?.status).toBeLessThan(500);
    expect(plain?.text).not.toContain('route_unknown');
    expect(prefixed?.status).toBe(plain?.status);
    // A period that ends now ends at another millisecond.
    const withoutNow = (text = '') => text.replace(/"to":"[^"]*"/, '');
    expect(withoutNow(prefixed?.text)).toBe(withoutNow(plain?.text));
  });

  it('works for routes without a key too', async () => {
    for (const path of ['/health', '/api/health', '/v1/openapi.json', '/api/v1/openapi.json']) {
      const answer = await client.expectStatus(200, 'GET', path, undefined, { authorization: '' });
      expect(answer.headers.get('x-request-id')).not.toBeNull();
    }
  });
});

describe('an unknown route', () => {
  it.each([
    ['GET', '/v1'],
    ['GET', '/v2/posts'],
    ['POST', '/v1/nonsense'],
    ['PUT', '/v1/post'],
    ['DELETE', '/v1/media/presign/x'],
    ['GET', '/api/api/v1/posts'],
    ['GET', '/v1/posts/%00/nothing'],
    ['GET', '/%ff%fe'],
    ['GET', '/v1/a-very-long-path', 4_000],
  ])('gets 404 in the shape of our errors: %s %s', async (method, start, more = 0) => {
    const path = start + 'x'.repeat(more);
    const answer = await client.request(method, path);
    expect(expectRefusal(answer, 404).code).toBe('route_unknown');
    expect(answer.headers.get('x-request-id')).not.toBeNull();
  });
});

describe('all bad input together', () => {
  it('leaves no errors in the logs', () => {
    expect(cloud.functionLines.filter((line) => line.includes('"level":"ERROR"'))).toEqual([]);
  });
});
