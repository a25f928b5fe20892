import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, clientOf, readFixture, settled, until } from '../../journeys/support/client.ts';
import { type Received, type Receiver, startReceiver } from '../../lib/webhooks/receiver.ts';
import { startTestCloud, type TestCloud } from '../../support/local-cloud.ts';
import { type N8n, openWorkshop, publish, startN8n, type Workshop } from '../lib/n8n/host.ts';
import { type Recorder, startRecorder } from '../lib/n8n/recorder.ts';

let workshop: Workshop;
let published: string;
let cloud: TestCloud;
/** The service as n8n sees it. */
let service: Recorder;
let n8n: N8n;
let client: Client;
beforeAll(async () => {
  workshop = await openWorkshop('journeys');
  published = await publish(workshop);
  cloud = await startTestCloud();
  client = clientOf(cloud, cloud.demo);
  service = await startRecorder(cloud.apiUrl);
  n8n = await startN8n(workshop, published);
}, 600_000);
afterAll(async () => {
  n8n?.stop();
  service?.close();
  await cloud?.stop();
});

type Json = Record<string, unknown>;
interface Item {
  readonly json: Json;
  readonly pairedItem: { readonly item: number };
  readonly error?: Json;
}
interface Setting {
  readonly items?: readonly object[];
  /** Fields of the node itself. */
  readonly node?: object;
  readonly workflow?: object;
  readonly executionId?: string | null;
  readonly apiKey?: string;
  readonly url?: string;
}
let executions = 0;

const credentials = () => ({ url: service.url, apiKey: cloud.demo.apiKey });
const ran = new Set<string>();

/** Runs an operation of the node in an execution of its own. @throws Error with n8n's message if the node fails */
async function execute(
  resource: string,
  operation: string,
  parameters: object,
  {
    apiKey = cloud.demo.apiKey,
    url = service.url,
    executionId = String(++executions),
    ...setting
  }: Setting = {},
  process = n8n,
): Promise<Item[]> {
  ran.add(`${resource} ${operation}`);
  const { items, error } = await process.ask<{ items?: Item[]; error?: Json }>('execute', {
    ...setting,
    ...(executionId !== null && { executionId }),
    type: 'herald',
    credentials: { url, apiKey },
    parameters: { resource, operation, ...parameters },
  });
  if (error) throw Object.assign(new Error(String(error['message'])), error);
  return items ?? [];
}

/** Runs an operation that returns one item. */
async function executeOne(...call: Parameters<typeof execute>): Promise<Json> {
  const items = await execute(...call);
  expect(items).toHaveLength(1);
  return items[0]?.json ?? {};
}

const failure = (promise: Promise<unknown>): Promise<Json> =>
  promise.then(
    () => ({}),
    (error) => ({ message: error.message, description: error.description, httpCode: error.httpCode }),
  );

