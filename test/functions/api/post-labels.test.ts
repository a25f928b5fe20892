import { beforeAll, describe, expect, it } from 'vitest';
import { type Call, openApi } from '../../support/api.ts';
import { openWorkspace } from '../../support/builders.ts';

let call: Call;
let apiKey: string;
beforeAll(async () => {
  const api = await openApi();
  call = api.call;
  ({ apiKey } = await openWorkspace(api.table));
});

const pairs = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`name ${index}`, `value ${index}`]));

const create = (rawBody: string) => call('createPost', { apiKey, rawBody });
const draft = (labels: object) => JSON.stringify({ content: 'Hello', isDraft: true, ...labels });

describe('a post is refused with', () => {
  it.each([
    ['21 pairs', draft({ metadata: pairs(21) }), 'metadata: must have at most 20 pairs'],
    [
      'a name of 41 characters',
      draft({ metadata: { ['n'.repeat(41)]: 'x' } }),
      `metadata.${'n'.repeat(41)}: the name`,
    ],
    ['an empty name', draft({ metadata: { '': 'x' } }), 'metadata.: the name must have 1 to 40 characters'],
    [
      'a value of 501 characters',
      draft({ metadata: { color: 'x'.repeat(501) } }),
      'metadata.color: must have at most 500 characters',
    ],
    ['a number', draft({ metadata: { size: 3 } }), 'metadata.size: must be a string'],
    ['a text instead of pairs', draft({ metadata: 'spring' }), 'metadata: must be an object'],
    [
      'a name that no object can have',
      '{"isDraft":true,"metadata":{"__proto__":"x"}}',
      'metadata.__proto__: cannot be used as a name',
    ],
    ['an empty external id', draft({ externalId: '' }), 'externalId: must have at least 1 character'],
    [
      'an external id of 256 characters',
      draft({ externalId: 'x'.repeat(256) }),
      'externalId: must have at most 255 characters',
    ],
  ])('%s', async (_what, rawBody, error) => {
    const answer = await create(rawBody);
    expect(answer.status).toBe(400);
    expect(answer.body['error']).toContain(error);
  });
});

describe('metadata', () => {
  it.each([
    ['20 pairs', pairs(20)],
    ['the longest names and values', { ['n'.repeat(40)]: 'v'.repeat(500), empty: '', 'a.b[0]': '🚢' }],
    ['names of properties that every object has', { constructor: 'x', toString: 'y' }],
  ])('can be %s, and is shown by a read and a list', async (_what, metadata) => {
    const created = await create(draft({ metadata, externalId: 'x'.repeat(255) }));
    expect(created.status).toBe(201);
    const { id } = created.body['post'] as { id: string };
    const read = await call('getPost', { apiKey, path: { id } });
    const list = await call('listPosts', { apiKey, query: 'limit=1' });
    const shown = [created.body['post'], read.body['post'], ...(list.body['posts'] as object[])];
    for (const post of shown) expect(post).toMatchObject({ metadata, externalId: 'x'.repeat(255) });
  });

  it('is replaced as a whole by a change, kept if absent, and removed by null', async () => {
    const created = await create(
      draft({ metadata: { campaign: 'spring', color: 'blue' }, externalId: 'row 1' }),
    );
    const { id } = created.body['post'] as { id: string };
    const change = async (body: object) =>
      (await call('updatePost', { apiKey, path: { id }, body })).body['post'];
    expect(await change({ metadata: { color: 'red' } })).toMatchObject({
      metadata: { color: 'red' },
      externalId: 'row 1',
    });
    expect(await change({ content: 'New' })).toMatchObject({
      metadata: { color: 'red' },
      externalId: 'row 1',
    });
    expect(await change({ metadata: null, externalId: null })).toMatchObject({
      metadata: {},
      externalId: null,
    });
  });

  it('may be null in a new post', async () => {
    const created = await create(draft({ metadata: null, externalId: null }));
    expect(created.body['post']).toMatchObject({ metadata: {}, externalId: null });
  });
});
