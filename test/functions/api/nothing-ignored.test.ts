import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { hasWarnings } from '../../../lib/api-contract/operation.ts';
import { hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId, sha256 } from '../../../lib/kernel/ids.ts';
import { operations } from '../../../lib/operations.ts';
import type { PostFinding, PostView } from '../../../lib/posts/view/schemas.ts';
import { present } from '../../../lib/table/condition.ts';
import { updateItem } from '../../../lib/table/items.ts';
import { idempotencyKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { removed } from '../../../lib/table/update.ts';
import { claimLivePost } from '../../../lib/targets/live-posts.ts';
import { type Answer, type Call, mediaBaseUrl, openApi } from '../../support/api.ts';
import { storeAutomation } from '../../support/automations.ts';
import { openWorkspace, storeAccount, storeMedia } from '../../support/builders.ts';
import { bodiesById, nounOf, storeOneOfEach } from '../../support/by-id.ts';

let table: Table;
let call: Call;
let apiKey: string;
let workspaceId: string;
let accountId: string;
let mediaUrl: string;
beforeAll(async () => {
  ({ table, call } = await openApi());
  const opened = await openWorkspace(table);
  ({ apiKey } = opened);
  ({ workspaceId } = opened.context);
  ({ id: accountId } = await storeAccount(table, workspaceId));
  mediaUrl = `${mediaBaseUrl}/${(await storeMedia(table, workspaceId)).objectKey}`;
});

const inAnHour = () => toTimestamp(Date.now() + hourMs);
const send = (body: object, headers: Record<string, string> = {}) =>
  call('createPost', { body, headers: { authorization: `Bearer ${apiKey}`, ...headers } });
const create = (changes: object = {}) =>
  send({ platforms: [{ accountId }], content: 'Opening on Saturday', ...changes });
const postOf = (answer: Answer) => answer.body['post'] as PostView;
const warningsOf = (answer: Answer) =>
  (answer.body['warnings'] as PostFinding[]).map(({ field, message }) => `${field} ${message}`);
const problemsOf = (answer: Answer) => {
  const { fields } = answer.body['details'] as { fields: Record<string, string[]> };
  return Object.entries(fields).map(([field, messages]) => `${field} ${messages.join()}`);
};

const keyed = operations.filter(({ access }) => access === 'key').map(({ id }) => [id] as const);

describe('an unknown parameter of the query', () => {
  it.each(keyed)('is refused by %s', async (id) => {
    const ids = { id: newId(0), deliveryId: newId(0), accountId: newId(0) };
    const path = { ...ids, boardId: '1', name: 'x', platform: 'youtube', platformPostId: '1', state: 'x' };
    const answer = await call(id, { apiKey, path, query: 'verbose=1', body: bodiesById[id] ?? {} });
    expect([answer.status, answer.body['code'], answer.body['param']]).toEqual([
      400,
      'unknown_parameter',
      'verbose',
    ]);
  });

  it.each([
    [
      'listAuditEntries',
      'fromDate=2026-01-01',
      'fromDate: is not a parameter of this request; did you mean from?',
    ],
    ['listPosts', 'account_id=x', 'account_id: is not a parameter of this request; did you mean accountId?'],
    ['listWebhooks', 'page=2', 'page: is not a parameter of this request; it has limit, cursor'],
    ['getPost', 'include=timeline', 'include: is not a parameter of this request; it takes none'],
    [
      'listMedia',
      '=1',
      'query: is not a parameter of this request; it has status, search, kind, limit, cursor',
    ],
  ])('of %s is named with what was probably meant: %s', async (id, query, error) => {
    const answer = await call(id, { apiKey, path: { id: newId(0) }, query });
    expect(answer.body['error']).toBe(error);
  });

  it('is ignored where no key is needed: browsers and platforms add their own', async () => {
    expect((await call('openapi', { query: 'utm_source=x' })).status).toBe(200);
  });
});

describe('an unknown field of the body', () => {
  it.each<[string, object, string[]]>([
    ['with a name near to a field', { scheduledfor: 'x' }, ['scheduledfor …; did you mean scheduledFor?']],
    ['that begins like a field', { scheduledAt: 'x' }, ['scheduledAt …; did you mean scheduledFor?']],
    ['like no other', { colour: 'red' }, ['colour …']],
    ['without a value', { colour: null }, []],
  ])('%s has a warning', async (_what, changes, expected) => {
    const answer = await create({ ...changes, isDraft: true });
    expect(answer.status, answer.text).toBe(201);
    const short = 'is not a field of this request and is ignored';
    expect(warningsOf(answer)).toEqual(expected.map((text) => text.replace('…', short)));
  });

  it('has its path as the client writes it, in lists and steps of the chain', async () => {
    const answer = await send({
      platforms: [{ accountId, custmContent: 'x' }],
      mediaItems: [{ type: 'image', url: mediaUrl, alt: 'A boat' }],
      chain: [{ kind: 'followUp', accountIds: [accountId], content: 'Thanks', delay: 5 }],
    });
    const fields = (answer.body['warnings'] as PostFinding[]).map(({ field }) => field);
    expect(fields.sort()).toEqual(['chain[0].delay', 'mediaItems[0].alt', 'platforms[0].custmContent']);
  });

  it('is one of the same list as the warnings about the post, in the same form', async () => {
    const platforms = [{ accountId, platformSpecificData: { colour: 'red' } }];
    const answer = await create({
      platforms,
      colour: 'red',
      mediaItems: [{ type: 'image', url: mediaUrl }],
      scheduledFor: inAnHour(),
    });
    expect(answer.body['warnings']).toEqual([
      {
        accountId: null,
        platform: null,
        field: 'colour',
        code: 'field_unknown',
        message: expect.any(String),
      },
      {
        accountId,
        platform: 'instagram',
        field: 'platforms[0].platformSpecificData.colour',
        code: 'option_unknown',
        message: expect.any(String),
      },
    ]);
  });

  it('is not looked for in free-form options', async () => {
    const platforms = [{ accountId, platformSpecificData: { collaborators: ['a'] } }];
    expect(warningsOf(await create({ platforms, isDraft: true }))).toEqual([]);
  });

  it('has a warning when a post is validated, changed or asked for again', async () => {
    const body = { platforms: [{ accountId }], colour: 'red', idempotencyKey: newId(1) };
    const [made, again] = [await send(body), await send(body)];
    const path = { id: postOf(made).id };
    const validated = await call('validatePost', { apiKey, body });
    const changed = await call('updatePost', { apiKey, path, body: { colour: 'red' } });
    expect([made, again, validated, changed].map(({ status }) => status)).toEqual([201, 200, 200, 200]);
    for (const answer of [made, again, validated, changed]) expect(warningsOf(answer)).toHaveLength(1);
  });

  it('is counted only, if there are more than a hundred', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`${'x'.repeat(500)}${index}`, 1]),
    );
    const warnings = (await create({ ...many, isDraft: true })).body['warnings'] as PostFinding[];
    expect(warnings).toHaveLength(100);
    expect(warnings[0]?.field.length).toBeLessThan(210);
    expect(warnings.at(-1)).toMatchObject({
      field: 'body',
      message: 'has 4901 more unknown fields, which are ignored',
    });
  });

  it.each(['createPost', 'validatePost', 'updatePost'])(
    'is refused by %s if the result would be another one than the client means',
    async (id) => {
      const { id: postId } = postOf(await create({ isDraft: true }));
      const body = { platforms: [{ accountId }], queueId: 'q', title: 'a', content: 7 };
      const answer = await call(id, { apiKey, path: { id: postId }, body });
      expect([answer.status, problemsOf(answer).slice(1)]).toEqual([
        400,
        [
          'queueId is not supported; leave it out',
          'title is not supported; use platforms[].platformSpecificData instead',
        ],
      ]);
    },
  );

  it('is refused if it would move an automation to another post', async () => {
    const { id } = await storeAutomation(table, workspaceId, { accountId });
    const body = { accountId, platformPostId: '1' };
    const answer = await call('updateCommentAutomation', { apiKey, path: { id }, body });
    expect([answer.status, answer.body['code'], Object.keys(problemsOf(answer))]).toEqual([
      400,
      'unsupported_field',
      ['0', '1'],
    ]);
  });
});

