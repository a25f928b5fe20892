/** The validation against the platforms' own descriptions: that it runs, and that it finds what is wrong. */

import type { Exchange } from '@herald/platform-simulators/kit/recording/exchange.ts';
import type { DescribedOperation } from '@herald/platform-simulators/testing/reference/described-operation.ts';
import { descriptionOf } from '@herald/platform-simulators/testing/reference/descriptions.ts';
import { createValidation } from '@herald/platform-simulators/testing/reference/validate.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../lib/kernel/json.ts';
import { type FixtureServer, serveFixtures } from '../support/fixture-server.ts';
import { type Fixture, openFixture } from './fixture.ts';
import { rowOf } from './rows.ts';

let fixtures: FixtureServer;
let fixture: Fixture;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());

const descriptions = {
  pinterest: required(descriptionOf('pinterest')),
  youtube: required(descriptionOf('youtube')),
};
type Described = keyof typeof descriptions;

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('expected a value');
  return value;
}

const validations = {
  pinterest: createValidation(descriptions.pinterest),
  youtube: createValidation(descriptions.youtube),
};

/** A request to a platform, and its response if there are a status or an answer. */
interface Case {
  readonly url: string;
  readonly method?: string;
  readonly body?: Json;
  /** Instead of JSON. */
  readonly type?: string;
  readonly text?: string;
  readonly status?: number;
  readonly answer?: Json;
  readonly fault?: string;
}

function exchangeOf(platform: Described, given: Case): Exchange {
  const { url, method = given.body === undefined ? 'GET' : 'POST', body, text, type, status = 200 } = given;
  const { host, pathname, searchParams } = new URL(`https://${url}`);
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
  return {
    platform,
    operation: 'any',
    method,
    host,
    path: pathname,
    query: searchParams,
    headers: sent === undefined ? {} : { 'content-type': type ?? 'application/json' },
    body: sent === undefined ? undefined : { text: sent },
    ...(given.fault !== undefined && { fault: given.fault }),
    ...(given.answer !== undefined && {
      answer: { status, headers: {}, body: given.answer === '' ? '' : JSON.stringify(given.answer) },
    }),
  };
}

const problemsOf = (platform: Described, given: Case) => {
  const { request, response } = validations[platform](exchangeOf(platform, given));
  return [...request, ...response];
};

const pinsUrl = 'api.pinterest.com/v5/pins';
const media_source = { source_type: 'video_id', media_id: '1', cover_image_url: 'https://x.test/1.jpg' };
const pin = { board_id: '1', title: 'Harbour', media_source };
const video = 'www.googleapis.com/upload/youtube/v3/videos';
const metadata = { snippet: { title: 'Harbour' }, status: { privacyStatus: 'unlisted' } };
const items = 'www.googleapis.com/youtube/v3/playlistItems';
const videos = 'www.googleapis.com/youtube/v3/videos?part=status&id=1';
const list = (item: Json): Json => ({ kind: 'youtube#videoListResponse', etag: 'x', items: [item] });

describe('a valid exchange', () => {
  const cases: readonly (readonly [Described, Case])[] = [
    ['pinterest', { url: pinsUrl, body: pin, status: 201, answer: { id: '1', link: null } }],
    ['pinterest', { url: `${pinsUrl}?page_size=50`, answer: { items: [{ id: '1' }], bookmark: null } }],
    ['pinterest', { url: `${pinsUrl}/1`, method: 'DELETE', status: 204, answer: '' }],
    ['pinterest', { url: `${pinsUrl}/1`, status: 404, answer: { code: 50, message: 'Pin not found.' } }],
    ['youtube', { url: `${video}?uploadType=resumable&part=snippet,status`, body: metadata, answer: '' }],
    ['youtube', { url: `${video}?part=id&upload_id=1`, method: 'PUT', status: 308, answer: '' }],
    ['youtube', { url: videos, answer: list({ id: '1', status: { privacyStatus: 'public' } }) }],
  ];
  it.each(cases)('is allowed: %s %o', (platform, given) => expect(problemsOf(platform, given)).toEqual([]));
});

