import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { withTimesAhead } from '../../../lib/api-contract/openapi/example-times.ts';
import { examples } from '../../../lib/api-contract/openapi/examples/posts.ts';
import { ids, imageUrl } from '../../../lib/api-contract/openapi/examples/things.ts';
import { dayMs } from '../../../lib/kernel/clock.ts';
import type { Media } from '../../../lib/media/schemas.ts';
import { type Call, openApi } from '../../support/api.ts';
import { openWorkspace, referenceTo, storeAccount, storeMedia, storePost } from '../../support/builders.ts';

let call: Call;
let apiKey: string;
/** The workspace of the examples' story, as far as these requests need it. */
beforeAll(async () => {
  const api = await openApi();
  ({ call } = api);
  const opened = await openWorkspace(api.table);
  ({ apiKey } = opened);
  await storeAccount(api.table, opened.context.workspaceId, { id: ids.instagram });
});

const { validatePost, createPost, createPosts } = examples;

describe('the service answers an example of the document as the document says:', () => {
  const others: Readonly<Record<string, object>> = validatePost.otherResponses[200];

  it.each<[string, object, object | undefined]>([
    ['the prefilled request', validatePost.request, validatePost.responses[200]],
    ...Object.entries(validatePost.otherRequests).map(
      ([title, body]): [string, object, object | undefined] => [title, body, others[title]],
    ),
  ])('validatePost, %s', async (_title, body, response) => {
    expect(await call('validatePost', { apiKey, body })).toMatchObject({ status: 200, body: response });
  });

  it('createPost, the prefilled request', async () => {
    const { post, ...rest } = createPost.responses[201];
    const own = { _id: expect.any(String), id: expect.any(String) };
    const times = { createdAt: expect.any(String), updatedAt: expect.any(String) };
    const answer = await call('createPost', { apiKey, body: createPost.request });
    expect([answer.status, answer.body]).toEqual([201, { ...rest, post: { ...post, ...own, ...times } }]);
  });
});

it('the times of request examples are one to eight days ahead, on their weekday, whenever the document is served', () => {
  const paths = {
    '/v1/posts': { post: { requestBody: { content: { json: { example: createPost.otherRequests } } } } },
  };
  const { scheduledFor } = createPost.otherRequests['A scheduled post to two accounts'];
  const from = Date.parse('2001-01-01T00:00:00Z');
  const anyTime = fc.date({
    min: new Date(from),
    max: new Date('2100-01-01T00:00:00Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(anyTime, (at) => {
      const [moved = ''] =
        /(?<="scheduledFor":")[^"]+/.exec(JSON.stringify(withTimesAhead(paths, at.getTime()))) ?? [];
      expect(moved.slice(10)).toBe(scheduledFor.slice(10));
      const dayOf = (time: string) => Date.parse(time.slice(0, 10));
      expect(Math.abs(dayOf(moved) - dayOf(scheduledFor)) % (7 * dayMs)).toBe(0);
      const aheadDays = (dayOf(moved) - at.getTime()) / dayMs;
      expect(aheadDays >= 1 && aheadDays < 8).toBe(true);
    }),
  );
  expect(JSON.stringify(paths)).toContain(scheduledFor);
});

interface Served {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ServedOperation>>>>;
}
interface ServedOperation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, ServedContent>> };
}
interface ServedContent {
  readonly example?: object;
  readonly examples?: Readonly<Record<string, { readonly value: object }>>;
}

/** The examples of requests in the document that the service serves at this moment. */
async function servedRequests(ask: Call): Promise<{ id: string; title: string; body: object }[]> {
  const { paths } = (await ask('openapi')).body as unknown as Served;
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId: id, requestBody }) => {
      const { example, examples: named = {} } = requestBody?.content['application/json'] ?? {};
      return [
        ...(example ? [{ id, title: 'the example', body: example }] : []),
        ...Object.entries(named).map(([title, { value }]) => ({ id, title, body: value })),
      ];
    });
}

/** Ids and names for the paths of the requests: a post of the story, and things that do not exist. */
const path = {
  id: ids.post,
  accountId: ids.instagram,
  platform: 'threads',
  state: 'x'.repeat(43),
  boardId: '1',
  name: 'Winter',
};

/** Stores what the requests name: accounts, files and a draft. @returns the key of their workspace, and its id */
async function storeStory({ table }: Pick<Awaited<ReturnType<typeof openApi>>, 'table'>) {
  const opened = await openWorkspace(table, { now: Date.now() });
  const { workspaceId } = opened.context;
  const [first] = createPosts.request.posts;
  const accounts = [
    { id: ids.instagram },
    { id: ids.threads, platform: 'threads', platformAccountId: '2' },
    { id: first.platforms[0].accountId, platformAccountId: '3' },
  ] as const;
  for (const account of accounts) await storeAccount(table, workspaceId, account);
  const urls = [imageUrl, first.mediaItems[0].url].map((url) => new URL(url).pathname.split('/'));
  const media: Media[] = [];
  for (const [, , , id = '', filename = ''] of urls) {
    const contentType = filename.endsWith('.png') ? 'image/png' : 'image/jpeg';
    media.push(await storeMedia(table, workspaceId, { id, filename, contentType }));
  }
  const draft = { status: 'draft', wakeAt: undefined } as const;
  const targets = accounts.slice(0, 2).map(({ id }) => ({ ...draft, accountId: id }));
  await storePost(table, workspaceId, targets, {
    id: ids.post,
    status: 'draft',
    mediaItems: media.slice(0, 1).map(referenceTo),
  });
  return { apiKey: opened.apiKey, workspaceId };
}

/** The story's workspaces, one of which is in each address of a file. */
const workspaceInUrls = /(?<=\/media\/)[0-9a-f-]{36}(?=\/)/g;

/** Reserved names that resolve: IANA runs servers for example.com and its like, without subdomains (RFC 2606, iana.org/help/example-domains). */
const lookUp = async (hostname: string) => {
  if (/^example\.(com|net|org)$/.test(hostname)) return ['93.184.215.14'];
  throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
};

const days = [
  '2025-12-31T23:59:59Z',
  '2026-02-05T09:00:00Z',
  '2026-02-06T07:00:00Z',
  '2026-11-27T18:00:00Z',
  '2028-02-29T12:00:00Z',
  '2031-10-25T22:30:00Z',
];

describe('each request of the document works when it is tried', () => {
  afterEach(() => vi.useRealTimers());

  it.each(days)('on %s', async (day) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(day) });
    const api = await openApi({ lookUp });
    const outcomes: Record<string, number> = {};
    for (const { id, title, body } of await servedRequests(api.call)) {
      const { apiKey, workspaceId } = await storeStory(api);
      const own = JSON.parse(JSON.stringify(body).replace(workspaceInUrls, workspaceId));
      const answer = await api.call(id, { apiKey, path, body: own });
      const isAbout = answer.status < 300 ? '' : `: ${answer.text}`;
      expect([200, 201, 202, 404, 409], `${id}, ${title}${isAbout}`).toContain(answer.status);
      outcomes[id] = Math.max(outcomes[id] ?? 0, answer.status);
    }
    expect(outcomes).toMatchObject({
      createPost: 201,
      validatePost: 200,
      duplicatePost: 201,
      createPosts: 200,
      createWebhook: 201,
    });
  });
});