describe('a post that is sent back as it was read', () => {
  const readOnly = ['_id', 'id', 'status', 'createdAt', 'updatedAt'];

  it('is created again, with a warning for each field that is read-only', async () => {
    const { chain: _, ...post } = postOf(await create({ mediaItems: [{ type: 'image', url: mediaUrl }] }));
    const answer = await send(post);
    expect(answer.status, answer.text).toBe(201);
    const expected = [...readOnly, 'platforms[0].status'].map(
      (field) => `${field} is read-only and is ignored`,
    );
    expect(warningsOf(answer)).toEqual(expect.arrayContaining(expected));
    for (const warning of warningsOf(answer)) expect(warning).toContain('is read-only');
    expect(postOf(answer)).toMatchObject({
      content: post.content,
      mediaItems: post.mediaItems,
      scheduledFor: null,
    });
  });

  it('changes nothing as a change, with the same warnings', async () => {
    const { chain: _, ...post } = postOf(
      await create({ scheduledFor: inAnHour(), mediaItems: [{ type: 'image', url: mediaUrl }] }),
    );
    const answer = await call('updatePost', { apiKey, path: { id: post.id }, body: post });
    expect(answer.status, answer.text).toBe(200);
    expect(postOf(answer)).toEqual({ ...post, chain: [], updatedAt: expect.any(String) });
    for (const warning of warningsOf(answer)) expect(warning).toContain('is read-only');
    expect(warningsOf(answer).length).toBeGreaterThan(5);
  });
});