describe('the credential', () => {
  it.each(['', '/', '/v1', '/v1/'])('is tested with the address %j', async (end) => {
    const { url, apiKey } = credentials();
    expect(await n8n.ask('testCredential', { credentials: { url: `${url}${end}`, apiKey } })).toBe('passed');
  });

  it('fails its test if something else answers', async () => {
    const website = await startReceiver((response) => response.end('<html>200</html>'));
    const wrong = { ...credentials(), url: new URL(website.url).origin };
    expect(await n8n.ask('testCredential', { credentials: wrong })).toBe('There is no Herald at this URL');
    const { message } = await failure(
      n8n
        .ask('execute', {
          type: 'herald',
          executionId: '1',
          credentials: wrong,
          parameters: { resource: 'account', operation: 'getAll' },
        })
        .then((done) => {
          throw Object.assign(new Error(), (done as { error: Json }).error);
        }),
    );
    expect(message).toBe('There is no Herald at the URL of the credential');
    website.close();
  });

  it('may have been pasted with a line break', async () => {
    const { url, apiKey } = credentials();
    expect(await n8n.ask('testCredential', { credentials: { url, apiKey: `${apiKey}\n` } })).toBe('passed');
  });

  it('is sent to no other address, and a file neither', async () => {
    const other = await startReceiver((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{ "posts": [], "accounts": [] }'),
    );
    const redirecting = await startReceiver((response, request) => {
      if (request.url !== '/v1/media/presign') response.writeHead(301, { location: other.url }).end();
      else {
        const reply = { mediaId: 'm', publicUrl: 'p', contentType: 'image/jpeg', uploadUrl: redirecting.url };
        response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
      }
    });
    const { origin: url } = new URL(redirecting.url);
    const wrong = { ...credentials(), url };
    const file = { bytes: 'AAAA', mimeType: 'image/jpeg', fileName: 'a.jpg' };
    const options = { type: 'herald', method: 'getAccounts', credentials: wrong, parameters: {} };
    try {
      const redirects = { message: expect.stringContaining('redirects') };
      expect(await failure(execute('post', 'create', { content: 'a' }, { url }))).toMatchObject(redirects);
      expect(await failure(n8n.ask('loadOptions', options))).toMatchObject(redirects);
      expect(await failure(n8n.ask('testCredential', { credentials: wrong }))).toHaveProperty('message');
      const upload = execute('media', 'upload', {}, { url, items: [{ file }] });
      expect((await failure(upload))['message']).toContain('301');
      expect(other.received).toEqual([]);
    } finally {
      other.close();
      redirecting.close();
    }
  });

  it('is in no error, if nothing answers', async () => {
    const gone = await startReceiver();
    gone.close();
    const setting = { url: new URL(gone.url).origin, node: { onError: 'continueRegularOutput' } };
    const output = JSON.stringify(await execute('post', 'create', { content: 'a' }, setting));
    expect(output).toContain('error');
    expect(output).not.toContain(cloud.demo.apiKey);
  });

  it('fails its test with a wrong key', async () => {
    const wrong = { ...credentials(), apiKey: 'yay_wrong' };
    expect(await failure(n8n.ask('testCredential', { credentials: wrong }))).toMatchObject({
      httpCode: '401',
    });
  });
});

describe('the choice of accounts', () => {
  it.each(['herald', 'heraldTrigger'])('of %s has the accounts of the key by name', async (type) => {
    const setting = { type, method: 'getAccounts', credentials: credentials(), parameters: {} };
    const options = await n8n.ask<{ name: string; value: string }[]>('loadOptions', setting);
    expect(options).toHaveLength(cloud.demo.accounts.length);
    const threads = options.find(({ value }) => value === client.accountId('threads'));
    expect(threads?.name).toMatch(/ \(threads\)$/);
  });

  it('says in the words of the API why it has none', async () => {
    const wrong = { ...credentials(), apiKey: 'yay_wrong' };
    const setting = { type: 'herald', method: 'getAccounts', credentials: wrong, parameters: {} };
    const failed = await failure(n8n.ask('loadOptions', setting));
    expect(failed).toMatchObject({
      description: expect.stringContaining('/docs/errors/key_'),
      httpCode: '401',
    });
  });
});

describe('a post', () => {
  const account = () => client.accountId('threads');
  const create = (parameters: object, setting?: Setting) =>
    executeOne('post', 'create', { accounts: [account()], ...parameters }, setting);

  it('is a draft unless the user says when', async () => {
    const post = await create({ content: 'from n8n' });
    expect(post).toMatchObject({ content: 'from n8n', status: 'draft', warnings: [] });
    expect(post['platforms']).toMatchObject([{ accountId: account() }]);
  });

  it('is scheduled in the time zone of the workflow', async () => {
    const day = new Date(cloud.clock.now() + 86_400_000).toISOString().slice(0, 10);
    const parameters = { content: 'at noon', when: 'time', scheduledFor: `${day}T12:00:00` };
    const workflow = { settings: { timezone: 'Asia/Kolkata' } };
    expect(await create(parameters, { workflow })).toMatchObject({
      status: 'scheduled',
      scheduledFor: `${day}T06:30:00.000Z`,
      timezone: 'Asia/Kolkata',
    });
  });

  it('is a draft with the time that the user proposes', async () => {
    const scheduledFor = new Date(cloud.clock.now() + 86_400_000).toISOString();
    expect(await create({ content: 'proposed', scheduledFor })).toMatchObject({
      status: 'draft',
      scheduledFor,
    });
    expect(await create({ content: 'no time', scheduledFor: '' })).toMatchObject({
      status: 'draft',
      scheduledFor: null,
    });
  });

  it('takes the time of an expression', async () => {
    const scheduledFor = '={{ DateTime.fromMillis($json.ms) }}';
    const ms = Math.floor(cloud.clock.now() / 1000) * 1000 + 7_200_000;
    const post = await create(
      { content: 'later', when: 'time', scheduledFor },
      { items: [{ json: { ms } }] },
    );
    expect(post).toMatchObject({ status: 'scheduled', scheduledFor: new Date(ms).toISOString() });
  });

  it('is scheduled for the next free slot', async () => {
    expect(await create({ content: 'in a slot', when: 'auto' })).toMatchObject({ status: 'scheduled' });
  });

  it('goes live now, and is read with its link', async () => {
    const { id } = await create({ content: 'now', when: 'now' });
    await settled(client, String(id));
    const post = await executeOne('post', 'get', { postId: id });
    expect(post['platforms']).toMatchObject([{ status: 'published', permalink: expect.any(String) }]);
    expect(await executeOne('post', 'getMetrics', { postId: id })).toMatchObject({ postId: id });
    expect(await executeOne('post', 'getMetrics', { postId: id, options: { fresh: 'true' } })).toBeTruthy();
  });

  it('has media, options of its own for an account, and everything else that the form offers', async () => {
    const pinterest = client.accountId('pinterest');
    const [board] = await execute('account', 'getBoards', { accountId: pinterest });
    const imageUrl = await client.upload('image.jpg');
    const post = await create({
      content: 'with all',
      mediaUrls: ` ${imageUrl} ,`,
      additionalFields: {
        chain: '[]',
        coverUrl: imageUrl,
        destinations: {
          destination: [
            {
              accountId: pinterest,
              customContent: 'A pin',
              platformSpecificData: JSON.stringify({ boardId: board?.json['id'] }),
            },
          ],
        },
        externalId: 'order-1',
        externalIdUnique: true,
        metadata: '{ "order": "1" }',
        onQuota: 'fail',
        tags: 'launch, summer',
        timezone: 'Europe/Lisbon',
      },
    });
    expect(post).toMatchObject({
      mediaItems: [{ url: imageUrl }],
      platforms: [
        { accountId: account() },
        {
          accountId: pinterest,
          customContent: 'A pin',
          platformSpecificData: { boardId: board?.json['id'] },
        },
      ],
      externalId: 'order-1',
      metadata: { order: '1' },
      onQuota: 'fail',
      tags: ['launch', 'summer'],
      timezone: 'Europe/Lisbon',
      warnings: [],
    });
  });

  it('is changed, planned and deleted', async () => {
    const { id } = await create({ content: 'first' });
    const update = (updateFields: object) => executeOne('post', 'update', { postId: id, updateFields });
    expect(await update({ content: 'second', tags: '' })).toMatchObject({
      content: 'second',
      status: 'draft',
    });
    expect(await update({ when: 'auto' })).toMatchObject({ content: 'second', status: 'scheduled' });
    expect(await update({ when: 'draft' })).toMatchObject({ status: 'draft' });
    expect(await update({ when: 'planned' })).toMatchObject({ status: 'scheduled' });
    const day = new Date(cloud.clock.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    expect(await update({ scheduledFor: `${day}T08:00:00Z` })).toMatchObject({
      scheduledFor: `${day}T08:00:00.000Z`,
    });
    expect(await executeOne('post', 'delete', { postId: id })).toEqual({ ok: true });
    expect(await failure(executeOne('post', 'get', { postId: id }))).toMatchObject({ httpCode: '404' });
  });

  it('is validated without being stored', async () => {
    const parameters = { accounts: [account()], content: 'x'.repeat(501), when: 'now' };
    expect(await executeOne('post', 'validate', parameters)).toMatchObject({
      valid: false,
      problems: [{ field: 'content', code: 'content_too_long' }],
    });
  });

  it('is retried', async () => {
    const { id } = await create({ content: 'nothing has failed' });
    // The words of the API, which n8n would replace by general ones.
    expect(await failure(executeOne('post', 'retry', { postId: id }))).toMatchObject({
      message: expect.stringMatching(/failed/),
      description: expect.stringContaining('/docs/errors/'),
      httpCode: '409',
    });
  });

  it('says in the words of the API why it is refused', async () => {
    const parameters = { content: 'x'.repeat(501), when: 'now' };
    expect(await failure(create(parameters))).toEqual({
      message: expect.stringContaining('Threads allows at most 500 characters'),
      description: expect.stringMatching(/^content_too_long: http/),
      httpCode: '400',
    });
  });

  // n8n leaves a field without a value out of the request, so that the post would go live without its picture.
  it.each([
    [{ mediaUrls: '={{ $json.none }}' }, 'The expression of "mediaUrls" found nothing'],
    [{ scheduledFor: '={{ $json.none }}', when: 'time' }, 'The expression of "scheduledFor" found nothing'],
    [{ additionalFields: { tags: '={{ $json.none }}' } }, 'additionalFields.tags'],
    [{ additionalFields: { mediaItems: '[{ "url": ' } }, '"mediaItems" is not valid JSON'],
    [
      {
        additionalFields: {
          destinations: { destination: [{ accountId: 'a', platformSpecificData: '{ "boardId": ' }] },
        },
      },
      '"Platform Options" is not valid JSON',
    ],
    [{ when: 'tomorrow' }, 'There is no time "tomorrow"'],
    [{ when: 'time', scheduledFor: '={{ DateTime.fromISO("soon") }}' }, 'is not a time'],
    [{ when: 'time', scheduledFor: "={{ '' }}" }, 'is not a time'],
  ])('with %j is not sent', async (parameters, message) => {
    const before = service.requests.length;
    const failed = await failure(create({ content: 'with a mistake', ...parameters }));
    expect(failed['message']).toContain(message);
    expect(service.requests).toHaveLength(before);
  });

  it('takes numbers for texts, and arrays and texts for lists, from expressions', async () => {
    const items = [{ json: { n: 12, ids: [account()], tags: ['a', 'b'] } }];
    const parameters = {
      accounts: '={{ $json.ids }}',
      content: '={{ $json.n }}',
      additionalFields: { externalId: '={{ $json.n }}', tags: '={{ $json.tags }}', mediaItems: '={{ [] }}' },
    };
    expect(await create(parameters, { items })).toMatchObject({
      content: '12',
      externalId: '12',
      tags: ['a', 'b'],
    });
    const separated = {
      accounts: `={{ "${account()}, ${client.accountId('facebook')}" }}`,
      content: 'to two',
    };
    expect((await create(separated))['platforms']).toHaveLength(2);
  });

  /** The body of a request to validate a post. */
  async function sentFor(parameters: object): Promise<unknown> {
    await execute('post', 'validate', { accounts: [account()], content: 'a', ...parameters });
    return service.requests.at(-1)?.body;
  }

  it('keeps its time if a change has none', async () => {
    const scheduledFor = new Date(cloud.clock.now() + 86_400_000).toISOString();
    const { id } = await create({ content: 'timed', when: 'time', scheduledFor });
    for (const none of ["={{ '' }}", '={{ DateTime.fromISO("soon") }}'])
      expect(
        await failure(execute('post', 'update', { postId: id, updateFields: { scheduledFor: none } })),
      ).toMatchObject({ message: expect.stringContaining('is not a time') });
    expect(await executeOne('post', 'get', { postId: id })).toMatchObject({
      status: 'scheduled',
      scheduledFor,
    });
  });

  it('may have media at addresses with commas, and lists as JSON', async () => {
    const [one, two] = ['https://cdn.example.com/w_400,h_400/a.jpg', 'https://cdn.example.com/b.jpg'];
    const mediaItems = [{ url: one }, { url: two }];
    expect(await sentFor({ mediaUrls: `${one},${two}` })).toMatchObject({ mediaItems });
    expect(await sentFor({ mediaUrls: `${one} ,\n ${two}, ` })).toMatchObject({ mediaItems });
    expect(await sentFor({ mediaUrls: JSON.stringify([one, two]) })).toMatchObject({ mediaItems });
    const accounts = `={{ ${JSON.stringify(JSON.stringify([account()]))} }}`;
    const additionalFields = { tags: '["a", "b"]' };
    expect(await sentFor({ accounts, additionalFields })).toMatchObject({
      platforms: [{ accountId: account() }],
      tags: ['a', 'b'],
    });
  });

  it('has the media items instead of the media URLs, if it has both', async () => {
    const url = 'https://cdn.example.com/a.jpg';
    const mediaItems = '={{ [{ url: "https://cdn.example.com/b.jpg", altText: "B" }] }}';
    expect(
      await sentFor({ mediaUrls: `={{ ["${url}", "${url}"] }}`, additionalFields: { mediaItems } }),
    ).toMatchObject({ mediaItems: [{ url: 'https://cdn.example.com/b.jpg', altText: 'B' }] });
  });

  it('may lack what an expression leaves empty', async () => {
    const names = ['chain', 'coverUrl', 'externalId', 'mediaItems', 'metadata', 'tags', 'timezone'];
    const empty = Object.fromEntries(names.map((name) => [name, "={{ '' }}"]));
    const post = await create({ content: 'bare', mediaUrls: "={{ '' }}", additionalFields: empty });
    expect(post).toMatchObject({ content: 'bare', mediaItems: [], externalId: null, warnings: [] });
    const updateFields = { ...empty, content: 'still bare' };
    expect(await executeOne('post', 'update', { postId: post['id'], updateFields })).toMatchObject({
      content: 'still bare',
    });
  });

  it('that is refused is an item with an error, if the node continues on errors', async () => {
    const texts = ['short', 'x'.repeat(501)];
    const parameters = { accounts: [account()], content: '={{ $json.text }}', when: 'now' };
    const items = texts.map((text) => ({ json: { text } }));
    const node = { onError: 'continueRegularOutput' };
    const [good, bad] = await execute('post', 'create', parameters, { items, node });
    expect(good?.json).toMatchObject({ content: 'short' });
    expect(JSON.stringify(bad)).toContain('Threads allows at most 500 characters');
  });

  it('is created once although a reply is lost and n8n tries again', async () => {
    const before = service.requests.length;
    service.loseNextReply();
    const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };
    const text = '={{ "now is " + Date.now() + Math.random() }}';
    const { id, content } = await create({ content: text, when: 'draft' }, { node });
    const sent = service.requests.slice(before);
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /v1/posts', 'POST /v1/posts']);
    const [first, second] = sent.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^n8n-[0-9a-f]{64}$/);
    expect(second).toBe(first);
    // The post of the first request.
    expect({ content }).toMatchObject({ content: (sent[0]?.body as Json | undefined)?.['content'] });
    const found = await until(
      () => client.expectStatus(200, 'GET', '/v1/posts?search=now%20is'),
      (answer) => (answer.json() as { posts: unknown[] }).posts.length > 0,
    );
    expect((found.json() as { posts: Json[] }).posts.map((post) => post['id'])).toEqual([id]);
  });

  it.each([
    ['of two items', {}, { items: [{ json: {} }, { json: {} }] }],
    [
      'of two calls of an agent',
      { content: '={{ $json.n }}' },
      { items: [{ json: { n: 1 } }], node: { type: 'n8n-nodes-herald.heraldTool' } },
    ],
  ])('has an idempotency key of its own in each %s', async (_what, parameters, setting) => {
    const before = service.requests.length;
    const all = { accounts: [account()], content: 'the same', ...parameters };
    await execute('post', 'create', all, { ...setting, executionId: 'one' });
    await execute(
      'post',
      'create',
      { ...all, content: 'other' },
      { ...setting, executionId: 'node' in setting ? 'one' : 'two' },
    );
    const keys = service.requests.slice(before).map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.length).toBeGreaterThan(1);
  });

  it('has an idempotency key of its own if an agent retries several', async () => {
    const before = service.requests.length;
    const tool = { node: { type: 'n8n-nodes-herald.heraldTool' }, executionId: 'retries' };
    for (const postId of ['one', 'two']) await failure(execute('post', 'retry', { postId }, tool));
    const [one, two] = service.requests.slice(before).map(({ headers }) => headers['idempotency-key']);
    expect(one).toMatch(/^n8n-/);
    expect(two).not.toBe(one);
  });

  it('is sought in a period of the time zone of the workflow', async () => {
    const workflow = { settings: { timezone: 'Asia/Kolkata' } };
    const filters = { from: '2026-03-01T00:00:00', to: '={{ DateTime.fromISO("2026-03-02") }}' };
    await execute('post', 'getAll', { filters }, { workflow });
    const { query } = service.requests.at(-1) ?? {};
    expect(query?.get('from')).toBe('2026-03-01T00:00:00.000+05:30');
    expect(query?.get('to')).toBe('2026-03-02T00:00:00.000+05:30');
  });

  it.each([
    ['post', { externalId: "={{ '' }}" }],
    ['post', { accountExternalId: '' }],
    ['post', { search: '' }],
    ['post', { tags: '' }],
    ['post', { accounts: [] }],
    ['post', { status: [] }],
    ['post', { platform: [] }],
    ['post', { from: '' }],
    ['account', { externalId: '' }],
    ['automation', { accountId: '' }],
    ['event', { types: [] }],
    ['event', { accountId: '' }],
  ])(
    'or other %s is not sought with the empty filter %j, as if there were none',
    async (resource, filters) => {
      const failed = await failure(execute(resource, 'getAll', { filters }));
      expect(failed['message']).toEqual(expect.any(String));
    },
  );

  it('is sought by the lists of an expression', async () => {
    const filters = {
      tags: "={{ ['a', 'b'] }}",
      accounts: `={{ ["${account()}"] }}`,
      status: ['draft', 'failed'],
    };
    await execute('post', 'getAll', { filters });
    const { query = new URLSearchParams() } = service.requests.at(-1) ?? {};
    const { limit: _ofPage, ...sought } = Object.fromEntries(query);
    expect(sought).toEqual({ tags: 'a,b', accountId: account(), status: 'draft,failed' });
  });

  it('has the idempotency key of the user, and none if n8n does not say which execution it is', async () => {
    const key = () => service.requests.at(-1)?.headers['idempotency-key'];
    await create({ content: 'own key', additionalFields: { idempotencyKey: 'order-2' } });
    expect(key()).toBe('order-2');
    expect(
      await create({ content: 'changed', additionalFields: { idempotencyKey: 'order-2' } }),
    ).toMatchObject({
      content: 'own key',
      idempotencyMismatch: true,
    });
    await create({ content: 'no execution' }, { executionId: null });
    expect(key()).toBeUndefined();
  });

  it('is found with filters, and lists are read over pages up to the limit', async () => {
    const posts = [...Array(65).keys()].map((n) => ({
      content: `one of many ${n}`,
      platforms: [{ accountId: client.accountId('linkedin') }],
      isDraft: true,
    }));
    for (const _twice of [1, 2]) await client.expectStatus(200, 'POST', '/v1/posts/bulk', { posts });
    const list = (parameters: object) => execute('post', 'getAll', parameters);
    const filters = { accounts: [client.accountId('linkedin')], status: ['draft'], platform: ['linkedin'] };
    const before = service.requests.length;
    await until(
      () => list({ returnAll: true, filters }),
      ({ length }) => length === 130,
    );
    expect(service.requests.length).toBeGreaterThan(before + 1);
    expect(await list({ limit: 101, filters })).toHaveLength(101);
    expect(await list({ filters: { externalId: 'order-1' } })).toHaveLength(1);
    const day = new Date(cloud.clock.now()).toISOString().slice(0, 10);
    expect(
      await list({ filters: { from: `${day}T00:00:00`, to: `${day}T00:00:01`, sort: 'scheduledFor' } }),
    ).toEqual([]);
    for (const more of [
      { search: 'summer' },
      { tags: 'launch' },
      { approval: 'waiting' },
      { atRisk: 'true' },
      { attention: 'true' },
      { accountExternalId: 'nobody' },
    ])
      await list({ filters: more });
  });
});

