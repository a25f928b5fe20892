import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { methodsOf } from '../../../lib/client/client.ts';
import { HeraldError } from '../../../lib/client/errors.ts';
import { type Answer, apiKey, operations, refusal, type Seen, serviceOf } from './service.ts';

const ok: Answer = { status: 200, body: { ok: true } };

async function readAll(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const read: unknown[] = [];
  for await (const item of items) read.push(item);
  return read;
}

describe('a request', () => {
  it('has the key, the path, and the input in its place', async () => {
    const { methods, seen } = serviceOf([ok]);
    await methods.getPost('post-1');
    await methods.listPosts({ status: 'failed,partial', attention: true, limit: 5, search: undefined });
    await methods.listPosts();
    await methods.resolveTarget('post-1', 'account-1', { outcome: 'live', permalink: undefined });
    expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', 'https://api.example.com/v1/posts/post-1', undefined],
      ['GET', 'https://api.example.com/v1/posts?status=failed%2Cpartial&attention=true&limit=5', undefined],
      ['GET', 'https://api.example.com/v1/posts', undefined],
      ['POST', 'https://api.example.com/v1/posts/post-1/targets/account-1/resolve', '{"outcome":"live"}'],
    ]);
    for (const { headers } of seen) expect(headers.get('Authorization')).toBe(`Bearer ${apiKey}`);
    // A redirect would turn POST into GET.
    for (const { redirect } of seen) expect(redirect).toBe('manual');
    expect(seen.map(({ headers }) => headers.get('Content-Type'))).toEqual([
      null,
      null,
      null,
      'application/json',
    ]);
  });

  it('keeps any id within its part of the path', async () => {
    const { methods, seen } = serviceOf([ok]);
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1, unit: 'grapheme' }), async (id) => {
        await methods.getPost(id).catch((error: Error) => expect(error).toBeInstanceOf(TypeError));
        const { pathname, search, hash } = new URL(seen.at(-1)?.url ?? 'https://x/v1/posts/x');
        return /^\/v1\/posts\/[^/]+$/.test(pathname) && search === '' && hash === '';
      }),
      { seed: 1, numRuns: 200, examples: [['../workspace'], ['a?b#c'], ['%2e%2e']] },
    );
  });

  it.each([undefined, null, '', '.', '..', 5, {}])('is not sent with %s as an id', async (id) => {
    const { methods, seen } = serviceOf([ok]);
    await expect(methods.getPost(id)).rejects.toThrow(
      TypeError('getPost: id is not a text that can be part of a path'),
    );
    await expect(methods.resolveTarget('post-1', id, {})).rejects.toThrow('resolveTarget: accountId');
    expect(seen).toEqual([]);
  });

  it('is not sent with an idempotency key that no header can have', async () => {
    const { methods, seen } = serviceOf([ok]);
    await expect(methods.createPost({}, { idempotencyKey: 'a\nb' })).rejects.toThrow(TypeError);
    expect(seen).toEqual([]);
  });

  it.each(['https://api.example.com', 'https://api.example.com/', 'https://api.example.com//'])(
    'goes to the address %s',
    async (baseUrl) => {
      const { methods, seen } = serviceOf([ok], { baseUrl });
      await methods.getPost('post-1');
      expect(seen[0]?.url).toBe('https://api.example.com/v1/posts/post-1');
    },
  );

  it('goes below the path of the address', async () => {
    const { methods, seen } = serviceOf([ok], { baseUrl: 'http://localhost:4566/stage/' });
    await methods.getPost('post-1');
    expect(seen[0]?.url).toBe('http://localhost:4566/stage/v1/posts/post-1');
  });
});

describe('options', () => {
  const make = (options: object) => () =>
    methodsOf(operations, { baseUrl: 'https://api.example.com', apiKey, ...options });

  it.each([undefined, null, '', 'yay_1\n', ' yay_1', 'yay_ü', 5])('refuse %j as a key', (key) => {
    expect(make({ apiKey: key })).toThrow(/^apiKey: /);
  });

  it.each([
    undefined,
    '',
    'api.example.com',
    'ftp://api.example.com',
    'https://user:password@api.example.com',
    'https://api.example.com?key=secret',
    'https://api.example.com#secret',
  ])('refuse %j as an address', (baseUrl) => {
    expect(make({ baseUrl })).toThrow(/^baseUrl: /);
  });

  it('that are wrong are not repeated in the error', () => {
    for (const options of [{ apiKey: 'yay_secret\n' }, { baseUrl: 'https://user:secret@api.example.com' }])
      expect(make(options)).toThrow(expect.not.stringContaining('secret'));
  });
});