describe('null', () => {
  it('counts as absent when a post is created', async () => {
    const answer = await send({
      platforms: [{ accountId, customContent: null, customMedia: null, scheduledFor: null, platform: null }],
      mediaItems: [{ type: 'image', url: mediaUrl, filename: null, altText: null }],
      chain: [
        { kind: 'followUp', accountIds: [accountId], content: 'Thanks', afterMinutes: null, options: null },
      ],
      content: null,
      coverUrl: null,
      scheduledFor: null,
      timezone: null,
      isDraft: null,
      publishNow: null,
      idempotencyKey: null,
      parentPostId: null,
    });
    expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
    expect(postOf(answer)).toMatchObject({ status: 'draft', content: '', timezone: 'UTC' });
    expect(warningsOf(answer)).toEqual([]);
  });

  it('counts as absent in a request for an upload URL', async () => {
    const body = { filename: 'a.jpg', contentType: null, size: null };
    const answer = await call('presignMedia', { apiKey, body });
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ contentType: 'image/jpeg', warnings: [] }),
    ]);
    const nameless = await call('presignMedia', { apiKey, body: { ...body, filename: null } });
    expect([nameless.status, nameless.body['param']]).toEqual([400, 'filename']);
  });

  it('counts as absent in every field of a new automation that has a default', async () => {
    const platformPostId = `17${Math.random().toString().slice(2, 15)}`;
    await claimLivePost(table, {
      platform: 'instagram',
      workspaceId,
      accountId,
      platformPostId,
      postId: newId(0),
    });
    const nulls = Object.fromEntries(
      ['name', 'isActive', 'keywords', 'matchMode', 'typoTolerance', 'commentReply', 'buttons', 'followGate']
        .concat('trackLinks', 'linkTracking')
        .map((field) => [field, null]),
    );
    const body = { ...nulls, accountId, platformPostId, dmMessage: 'Hello' };
    const answer = await call('createCommentAutomation', { apiKey, body });
    expect([answer.status, answer.body['warnings']]).toEqual([201, []]);
    expect(answer.body['automation']).toMatchObject({
      name: null,
      isActive: true,
      keywords: [],
      matchMode: 'contains',
      commentReply: null,
      buttons: [],
      followGate: null,
      trackLinks: true,
    });
  });

  it.each([
    ['platforms', { platforms: null }],
    ['platforms[0].accountId', { platforms: [{ accountId: null }] }],
  ])('is refused in %s, which is required', async (param, body) => {
    const answer = await send(body);
    expect([answer.status, answer.body['param']]).toEqual([400, param]);
  });

  it.each(['content', 'mediaItems', 'platforms', 'timezone', 'isDraft', 'publishNow', 'onQuota'])(
    'is refused in a change of %s, which cannot be cleared',
    async (field) => {
      const { id } = postOf(await create());
      const answer = await call('updatePost', { apiKey, path: { id }, body: { [field]: null } });
      expect([answer.status, answer.body['param']]).toEqual([400, field]);
    },
  );

  it('clears the chain of a post', async () => {
    const chain = [{ kind: 'followUp', accountIds: [accountId], content: 'More' }];
    const { id, ...before } = postOf(await create({ isDraft: true, chain }));
    expect(before).toMatchObject({ chain });
    const answer = await call('updatePost', { apiKey, path: { id }, body: { chain: null } });
    expect([answer.status, postOf(answer)]).toEqual([200, expect.objectContaining({ chain: [] })]);
  });

  it.each([
    ['scheduledFor', { scheduledFor: '2030-01-01T00:00:00Z', isDraft: true }],
    ['coverUrl', {}],
  ])('clears %s of a post', async (field, changes) => {
    const { id, ...before } = postOf(await create({ isDraft: true, coverUrl: mediaUrl, ...changes }));
    if (field in changes) expect(before).not.toMatchObject({ [field]: null });
    const answer = await call('updatePost', { apiKey, path: { id }, body: { [field]: null } });
    expect([answer.status, postOf(answer)]).toEqual([200, expect.objectContaining({ [field]: null })]);
  });
});

