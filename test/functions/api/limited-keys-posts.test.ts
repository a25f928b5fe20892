import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/accounts/schemas.ts';
import type { Context } from '../../../lib/api-contract/context.ts';
import { hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Call, openApi } from '../../support/api.ts';
import { openWorkspace, startMs, storeAccount, storeMedia, storePost } from '../../support/builders.ts';
import { storeLimitedKey } from '../../support/limited-key.ts';
import { itemsOf } from '../../support/workspace-items.ts';

let table: Table;
let call: Call;
beforeAll(async () => {
  ({ table, call } = await openApi());
});

/** A workspace with two accounts of the limited key and one outside its list. */
let context: Context;
let fullKey: string;
let limitedKey: string;
let own: Account;
let second: Account;
let outside: Account;
beforeEach(async () => {
  ({ context, apiKey: fullKey } = await openWorkspace(table));
  const { workspaceId } = context;
  own = await storeAccount(table, workspaceId, { platform: 'linkedin' });
  second = await storeAccount(table, workspaceId, { platform: 'linkedin' });
  outside = await storeAccount(table, workspaceId, { platform: 'linkedin' });
  ({ apiKey: limitedKey } = await storeLimitedKey(context, [own.id, second.id]));
});

interface Shown {
  readonly id: string;
  readonly scheduledFor: string;
}
const shown = (body: Readonly<Record<string, unknown>>) => body['post'] as Shown;
const to = (...accounts: readonly { readonly id: string }[]) => accounts.map(({ id }) => ({ accountId: id }));
const followUp = (...accounts: readonly { readonly id: string }[]) => ({
  kind: 'followUp',
  accountIds: accounts.map(({ id }) => id),
  content: 'And now this',
});
const tomorrow = () => toTimestamp(Date.now() + 24 * hourMs);

const create = (apiKey: string, body: object, headers: Record<string, string> = {}) =>
  call('createPost', { apiKey, headers, body: { content: 'Hello', ...body } });
async function created(apiKey: string, body: object): Promise<string> {
  const reply = await create(apiKey, body);
  expect(reply.status).toBe(201);
  return shown(reply.body).id;
}
const statusOf = async (apiKey: string, id: string) =>
  (await call('getPost', { apiKey, path: { id } })).status;

describe('a post', () => {
  const cases: readonly [what: string, isVisible: boolean, body: () => object][] = [
    ['without destinations', true, () => ({ isDraft: true })],
    ['for one account of the list', true, () => ({ platforms: to(own) })],
    ['for several accounts of the list', true, () => ({ platforms: to(own, second) })],
    ['for an account outside the list', false, () => ({ platforms: to(outside) })],
    ['for accounts inside and outside the list', false, () => ({ platforms: to(own, outside) })],
    ['whose chain is for the list', true, () => ({ platforms: to(own), chain: [followUp(second)] })],
    ['whose chain leaves the list', false, () => ({ platforms: to(own), chain: [followUp(outside)] })],
    [
      'whose second step leaves the list',
      false,
      () => ({ platforms: to(own), chain: [followUp(own), followUp(second, outside)] }),
    ],
  ];

  it.each(cases)('%s is visible to the limited key: %s', async (_what, isVisible, body) => {
    const id = await created(fullKey, body());
    expect(await statusOf(fullKey, id)).toBe(200);
    expect(await statusOf(limitedKey, id)).toBe(isVisible ? 200 : 404);
    const { body: listed } = await call('listPosts', { apiKey: limitedKey });
    expect((listed['posts'] as readonly Shown[]).map((post) => post.id)).toEqual(isVisible ? [id] : []);
  });

  it('disappears for the limited key once an edit adds an account outside its list, and comes back', async () => {
    const id = await created(fullKey, { platforms: to(own) });
    const edit = (body: object) => call('updatePost', { apiKey: fullKey, path: { id }, body });
    await edit({ platforms: to(own, outside) });
    expect(await statusOf(limitedKey, id)).toBe(404);
    await edit({ platforms: to(own) });
    expect(await statusOf(limitedKey, id)).toBe(200);
    await edit({ chain: [followUp(outside)] });
    expect(await statusOf(limitedKey, id)).toBe(404);
  });

  it('of a chain is visible by its own destinations, and its parent by those of the parent', async () => {
    const { workspaceId } = context;
    const parent = await storePost(table, workspaceId, [{ accountId: outside.id }]);
    const parentPostId = parent.post.id;
    const child = await storePost(table, workspaceId, [{ accountId: own.id }], { parentPostId });
    const { status, body } = await call('getPost', { apiKey: limitedKey, path: { id: child.post.id } });
    expect([status, shown(body)]).toEqual([200, expect.objectContaining({ parentPostId })]);
    expect(await statusOf(limitedKey, parentPostId)).toBe(404);
  });
});