describe('an account', () => {
  it('knows from which item of the input it comes', async () => {
    const platforms = ['tiktok', 'threads'];
    const items = platforms.map((platform) => ({ json: { platform } }));
    const filters = { platform: '={{ $json.platform }}' };
    const accounts = await execute('account', 'getAll', { returnAll: true, filters }, { items });
    expect(accounts.length).toBeGreaterThanOrEqual(2);
    for (const { json, pairedItem } of accounts) expect(json['platform']).toBe(platforms[pairedItem.item]);
  });

  it('is listed and read', async () => {
    const accounts = await execute('account', 'getAll', { returnAll: true });
    expect(accounts).toHaveLength(cloud.demo.accounts.length);
    const filters = { platform: 'tiktok', externalId: 'nobody' };
    expect(await execute('account', 'getAll', { filters })).toEqual([]);
    const accountId = client.accountId('tiktok');
    expect(await executeOne('account', 'get', { accountId })).toMatchObject({
      id: accountId,
      platform: 'tiktok',
    });
  });
});

describe('a media file', () => {
  const { bytes, contentType } = readFixture('image.jpg');
  const file = { bytes: bytes.toString('base64'), mimeType: contentType, fileName: 'n8n.jpg' };

  async function expectReady(mediaId: unknown): Promise<void> {
    const media = await until(
      () => executeOne('media', 'get', { mediaId }),
      ({ status }) => status !== 'pending' && status !== 'uploading',
    );
    expect(media).toMatchObject({ status: 'ready', sizeBytes: bytes.length });
  }

  it('of an item is uploaded', async () => {
    const uploaded = await executeOne('media', 'upload', {}, { items: [{ file }] });
    expect(uploaded).toEqual({ mediaId: expect.any(String), publicUrl: expect.any(String), contentType });
    await expectReady(uploaded['mediaId']);
  });

  it.each([
    ['is known by the name that the user gives it', { mimeType: 'application/octet-stream' }, 'photo.jpg'],
    ['is known by its type if its name has no ending', { fileName: 'download' }, ''],
    ['needs no name', { fileName: undefined }, ''],
  ])('%s', async (_what, change, filename) => {
    const items = [{ file: { ...file, ...change } }];
    expect(await executeOne('media', 'upload', { filename }, { items })).toMatchObject({ contentType });
  });

  it('that n8n keeps on disk is sent from there', async () => {
    const onDisk = await startN8n(workshop, published, {
      N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
      // The other engine for expressions.
      N8N_EXPRESSION_ENGINE: 'legacy',
    });
    try {
      const { mediaId } = await executeOne('media', 'upload', {}, { items: [{ file }] }, onDisk);
      await expectReady(mediaId);
    } finally {
      onDisk.stop();
    }
  });

  it('that is missing in the item is named', async () => {
    const { message } = await failure(execute('media', 'upload', { binaryPropertyName: 'photo' }));
    expect(message).toContain('photo');
  });

  it('is imported from an address', async () => {
    const url = 'https://files.example.com/picture.jpg';
    expect(await executeOne('media', 'import', { url })).toMatchObject({ filename: 'picture.jpg' });
  });
});