describe('linkTracking', () => {
  let platformPostId: string;
  const tracks = (answer: Answer) => (answer.body['automation'] as { trackLinks: boolean }).trackLinks;
  const automate = async (body: object) => {
    platformPostId = `17${Math.random().toString().slice(2, 15)}`;
    await claimLivePost(table, {
      platform: 'instagram',
      workspaceId,
      accountId,
      platformPostId,
      postId: newId(0),
    });
    return call('createCommentAutomation', {
      apiKey,
      body: { accountId, platformPostId, dmMessage: 'https://example.com', ...body },
    });
  };

  it.each([
    [{}, true],
    [{ linkTracking: false }, false],
    [{ linkTracking: true }, true],
    [{ trackLinks: false, linkTracking: false }, false],
    [{ trackLinks: null, linkTracking: false }, false],
  ])('is another name of trackLinks: %j', async (body, expected) => {
    const answer = await automate(body);
    expect([answer.status, answer.body['warnings']]).toEqual([201, []]);
    expect(tracks(answer)).toBe(expected);
    expect(answer.body['automation']).not.toHaveProperty('linkTracking');
  });

  it('is another name in a change too', async () => {
    const { id } = (await automate({})).body['automation'] as { id: string };
    const edit = (body: object) => call('updateCommentAutomation', { apiKey, path: { id }, body });
    expect(tracks(await edit({ linkTracking: false }))).toBe(false);
    expect(tracks(await edit({ name: 'Launch' }))).toBe(false);
    expect(tracks(await edit({ trackLinks: true, linkTracking: true }))).toBe(true);
    expect((await edit({ trackLinks: true, linkTracking: false })).status).toBe(400);
  });

  it('is refused if trackLinks has another value', async () => {
    const answer = await automate({ trackLinks: true, linkTracking: false });
    expect([answer.status, answer.body['error']]).toEqual([
      400,
      'linkTracking: is another name of trackLinks, which has another value',
    ]);
  });
});