describe('a request that names an account outside the list', () => {
  const requests: readonly [what: string, body: (accountId: string) => object][] = [
    ['as destination', (id) => ({ platforms: to({ id }) })],
    ['as one of several destinations', (id) => ({ platforms: to(own, { id }) })],
    ['with the wrong platform', (id) => ({ platforms: [{ accountId: id, platform: 'tiktok' }] })],
    [
      'with an option that its platform does not have',
      (id) => ({ platforms: [{ accountId: id, platformSpecificData: { thumbnailUrl: 'x', boardId: 1 } }] }),
    ],
    ['for a free slot', (id) => ({ platforms: to(own, { id }), scheduledFor: 'auto' })],
    ['at a time', (id) => ({ platforms: to({ id }), scheduledFor: tomorrow() })],
    ['in a chain', (id) => ({ platforms: to(own), chain: [followUp({ id })] })],
    [
      'in a crossPost',
      (id) => ({ platforms: to(own), chain: [{ kind: 'crossPost', accountIds: [second.id, id] }] }),
    ],
    [
      'in a chain with options',
      (id) => ({
        platforms: to(own),
        chain: [{ ...followUp(own, { id }), options: { [id]: { boardId: 1 } } }],
      }),
    ],
  ];
  const withoutIds = (text: string, accountId: string) => text.replaceAll(accountId, 'ID');

  describe.each(['createPost', 'createPosts', 'validatePost', 'updatePost'])('of %s', (operationId) => {
    it.each(requests)('%s is treated exactly as if the account were unknown', async (_what, bodyFor) => {
      const id = await created(limitedKey, { platforms: to(own) });
      const before = await itemsOf(table, context.workspaceId);
      const ask = async (accountId: string) => {
        const post = { content: 'Hello', ...bodyFor(accountId) };
        const body = operationId === 'createPosts' ? { posts: [post] } : post;
        const { status, text } = await call(operationId, { apiKey: limitedKey, path: { id }, body });
        return { status, text: withoutIds(text, accountId) };
      };
      const ofOutside = await ask(outside.id);
      expect(ofOutside).toEqual(await ask(newId(startMs)));
      expect(ofOutside.status).toBe(['validatePost', 'createPosts'].includes(operationId) ? 200 : 400);
      expect(ofOutside.text).toContain('no such account');
      expect(await itemsOf(table, context.workspaceId)).toEqual(before);
    });
  });
});

describe('an automatic slot', () => {
  it('keeps away from posts that the key does not see, on accounts that it does', async () => {
    const auto = async (apiKey: string, ...accounts: readonly Account[]) => {
      const reply = await create(apiKey, { platforms: to(...accounts), scheduledFor: 'auto' });
      expect(reply.status).toBe(201);
      return shown(reply.body).scheduledFor;
    };
    const taken = await auto(fullKey, own, outside);
    expect(await auto(limitedKey, second)).toBe(taken);
    expect(await auto(limitedKey, own)).not.toBe(taken);
  });
});