describe('a list', () => {
  const pages = (field: string, ...each: (readonly unknown[])[]) =>
    each.map((items, index) => ({
      status: 200,
      body: { [field]: items, nextCursor: index + 1 < each.length ? `c${index + 1}` : null },
    }));
  const queries = (seen: readonly Seen[]) => seen.map(({ url }) => new URL(url).search);

  it('is read across short and empty pages, with the same filters', async () => {
    const { methods, seen } = serviceOf(pages('posts', [1, 2], [], [3], [], []));
    expect(await readAll(methods.listPosts.all({ status: 'failed' }))).toEqual([1, 2, 3]);
    expect(queries(seen)).toEqual([
      '?status=failed',
      ...['c1', 'c2', 'c3', 'c4'].map((cursor) => `?status=failed&cursor=${cursor}`),
    ]);
  });

  it('is read page by page', async () => {
    const { methods } = serviceOf(pages('posts', [1], [], [2]));
    expect(await readAll(methods.listPosts.pages())).toEqual([
      { posts: [1], nextCursor: 'c1' },
      { posts: [], nextCursor: 'c2' },
      { posts: [2], nextCursor: null },
    ]);
  });

  it('begins at a cursor, and takes ids of the path', async () => {
    const { methods, seen } = serviceOf(pages('posts', [1], [2]));
    expect(await readAll(methods.listMediaPosts.all('media-1', { cursor: 'c0' }))).toEqual([1, 2]);
    expect(seen.map(({ url }) => url.slice('https://api.example.com'.length))).toEqual([
      '/v1/media/media-1/posts?cursor=c0',
      '/v1/media/media-1/posts?cursor=c1',
    ]);
  });

  it('is read no further than the caller goes', async () => {
    const { methods, seen } = serviceOf(pages('posts', [1, 2], [3]));
    for await (const post of methods.listPosts.all()) if (post === 2) break;
    expect(seen).toHaveLength(1);
  });

  it('repeats a page that fails, and throws what lasts', async () => {
    const [first, second] = pages('posts', [1], [2]) as [Answer, Answer];
    const once = serviceOf([first, refusal(503, 'unavailable'), second]);
    expect(await readAll(once.methods.listPosts.all())).toEqual([1, 2]);
    const forever = serviceOf([first, refusal(403, 'permission_missing')]);
    const read: unknown[] = [];
    const result = (async () => {
      for await (const post of forever.methods.listPosts.all()) read.push(post);
    })();
    await expect(result).rejects.toMatchObject({ code: 'permission_missing' });
    expect(read).toEqual([1]);
  });

  it('of events ends when no more are there, although it always has a cursor', async () => {
    const page = (events: readonly number[], nextCursor: string, hasMore: boolean) => ({
      status: 200,
      body: { events, nextCursor, hasMore },
    });
    const { methods, seen } = serviceOf([
      page([1], 'e1', true),
      page([], 'e2', true),
      page([2], 'e3', false),
    ]);
    expect(await readAll(methods.listEvents.all({ after: 'e0', types: 'post.failed' }))).toEqual([1, 2]);
    expect(queries(seen)).toEqual(['e0', 'e1', 'e2'].map((after) => `?after=${after}&types=post.failed`));
  });

  it('passes its signal to each page', async () => {
    const { methods, seen } = serviceOf(pages('posts', [1], [2]));
    const controller = new AbortController();
    const result = (async () => {
      for await (const _ of methods.listPosts.all({}, { signal: controller.signal }))
        controller.abort(new Error('stop'));
    })();
    await expect(result).rejects.toThrow('stop');
    expect(seen).toHaveLength(1);
  });
});

describe('an error', () => {
  const failureOf = async (answer: Answer): Promise<HeraldError> => {
    const { methods } = serviceOf([answer], { maxAttempts: 1 });
    const error = await methods.createPost({ content: 'x' }).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(HeraldError);
    return error;
  };

  it('has what the API says', async () => {
    const problems = [{ param: 'content', code: 'content_too_long', message: 'too long' }];
    const error = await failureOf(
      refusal(400, 'content_too_long', { param: 'content', details: { fields: {}, problems } }),
    );
    expect({ ...error }).toEqual({
      name: 'HeraldError',
      status: 400,
      code: 'content_too_long',
      param: 'content',
      docUrl: 'https://api.example.com/docs/errors/content_too_long',
      requestId: 'request-1',
      problems,
      retryAfterSeconds: undefined,
      body: expect.objectContaining({ code: 'content_too_long' }),
    });
    expect(error.message).toBe('text of content_too_long');
    expect(error).toBeInstanceOf(Error);
  });

  it('keeps the fields that only some codes have', async () => {
    const error = await failureOf(refusal(410, 'events_expired', { oldestCursor: 'e7' }));
    expect(error.body['oldestCursor']).toBe('e7');
  });

  it.each<[string, Answer, object]>([
    [
      'of API Gateway',
      { status: 413, body: { message: 'Request Too Long' } },
      { status: 413, code: 'http_413', message: 'createPost: Request Too Long (status 413)' },
    ],
    [
      'of a proxy',
      { status: 502, body: '<html>' },
      { status: 502, code: 'http_502', message: 'createPost: refused without a reason (status 502)' },
    ],
    ['in JSON of another form', { status: 400, body: '[1]' }, { code: 'http_400', problems: [] }],
    ['with null', { status: 400, body: 'null' }, { code: 'http_400', requestId: undefined }],
    [
      'with other types',
      { status: 400, body: { code: 5, error: {} } },
      { code: 'http_400', param: undefined },
    ],
    [
      'that is a redirect',
      { status: 307, headers: { Location: 'https://other.example.com' } },
      { status: 307, code: 'http_307' },
    ],
    [
      'of an answer that is not JSON',
      { status: 200, body: '<html>' },
      { status: undefined, code: 'unreadable_answer', message: 'createPost: the answer is not JSON' },
    ],
    [
      'of a lost connection',
      new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') }),
      {
        status: undefined,
        code: 'connection_failed',
        message: 'createPost: no answer: connect ECONNREFUSED 127.0.0.1:1',
      },
    ],
    [
      'of a connection that fails without a text',
      new TypeError('fetch failed', { cause: Object.assign(new Error(''), { code: 'ETIMEDOUT' }) }),
      { message: 'createPost: no answer: ETIMEDOUT', cause: expect.any(TypeError) },
    ],
  ])('%s is of the same class', async (_name, answer, expected) => {
    expect(await failureOf(answer)).toMatchObject(expected);
  });

  it('shows neither the key nor the request', async () => {
    for (const answer of [refusal(401, 'key_unknown'), new TypeError('fetch failed')]) {
      const shown = inspect(await failureOf(answer), { depth: 9, showHidden: true });
      expect(shown).not.toContain(apiKey);
      expect(shown).not.toContain('Bearer');
    }
  });
});