describe('a comment automation', () => {
  it('is created, listed and turned off', async () => {
    const accountId = client.accountId('instagram');
    const additionalFields = {
      name: 'from n8n',
      keywords: 'price, cost',
      matchMode: 'word',
      commentReply: 'See your messages',
      dmMessage: 'Here: https://example.com',
    };
    const every = { accountId, appliesTo: 'every_post', additionalFields };
    const { id } = await executeOne('automation', 'create', every);
    const post = await client.createPost({
      content: 'ask for the price',
      mediaItems: [{ url: await client.upload('image.jpg') }],
      platforms: [{ accountId }],
      publishNow: true,
    });
    const [live] = (await settled(client, post.id)).platforms;
    const one = { accountId, appliesTo: 'post', platformPostId: live?.platformPostId, additionalFields };
    await executeOne('automation', 'create', one);
    expect(await execute('automation', 'getAll', { filters: { accountId } })).toHaveLength(2);
    const updateFields = { isActive: false, keywords: 'price' };
    const updated = await executeOne('automation', 'update', { automationId: id, updateFields });
    expect(updated).toMatchObject({ isActive: false, keywords: ['price'], name: 'from n8n' });
  });
});

describe('the trigger', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  let staticData: Json = {};
  const setting = (parameters: object = {}) => ({
    type: 'heraldTrigger',
    credentials: credentials(),
    parameters: { events: ['post.published'], ...parameters },
    webhookBaseUrl: `${new URL(receiver.url).origin}/webhook`,
    staticData,
  });
  async function hook(
    method: string,
    { isTest = false, ...parameters }: { isTest?: boolean; events?: string[]; accounts?: string[] } = {},
  ): Promise<unknown> {
    const done = await n8n.ask<{ result: boolean; staticData: Json }>('hook', {
      ...setting(parameters),
      method,
      isTest,
    });
    if (!isTest) staticData = done.staticData;
    return isTest ? done : done.result;
  }
  const endpoints = async () =>
    ((await client.expectStatus(200, 'GET', '/v1/webhooks')).json() as { webhooks: Json[] }).webhooks;

  /** Gives the trigger what has arrived. */
  const give = (
    { body, headers }: Pick<Received, 'headers'> & { body: Buffer | undefined },
    more: object = {},
  ) =>
    n8n.ask<{ answer: { status?: number }; items?: Json[]; noWebhookResponse?: boolean }>('webhook', {
      ...setting(),
      headers,
      rawBody: body?.toString('base64'),
      ...more,
    });

  async function nextDelivery(): Promise<Received> {
    const before = receiver.received.length;
    await client.createPost({
      content: 'for the trigger',
      platforms: [{ accountId: client.accountId('threads') }],
      publishNow: true,
    });
    const [delivery] = await until(
      () => receiver.received.slice(before),
      ({ length }) => length > 0,
    );
    if (delivery === undefined) throw new Error('nothing has arrived');
    return delivery;
  }

  it('registers its webhook when the workflow is activated', async () => {
    expect(await hook('checkExists')).toBe(false);
    expect(await hook('create')).toBe(true);
    expect(staticData).toEqual({ id: expect.any(String), secret: expect.stringMatching(/^whsec_/) });
    expect(await endpoints()).toMatchObject([
      { id: staticData['id'], events: ['post.published'], accountIds: null, description: 'n8n: A workflow' },
    ]);
    expect(await hook('checkExists')).toBe(true);
  });

  it('starts the workflow with an event that Herald has signed, and does so again if it arrives twice', async () => {
    const delivery = await nextDelivery();
    const event = JSON.parse(delivery.body.toString());
    for (const _twice of [1, 2]) {
      const { answer, items, noWebhookResponse } = await give(delivery);
      expect(items).toEqual([event]);
      expect({ answer, noWebhookResponse }).toEqual({ answer: {} });
    }
    expect(event).toMatchObject({ id: delivery.headers['x-service-event-id'], type: 'post.published' });
  });

  it('does not start an active workflow with the test event of an endpoint', async () => {
    const body = Buffer.from(JSON.stringify({ id: 'e', type: 'webhook.test', createdAt: '', data: {} }));
    const t = Math.floor(Date.now() / 1000);
    const v1 = createHmac('sha256', String(staticData['secret'])).update(`${t}.`).update(body).digest('hex');
    const delivery = { body, headers: { 'x-service-signature': `t=${t},v1=${v1}` } };
    // n8n answers with 200.
    expect(await give(delivery)).toEqual({ answer: {} });
    expect((await give(delivery, { isTest: true })).items).toHaveLength(1);
  });

  it('answers 401 to anything else', async () => {
    const { body, headers } = await nextDelivery();
    const signed = (secret: string, time: number) => {
      const v1 = createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex');
      return { ...headers, 'x-service-signature': `t=${time},v1=${v1}` };
    };
    const secret = String(staticData['secret']);
    const now = Math.floor(Date.now() / 1000);
    expect((await give({ body, headers: signed(secret, now) })).items).toHaveLength(1);
    const { 'x-service-signature': _without, ...unsigned } = headers;
    const forgeries = [
      { body: Buffer.from(body.toString().replace('post.published', 'post.failed')), headers },
      { body, headers: signed('whsec_of_somebody_else', now) },
      { body, headers: signed(secret, now - 301) },
      { body, headers: signed('', now) },
      { body, headers: unsigned },
      { body, headers: { ...headers, 'x-service-signature': 't=,v1=' } },
      { body, headers: { ...headers, 'x-service-signature': 'junk' } },
      { body: Buffer.from('junk'), headers },
      { body: Buffer.alloc(0), headers: {} },
      { body: undefined, headers },
    ];
    for (const forgery of forgeries) {
      const { answer, items, noWebhookResponse } = await give(forgery);
      expect({ status: answer.status, items, noWebhookResponse }).toEqual({
        status: 401,
        noWebhookResponse: true,
      });
    }
    const afterDeactivation = await give({ body, headers: signed('', now) }, { staticData: {} });
    expect(afterDeactivation.answer).toMatchObject({ status: 401 });
  });

  it('follows a change of its parameters when n8n starts again', async () => {
    const accounts = [client.accountId('threads')];
    expect(await hook('checkExists', { events: ['*'], accounts })).toBe(true);
    expect(await endpoints()).toMatchObject([{ events: ['*'], accountIds: accounts, isActive: true }]);
  });

  it('is tested beside the active workflow, at an address of its own', async () => {
    expect(await hook('checkExists', { isTest: true })).toMatchObject({ result: false });
    const { staticData: ofTest } = (await hook('create', { isTest: true })) as { staticData: Json };
    expect(await endpoints()).toHaveLength(2);
    const end = { ...setting(), staticData: ofTest, method: 'delete', isTest: true };
    await n8n.ask('hook', end);
    expect(await endpoints()).toMatchObject([{ id: staticData['id'] }]);
  });

  it('registers anew if n8n has lost its data, or the endpoint is gone', async () => {
    const { id } = staticData;
    staticData = {};
    expect(await hook('checkExists')).toBe(false);
    expect(await hook('create')).toBe(true);
    expect(staticData['id']).not.toBe(id);
    expect(await endpoints()).toMatchObject([{ id: staticData['id'] }]);

    await client.expectStatus(200, 'DELETE', `/v1/webhooks/${staticData['id']}`);
    expect(await hook('checkExists')).toBe(false);
    expect(await hook('create')).toBe(true);
  });

  it('removes its webhook when the workflow is deactivated, even if it is gone', async () => {
    expect(await hook('delete')).toBe(true);
    expect(staticData).toEqual({});
    expect(await endpoints()).toEqual([]);
    expect(await hook('delete')).toBe(true);
  });

  it('says in the words of the API why an activation fails', async () => {
    const wrong = { ...setting(), webhookBaseUrl: 'http://n8n.example.com/webhook', method: 'create' };
    expect(await failure(n8n.ask('hook', wrong))).toMatchObject({
      message: expect.stringMatching(/https/),
      httpCode: '400',
    });
  });
});

describe('the event feed', () => {
  it('is read from where it ended', async () => {
    const list = (parameters: object) => execute('event', 'getAll', parameters);
    const all = await list({ returnAll: true });
    expect(all.length).toBeGreaterThan(2);
    const [first] = await list({ limit: 1 });
    expect(first?.json).toMatchObject({ id: all[0]?.json['id'], nextCursor: expect.any(String) });
    const after = String(first?.json['nextCursor']);
    const [second] = await list({ limit: 1, filters: { after } });
    expect(second?.json['id']).toBe(all[1]?.json['id']);
    const filters = { types: ['post.published'], accountId: client.accountId('threads') };
    const published = await list({ returnAll: true, filters });
    expect(new Set(published.map(({ json }) => json['type']))).toEqual(new Set(['post.published']));
  });
});

describe('all requests of the node', () => {
  it('were made by all of its operations, and are as the document describes', async () => {
    const operations = await n8n.ask<string[]>('operations');
    expect([...ran].sort()).toEqual([...operations].sort());
    const document = (await client.expectStatus(200, 'GET', '/v1/openapi.json')).json() as Json;
    expect(service.undocumented(document)).toEqual([]);
    expect(service.requests.length).toBeGreaterThan(60);
  });
});