describe('an idempotency key whose post the API key may not see', () => {
  const uses: readonly [where: string, body: object, headers: Record<string, string>][] = [
    ['in the body', { idempotencyKey: 'k' }, {}],
    ['in the header', {}, { 'idempotency-key': 'k' }],
    ['as the id of the same request', {}, { 'x-request-id': 'k' }],
  ];

  it.each(uses)('%s is refused without the post, and nothing is created', async (_where, body, headers) => {
    const request = { platforms: to(own), ...body };
    const { body: first } = await create(fullKey, request, headers);
    const { id } = shown(first);
    await call('updatePost', { apiKey: fullKey, path: { id }, body: { platforms: to(outside) } });
    const before = await itemsOf(table, context.workspaceId);
    const { status, body: refusal, text } = await create(limitedKey, request, headers);
    expect([status, refusal['code']]).toEqual([409, 'idempotency_key_foreign']);
    expect(refusal['error']).toMatch(/^idempotencyKey: /);
    expect(text).not.toContain(id);
    expect(await itemsOf(table, context.workspaceId)).toEqual(before);
    const again = await create(fullKey, request, headers);
    expect([again.status, shown(again.body).id]).toEqual([200, id]);
  });

  it('is found again if the API key may see the post, whoever created it', async () => {
    const request = { platforms: to(own), idempotencyKey: 'k' };
    const { body: first } = await create(fullKey, request);
    const { status, body } = await create(limitedKey, request);
    expect([status, shown(body).id]).toEqual([200, shown(first).id]);
  });
});

describe('a list of posts', () => {
  /** Stores posts from oldest to newest, and returns their ids from newest to oldest. */
  async function storeAll(destinations: readonly (readonly Account[])[]): Promise<string[]> {
    const ids: string[] = [];
    for (const [index, accounts] of destinations.entries()) {
      const targets = accounts.map(({ id }) => ({ accountId: id }));
      const { post } = await storePost(table, context.workspaceId, targets, { id: newId(startMs + index) });
      ids.unshift(post.id);
    }
    return ids;
  }
  async function pages(query: string): Promise<string[][]> {
    const found: string[][] = [];
    for (let cursor: unknown = ''; cursor !== null; ) {
      const asked = `${query}${cursor && `&cursor=${cursor}`}`;
      const { body } = await call('listPosts', { apiKey: limitedKey, query: asked });
      found.push((body['posts'] as readonly Shown[]).map(({ id }) => id));
      cursor = body['nextCursor'];
    }
    return found;
  }

  it.each(['', '&status=scheduled', 'accountId'])(
    'continues after a page on which no post is visible (filter: %s)',
    async (filter) => {
      const [newest, , , oldest] = await storeAll([[own], [own, outside], [own, outside], [own]]);
      const query = `limit=1${filter === 'accountId' ? `&accountId=${own.id}` : filter}`;
      const found = await pages(query);
      expect(found.slice(0, 4)).toEqual([[newest], [], [], [oldest]]);
      expect(found.slice(4).flat()).toEqual([]);
    },
  );

  it.each(['', '&status=scheduled'])(
    'of an account outside the list is that of an unknown account (filter: %s)',
    async (filter) => {
      await storeAll([[outside], [outside], [outside]]);
      expect(await pages(`limit=1&accountId=${outside.id}${filter}`)).toEqual([[]]);
      expect(await pages(`limit=1&accountId=${newId(startMs)}${filter}`)).toEqual([[]]);
    },
  );
});

it('a file of a post that the key does not see cannot be used in its own posts', async () => {
  const file = await storeMedia(table, context.workspaceId);
  const mediaItems = [{ type: 'image', url: `https://media.example.com/${file.objectKey}` }];
  await created(fullKey, { platforms: to(outside), mediaItems });
  const body = { content: 'x', platforms: to(own), mediaItems };
  const refused = await call('createPost', { apiKey: limitedKey, body });
  expect([refused.status, refused.body['code']]).toEqual([400, 'media_unknown']);
});
