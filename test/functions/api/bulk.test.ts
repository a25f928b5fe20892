import { beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { maxOpenImports } from '../../../lib/media/imports/open-import.ts';
import { type BulkReply, type BulkResult, maxBulkPosts } from '../../../lib/posts/bulk/schemas.ts';
import { maxReplyBytes } from '../../../lib/posts/bulk/view.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Call, mediaBaseUrl, openApi, type RequestParts } from '../../support/api.ts';
import { openWorkspace, storeAccount, storeMedia } from '../../support/builders.ts';
import { openImportsOf, setOpenImports } from '../../support/open-imports.ts';

let call: Call;
let table: Table;
let apiKey: string;
let account: Account;
let mediaUrl: string;
beforeAll(async () => {
  const api = await openApi();
  ({ call, table } = api);
  const { context, apiKey: key } = await openWorkspace(api.table);
  apiKey = key;
  account = await storeAccount(api.table, context.workspaceId);
  const media = await storeMedia(api.table, context.workspaceId);
  mediaUrl = `${mediaBaseUrl}/${media.objectKey}`;
});

const scheduledFor = () => new Date(Date.now() + 3_600_000).toISOString();
const post = (changes: object = {}) => ({
  platforms: [{ accountId: account.id }],
  content: 'Fresh bread every morning',
  mediaItems: [{ type: 'image', url: mediaUrl }],
  ...changes,
});

type WarnedReply = BulkReply & { readonly warnings: readonly { field: string; message: string }[] };

async function send(body: unknown, parts: RequestParts = {}): Promise<WarnedReply> {
  const answer = await call('createPosts', { apiKey, body, ...parts });
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
  return answer.body as unknown as WarnedReply;
}
const resultOf = async (each: unknown, changes: object = {}): Promise<BulkResult | undefined> => {
  const { results } = await send({ posts: [post(), post(), post(), each], ...changes });
  return results[3];
};

describe('POST /v1/posts/bulk', () => {
  it('responds with a result for each post, in order, and counts them', async () => {
    const first = post({ scheduledFor: scheduledFor(), idempotencyKey: 'first of the bulk' });
    await send({ posts: [first] });
    const { results, ...counts } = await send({ posts: [first, post(), post({ content: 1 })] });
    expect(results.map(({ index, status }) => [index, status])).toEqual([
      [0, 'replayed'],
      [1, 'created'],
      [2, 'invalid'],
    ]);
    expect(counts).toEqual({ created: 1, replayed: 1, valid: 0, invalid: 1, failed: 0, warnings: [] });
    expect(results[1]).toMatchObject({ postId: results[1]?.post?.id, error: null, problems: [] });
    expect(results[2]).toMatchObject({ postId: null, post: null, warnings: [] });
  });

  it('responds with the same post as a request for it', async () => {
    const [result] = (await send({ posts: [post({ scheduledFor: scheduledFor() })] })).results;
    const { body } = await call('getPost', { apiKey, path: { id: result?.postId ?? '' } });
    expect(result?.post).toEqual(body['post']);
  });

  it('names the fields of a malformed post by its place', async () => {
    const result = await resultOf(post({ platforms: [{ accountId: 'x' }], content: 7 }));
    expect(result?.error).toMatchObject({
      code: expect.stringMatching(/^field_(format|type)$/),
      param: expect.stringMatching(/^posts\[3\]\.(platforms\[0\]\.accountId|content)$/),
      error: expect.stringMatching(/^posts\[3\]\./),
    });
    expect(result?.problems.map(({ field }) => field).toSorted()).toEqual([
      'posts[3].content',
      'posts[3].platforms[0].accountId',
    ]);
    expect(result?.error).not.toHaveProperty('details');
  });

  it.each([['a text'], [null], [7], [[]]])('names the place of %j, which is no post', async (wrong) => {
    expect(await resultOf(wrong)).toMatchObject({
      status: 'invalid',
      error: { param: 'posts[3]', error: expect.stringMatching(/^posts\[3\]: /) },
      problems: [{ field: 'posts[3]' }],
    });
  });

  it('names the destination of what a platform refuses', async () => {
    const refused = post({ mediaItems: [], scheduledFor: scheduledFor() });
    for (const changes of [{}, { dryRun: true }]) {
      expect(await resultOf(refused, changes)).toMatchObject({
        status: 'invalid',
        error: { param: 'posts[3].mediaItems' },
        problems: [{ field: 'posts[3].mediaItems', accountId: account.id, platform: 'instagram' }],
      });
    }
  });

  it('returns the warnings of each post by its place', async () => {
    const odd = post({
      scheduledFor: scheduledFor(),
      platforms: [{ accountId: account.id, platformSpecificData: { internalRef: 'Hi' } }],
    });
    for (const changes of [{ dryRun: true }, {}]) {
      expect((await resultOf(odd, changes))?.warnings).toMatchObject([
        {
          field: 'posts[3].platforms[0].platformSpecificData.internalRef',
          message: expect.stringContaining('is not an option of Instagram and is ignored'),
        },
      ]);
    }
  });

  it.each([
    ['dryrun', true],
    ['dry_run', true],
    ['publishNow', true],
    ['isDraft', true],
    ['scheduledFor', 'x'],
    ['mediaUrls', ['x']],
  ])('refuses %s beside posts if one of them goes live, and creates none', async (name, value) => {
    const key = newId(Date.now());
    const posts = [post({ idempotencyKey: key }), post({ scheduledFor: scheduledFor() })];
    const answer = await call('createPosts', { apiKey, body: { posts, [name]: value } });
    expect([answer.status, answer.body['param']]).toEqual([400, name]);
    const drafts = await call('createPosts', { apiKey, body: { posts: posts.slice(0, 1), [name]: value } });
    expect(drafts.body).toMatchObject({ created: 1, warnings: [{ field: name }] });
  });

  it('warns about unknown fields of each post by its place, and of the request itself', async () => {
    const { results, warnings } = await send({ posts: [post(), post({ contnt: 'x' })], dryrun: true });
    expect(results.map((result) => result.warnings)).toMatchObject([
      [],
      [{ field: 'posts[1].contnt', code: 'field_unknown', message: expect.stringContaining('content') }],
    ]);
    expect(warnings).toMatchObject([{ field: 'dryrun', message: expect.stringContaining('dryRun') }]);
  });

  it('says if the key of a replayed post was first used with another body', async () => {
    const first = post({ idempotencyKey: 'mismatch of the bulk' });
    const { results } = await send({ posts: [first, first, { ...first, content: 'Other' }] });
    expect(results.map((result) => [result.status, result.idempotencyMismatch])).toEqual([
      ['created', false],
      ['replayed', false],
      ['replayed', true],
    ]);
  });

  it('says of no post with null fields that it has another body, whichever request was first', async () => {
    const nulls = { scheduledFor: null, externalId: null, metadata: null };
    const key = (idempotencyKey: string) => post({ ...nulls, idempotencyKey });
    await call('createPost', { apiKey, body: key('alone first') });
    await send({ posts: [key('bulk first')] });
    const { results } = await send({ posts: [key('alone first'), key('bulk first')] });
    expect(results.map((result) => [result.status, result.idempotencyMismatch])).toEqual([
      ['replayed', false],
      ['replayed', false],
    ]);
    const { status, body } = await call('createPost', { apiKey, body: key('bulk first') });
    expect([status, body['idempotencyMismatch']]).toEqual([200, false]);
  });

  it('stores nothing in a dry run', async () => {
    const listed = async () => (await call('listPosts', { apiKey, query: 'limit=500' })).body;
    const before = await listed();
    const { results, valid } = await send({ posts: [post(), post({ scheduledFor: 'auto' })], dryRun: true });
    expect([valid, results.map(({ status, postId }) => [status, postId])]).toEqual([
      2,
      [
        ['valid', null],
        ['valid', null],
      ],
    ]);
    expect(await listed()).toEqual(before);
  });

  it('takes the idempotency key of the header for posts without their own', async () => {
    const parts = { headers: { 'idempotency-key': 'the header of a bulk' } };
    const statuses = async () =>
      (await send({ posts: [post(), post()] }, parts)).results.map((each) => each.status);
    expect(await statuses()).toEqual(['created', 'created']);
    expect(await statuses()).toEqual(['replayed', 'replayed']);
  });

  const wrong: readonly [what: string, body: () => unknown, field: string][] = [
    ['no posts', () => ({}), 'posts'],
    ['an empty list', () => ({ posts: [] }), 'posts'],
    ['a post instead of a list', () => ({ posts: post() }), 'posts'],
    ['too many posts', () => ({ posts: Array(maxBulkPosts + 1).fill(post()) }), 'posts'],
    ['a text as dryRun', () => ({ posts: [post()], dryRun: 'yes' }), 'dryRun'],
  ];
  it.each(wrong)('refuses a request with %s as a whole', async (_what, body, field) => {
    const answer = await call('createPosts', { apiKey, body: body() });
    expect([answer.status, answer.body['param']]).toEqual([400, field]);
  });

  it('refuses each post with more files to import than may be open, and creates the others', async () => {
    const opened = await openWorkspace(table);
    const { workspaceId } = opened.context;
    const { id: accountId } = await storeAccount(table, workspaceId);
    const importing = (count: number, name: string) => ({
      platforms: [{ accountId }],
      mediaItems: Array.from({ length: count }, (_, index) => ({
        url: `https://files.example.com/${name}-${index}.jpg`,
      })),
    });
    await setOpenImports(table, workspaceId, maxOpenImports - 37);
    const posts = [
      importing(35, 'first'),
      importing(3, 'second'),
      { platforms: [{ accountId }], content: 'without a file' },
      importing(2, 'third'),
      importing(1, 'fourth'),
    ];
    const keyed = { headers: { 'idempotency-key': 'at the limit' }, apiKey: opened.apiKey };
    const { results, failed } = await send({ posts }, keyed);
    expect(results.map(({ status }) => status)).toEqual([
      'created',
      'failed',
      'created',
      'created',
      'failed',
    ]);
    expect(failed).toBe(2);
    const refused = (place: string, open: number, needed: number) => ({
      code: 'too_many_imports',
      param: place,
      error: `${place}: the workspace has ${open} open imports, and may have 500; this request needs ${needed}. Wait until some have ended, then send it again`,
    });
    expect(results[1]).toEqual({
      index: 1,
      status: 'failed',
      postId: null,
      post: null,
      error: refused('posts[1].mediaItems[2].url', 498, 3),
      idempotencyMismatch: false,
      problems: [],
      warnings: [],
    });
    expect(results[4]?.error).toEqual(refused('posts[4].mediaItems[0].url', 500, 1));
    expect(await openImportsOf(table, workspaceId)).toBe(maxOpenImports);
    await setOpenImports(table, workspaceId, 0);
    const again = await send({ posts }, keyed);
    expect([again.created, again.replayed, again.failed]).toEqual([2, 3, 0]);
  });

  it('leaves out the posts that do not fit into the response, and says which they are', async () => {
    // One character of content is three bytes of UTF-8.
    const large = (index: number) => post({ content: '面'.repeat(30_000), idempotencyKey: `large ${index}` });
    const indexes = Array.from({ length: 60 }, (_, index) => index);
    for (const part of [indexes.slice(0, 30), indexes.slice(30)])
      expect((await send({ posts: part.map(large) })).created).toBe(30);
    const posts = indexes.map((index) => ({ ...large(index), content: '' }));
    const answer = await call('createPosts', { apiKey, body: { posts } });
    expect(Buffer.byteLength(answer.text)).toBeLessThanOrEqual(maxReplyBytes + 1_000);
    const { results, replayed } = answer.body as unknown as BulkReply;
    expect(replayed).toBe(60);
    expect(results.every(({ postId }) => postId !== null)).toBe(true);
    const shown = results.filter((result) => result.post !== null).length;
    expect(shown).toBeGreaterThan(40);
    expect(shown).toBeLessThan(60);
  });

  it('bounds the response to posts in which everything is wrong', async () => {
    const name = 'x'.repeat(10_000);
    const options = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`${name}${index}`, 1]));
    const each = post({ platforms: [{ accountId: account.id, platformSpecificData: options }] });
    const answer = await call('createPosts', {
      apiKey,
      body: { posts: Array(100).fill(each), dryRun: true },
    });
    expect(answer.status).toBe(200);
    expect(Buffer.byteLength(answer.text)).toBeLessThan(maxReplyBytes);
  });
});