describe('a wrong request', () => {
  const wrongMedia = (changes: { readonly [field: string]: Json }): Case => ({
    url: pinsUrl,
    body: { ...pin, media_source: { ...media_source, ...changes } },
  });
  const cases: readonly (readonly [string, Described, Case, string])[] = [
    [
      'a frame that is no whole second',
      'pinterest',
      wrongMedia({ cover_image_key_frame_time: 2.5 }),
      '/media_source/cover_image_key_frame_time, which must be integer, but is 2.5',
    ],
    [
      'a field that the kind of media lacks',
      'pinterest',
      wrongMedia({ url: 'x' }),
      'the unknown field /media_source/url',
    ],
    [
      'an unknown kind of media',
      'pinterest',
      wrongMedia({ source_type: 'gif' }),
      '/media_source/source_type, which must be equal to one of the allowed values',
    ],
    [
      'a missing field',
      'pinterest',
      { url: pinsUrl, body: { media_source: { source_type: 'video_id' } } },
      '/media_source without media_id',
    ],
    [
      'a text that is too long',
      'pinterest',
      { url: pinsUrl, body: { title: 'x'.repeat(101) } },
      '/title, which must NOT have more than 100 characters',
    ],
    [
      'an unknown field',
      'pinterest',
      { url: pinsUrl, body: { ...pin, note: 'x' } },
      'the unknown field /note',
    ],
    [
      'a field of responses only',
      'pinterest',
      { url: 'api.pinterest.com/v5/boards/1/sections', body: { name: 'x', id: '1' } },
      'the unknown field /id',
    ],
    [
      'an unknown query parameter',
      'pinterest',
      { url: `${pinsUrl}?pagesize=5` },
      'the unknown query parameter pagesize',
    ],
    [
      'a query parameter out of range',
      'pinterest',
      { url: `${pinsUrl}?page_size=500` },
      'the query parameter page_size: the whole, which must be <= 250',
    ],
    [
      'a query parameter of another type',
      'pinterest',
      { url: `${pinsUrl}?page_size=many` },
      'page_size: the whole, which must be integer',
    ],
    ['a path parameter of another form', 'pinterest', { url: `${pinsUrl}/x` }, 'the path parameter pin_id'],
    [
      'a form instead of JSON',
      'pinterest',
      { url: pinsUrl, method: 'POST', text: 'title=x', type: 'application/x-www-form-urlencoded' },
      'a body of type application/x-www-form-urlencoded instead of application/json',
    ],
    [
      'JSON that cannot be parsed',
      'pinterest',
      { url: pinsUrl, method: 'POST', text: '{' },
      'a body that cannot be parsed',
    ],
    ['no body', 'pinterest', { url: pinsUrl, method: 'POST' }, 'has no body'],
    [
      'a body where none belongs',
      'pinterest',
      { url: pinsUrl, method: 'GET', text: '{}' },
      'has a body, but must not',
    ],
    [
      'a form without a field',
      'pinterest',
      {
        url: 'api.pinterest.com/v5/oauth/token',
        method: 'POST',
        text: 'grant_type=authorization_code&code=1',
        type: 'application/x-www-form-urlencoded',
      },
      'without redirect_uri',
    ],
    [
      'an unknown path',
      'pinterest',
      { url: 'api.pinterest.com/v5/pin' },
      'GET api.pinterest.com/v5/pin is not a described operation',
    ],
    ['an unknown method', 'pinterest', { url: pinsUrl, method: 'PUT' }, 'is not a described operation'],
    ['an unknown host', 'pinterest', { url: 'api.pinterest.test/v5/pins' }, 'is not a described operation'],
    [
      'an unknown field',
      'youtube',
      { url: `${video}?part=snippet`, body: { snippet: { name: 'x' } } },
      'the unknown field /snippet/name',
    ],
    [
      'an unknown value',
      'youtube',
      { url: `${video}?part=status`, body: { status: { privacyStatus: 'secret' } } },
      '/status/privacyStatus, which must be equal to one of the allowed values (public, unlisted, private)',
    ],
    [
      'a field of another type',
      'youtube',
      { url: `${video}?part=snippet`, body: { snippet: { tags: 'a,b' } } },
      '/snippet/tags, which must be array',
    ],
    [
      'a missing field',
      'youtube',
      { url: `${items}?part=snippet`, body: { snippet: { playlistId: '1' } } },
      '/snippet without resourceId',
    ],
    [
      'a missing query parameter',
      'youtube',
      { url: 'www.googleapis.com/youtube/v3/videos?id=1' },
      'lacks the query parameter part',
    ],
    ['an unknown part', 'youtube', { url: `${videos}&part=stats` }, 'the query parameter part names stats'],
    [
      'a query parameter twice',
      'youtube',
      { url: `${videos}&maxResults=1&maxResults=2` },
      'the query parameter maxResults 2 times',
    ],
    ['a query parameter out of range', 'youtube', { url: `${videos}&maxResults=51` }, 'must be <= 50'],
    [
      'an upload without its session',
      'youtube',
      { url: `${video}?part=id`, method: 'PUT' },
      'lacks the query parameter upload_id',
    ],
  ];
  it.each(cases)('is named: %s, %s', (_what, platform, given, text) => {
    const { request } = validations[platform](exchangeOf(platform, given));
    expect(request.join('\n')).toContain(text);
  });
});