describe('a repeated idempotency key', () => {
  const mismatch = ({ status, body }: Answer) => [status, body['idempotencyMismatch']];

  it('tells whether the body is another one', async () => {
    const key = newId(2);
    const body = { content: 'Hello', platforms: [{ accountId, customContent: 'Hi' }], idempotencyKey: key };
    const { content, platforms } = body;
    expect(mismatch(await send(body))).toEqual([201, undefined]);
    expect(mismatch(await send(body))).toEqual([200, false]);
    expect(mismatch(await send({ idempotencyKey: key, platforms, content }))).toEqual([200, false]);
    expect(mismatch(await send({ platforms, content }, { 'idempotency-key': key }))).toEqual([200, false]);
    expect(mismatch(await send({ ...body, content: 'Bye' }))).toEqual([200, true]);
    expect(mismatch(await send({ ...body, colour: 'red' }))).toEqual([200, true]);
  });

  it('does so for requests that are under way at the same time', async () => {
    const bodies = Array.from({ length: 6 }, (_, index) => ({
      platforms: [{ accountId }],
      content: `${index % 2}`,
      idempotencyKey: 'crowd',
    }));
    const answers = await Promise.all(bodies.map((body) => send(body)));
    const [winner] = answers.filter(({ status }) => status === 201).map((answer) => postOf(answer).content);
    const expected = bodies.map(({ content }) => content !== winner);
    const found = answers.map(({ status, body }) => (status === 201 ? false : body['idempotencyMismatch']));
    expect(found).toEqual(expected);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  });

  it('says nothing against a body if an earlier release stored the key', async () => {
    const key = newId(3);
    await create({ idempotencyKey: key });
    const record = idempotencyKey(workspaceId, sha256(`key:${key}`));
    await updateItem(table, record, { set: { bodyDigest: removed }, if: { bodyDigest: present } });
    expect(mismatch(await create({ idempotencyKey: key, content: 'Bye' }))).toEqual([200, false]);
  });
});

describe('an id in upper case', () => {
  const upper = (id: string) => id.toUpperCase();

  it('is the same id in the body, also as a key, and twice is twice', async () => {
    const chain = [
      {
        kind: 'followUp',
        content: 'More',
        accountIds: [upper(accountId)],
        options: { [upper(accountId)]: {} },
      },
    ];
    const answer = await send({ platforms: [{ accountId: upper(accountId) }], chain });
    expect(answer.status, answer.text).toBe(201);
    expect(postOf(answer).platforms).toMatchObject([{ accountId }]);
    const twice = await send({ platforms: [{ accountId }, { accountId: upper(accountId) }] });
    expect(problemsOf(twice)).toEqual(['platforms[1].accountId is named twice']);
    const options = { [accountId]: {}, [upper(accountId)]: {} };
    const both = await create({ chain: [{ ...chain[0], options }] });
    expect(problemsOf(both)).toEqual([`chain[0].options.${upper(accountId)} is named twice`]);
  });

  it.each(
    operations
      .filter(({ method, path }) => method === 'GET' && /\{id\}$/.test(path))
      .map(({ id, path }) => [id, path]),
  )('is the same id in the path of %s', async (id, path = '') => {
    const ids = await storeOneOfEach(table, workspaceId);
    const own = ids[nounOf(path)];
    const read = (asked: string) => call(id, { apiKey, path: { id: asked } });
    const [lower, other] = [await read(own), await read(upper(own))];
    expect([other.status, other.body]).toEqual([200, lower.body]);
  });

  it('is the same id in a query, so that a cursor belongs to both', async () => {
    await create();
    await create();
    const list = (query: string) => call('listPosts', { apiKey, query });
    const first = await list(`accountId=${upper(accountId)}&limit=1`);
    const cursor = encodeURIComponent(String(first.body['nextCursor']));
    const second = await list(`accountId=${accountId}&limit=1&cursor=${cursor}`);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect((await list(`accountId=${upper(accountId)}&limit=1&cursor=${cursor}`)).text).toBe(second.text);
  });
});

it('every operation that takes a JSON body and a key has warnings in each of its responses', () => {
  const withBody = operations.filter(hasWarnings);
  expect(withBody.length).toBeGreaterThan(10);
  for (const { replies } of withBody) {
    for (const { body } of Object.values(replies))
      for (const each of body instanceof z.ZodUnion ? body.options : [body])
        expect(Object.keys(Reflect.get(each ?? {}, 'shape'))).toContain('warnings');
  }
});