describe('a wrong response', () => {
  const cases: readonly (readonly [string, Described, Case, string])[] = [
    [
      'an unknown field in a list',
      'pinterest',
      { url: pinsUrl, answer: { items: [{ id: '1', note: 1 }] } },
      'the unknown field /items/*/note',
    ],
    [
      'a field of another type',
      'pinterest',
      { url: `${pinsUrl}/1`, answer: { id: 1 } },
      '/id, which must be string, but is 1',
    ],
    ['a missing field', 'pinterest', { url: `${pinsUrl}/1`, answer: {} }, 'the whole without id'],
    [
      'null where it is not allowed',
      'pinterest',
      { url: `${pinsUrl}/1`, answer: { id: '1', board_id: null } },
      '/board_id, which must be string',
    ],
    [
      'another kind of error',
      'pinterest',
      { url: `${pinsUrl}/1`, status: 404, answer: { error: 'no' } },
      'the whole without code',
    ],
    [
      'a status that is not described',
      'pinterest',
      { url: `${pinsUrl}/1`, status: 202, answer: { id: '1' } },
      'has the status 202, which is not described',
    ],
    [
      'a body where none belongs',
      'pinterest',
      { url: `${pinsUrl}/1`, method: 'DELETE', status: 204, answer: {} },
      'has a body, but must not',
    ],
    [
      'an unknown field',
      'youtube',
      { url: videos, answer: list({ status: { isPublic: true } }) },
      'the unknown field /items/*/status/isPublic',
    ],
    [
      'a part that nobody asked for',
      'youtube',
      { url: videos, answer: list({ snippet: { title: 'x' } }) },
      'has snippet, which part does not name',
    ],
    [
      'a large number as a number',
      'youtube',
      { url: `${videos}&part=statistics`, answer: list({ statistics: { viewCount: 1 } }) },
      '/items/*/statistics/viewCount, which must be string',
    ],
    [
      'a time in another form',
      'youtube',
      { url: `${videos}&part=snippet`, answer: list({ snippet: { publishedAt: '2026-01-01' } }) },
      'which must match format "date-time"',
    ],
    [
      'another kind of error',
      'youtube',
      { url: videos, status: 403, answer: { error: 'no' } },
      '/error, which must be object',
    ],
  ];
  it.each(cases)('is named: %s, %s', (_what, platform, given, text) => {
    const { response } = validations[platform](exchangeOf(platform, given));
    expect(response.join('\n')).toContain(text);
  });

  it('is allowed if a planned fault garbles it', () => {
    const given = { url: videos, answer: 'half', fault: 'half-json' };
    expect(problemsOf('youtube', given)).toEqual([]);
    expect(problemsOf('youtube', { ...given, fault: 'error:500' })).not.toEqual([]);
  });
});

describe.each(['pinterest', 'youtube'] as const)(
  'what passes between the adapter and the simulator of %s',
  (platform) => {
    const publish = async () => {
      fixture = await openFixture(rowOf(platform), fixtures);
      const publisher = await fixture.publisher();
      await publisher.prepare();
      await publisher.finish(await publisher.goLive());
    };
    afterEach(() => fixture.close());

    it('is valid, and no longer once any object of it has one more field', async () => {
      await publish();
      const validate = validations[platform];
      const hosts = new Set(
        descriptions[platform].operations.flatMap((one: DescribedOperation) => one.hosts),
      );
      const exchanges = fixture.exchanges.filter(({ host }) => hosts.has(host));
      let changed = 0;
      for (const exchange of exchanges) {
        expect(validate(exchange)).toEqual({ request: [], response: [] });
        const query = new URLSearchParams([...exchange.query, ['unknownParameter', '1']]);
        expect(validate({ ...exchange, query }).request.join()).toContain('unknownParameter');
        const { body, answer } = exchange;
        if (body !== undefined && 'text' in body && body.text.startsWith('{')) {
          for (const text of withOneMoreField(body.text)) {
            changed += 1;
            expect(validate({ ...exchange, body: { text } }).request.join()).toContain('unknownField');
          }
        }
        if (answer?.body.startsWith('{')) {
          for (const text of withOneMoreField(answer.body)) {
            changed += 1;
            const { response } = validate({ ...exchange, answer: { ...answer, body: text } });
            expect(response.join(), text).toContain('unknownField');
          }
        }
      }
      expect(changed).toBeGreaterThan(15);
    });

    it('fails a test, with the name of the field, if the adapter sends something wrong', async () => {
      await publish();
      const { tools, account } = fixture;
      const bearer = account.tokens.accessToken;
      const isPinterest = platform === 'pinterest';
      const json = isPinterest
        ? { board_id: '1', media_source: { ...media_source, cover_image_key_frame_time: 2.5 } }
        : { snippet: { title: 'Harbour', titel: 'Harbor' } };
      const url = isPinterest ? `https://${pinsUrl}` : `https://${video}`;
      const query = { uploadType: 'resumable', part: 'snippet', unknownParameter: '1' };
      // YouTube reads the body only with these.
      const headers = { 'x-upload-content-type': 'video/mp4', 'x-upload-content-length': '1' };
      await tools.http.send({ method: 'POST', url, bearer, query, headers, body: { json } });
      const found = fixture.takeProblems().join('\n');
      expect(found).toContain('request has the unknown query parameter unknownParameter');
      expect(found).toContain(
        isPinterest ? 'must be integer, but is 2.5' : 'the unknown field /snippet/titel',
      );
    });
  },
);

it('throws when the fixture is closed, so that the test fails', async () => {
  fixture = await openFixture(rowOf('pinterest'), fixtures);
  const bearer = fixture.account.tokens.accessToken;
  await fixture.tools.http.send({ method: 'GET', url: `https://${pinsUrl}`, bearer, query: { pages: '1' } });
  await expect(fixture.close()).rejects.toThrow(
    'pinterest pins/list: request has the unknown query parameter pages',
  );
});

/** A JSON object with one more field, once for each object in it that is not a map of anything. */
function withOneMoreField(text: string): string[] {
  const changed: string[] = [];
  const visit = (value: unknown, path: readonly (string | number)[]): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value) && !freeForm.includes(String(path.at(-1)))) {
      const copy = JSON.parse(text);
      const target = path.reduce((inner, key) => inner[key], copy);
      target.unknownField = 1;
      changed.push(JSON.stringify(copy));
    }
    for (const [key, inner] of Object.entries(value)) visit(inner, [...path, key]);
  };
  visit(JSON.parse(text), []);
  return changed;
}

/** Objects with any fields, by the descriptions. */
const freeForm = ['upload_parameters'];
