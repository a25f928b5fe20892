import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verbs } from '../../../lib/access/verbs.ts';
import type { Context } from '../../../lib/api-contract/context.ts';
import type { Operation } from '../../../lib/api-contract/operation.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { operations } from '../../../lib/operations.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Call, openApi } from '../../support/api.ts';
import { storeAutomation } from '../../support/automations.ts';
import { openWorkspace, startMs, storeAccount, storePost } from '../../support/builders.ts';
import { bodiesById, nounOf, operationsById, type StoredIds, storeOneOfEach } from '../../support/by-id.ts';
import { storeLimitedKey } from '../../support/limited-key.ts';
import { itemsOf } from '../../support/workspace-items.ts';

let table: Table;
let call: Call;
beforeAll(async () => {
  ({ table, call } = await openApi());
});

/** A workspace with an account of the limited key and one outside its list. */
let context: Context;
let fullKey: string;
let limitedKey: string;
let own: StoredIds;
let outside: StoredIds;
beforeEach(async () => {
  ({ context, apiKey: fullKey } = await openWorkspace(table));
  outside = await storeOneOfEach(table, context.workspaceId);
  own = await storeOneOfEach(table, context.workspaceId);
  ({ apiKey: limitedKey } = await storeLimitedKey(context, [own.accountId]));
});

const withKey = operations.filter(({ access }) => access === 'key');
const isAboutAllAccounts = ({ verb }: Operation) => verb !== undefined && verbs[verb].isAboutAllAccounts;
/** Saved texts belong to no account: every key of the workspace may put them into its posts. */
const ofNoAccount = ['getSnippet'];
const limitedById = operationsById
  .filter((operation) => !isAboutAllAccounts(operation) && !ofNoAccount.includes(operation.id))
  .map(({ id, path }) => [id, path] as const);

const ask = (apiKey: string, operationId: string, id: string, { accountId } = outside) =>
  call(operationId, {
    apiKey,
    path: { id, accountId, boardId: '1', platformPostId: '1' },
    body: bodiesById[operationId],
  });

describe('an operation on one thing, with a key that is limited to some accounts', () => {
  it.each(limitedById)(
    '%s responds to an id outside the list exactly as to an unknown one',
    async (id, path) => {
      const before = await itemsOf(table, context.workspaceId);
      const noun = nounOf(path);
      const [ofOutside, ofNobody] = [
        await ask(limitedKey, id, outside[noun]),
        await ask(limitedKey, id, newId(startMs)),
      ];
      expect(ofOutside.status).toBe(404);
      expect([ofOutside.status, ofOutside.text]).toEqual([ofNobody.status, ofNobody.text]);
      expect(Object.keys(ofOutside.headers).sort()).toEqual(Object.keys(ofNobody.headers).sort());
      expect(await itemsOf(table, context.workspaceId)).toEqual(before);
    },
  );

  it.each(limitedById)('%s finds it with a key that has no limit', async (id, path) => {
    expect((await ask(fullKey, id, outside[nounOf(path)])).status).not.toBe(404);
  });

  it.each(limitedById)('%s finds what belongs to the accounts of the list', async (id, path) => {
    expect((await ask(limitedKey, id, own[nounOf(path)], own)).status).not.toBe(404);
  });

  const aboutAll = withKey.filter(isAboutAllAccounts).map(({ id }) => [id]);
  it.each(aboutAll)('%s is refused, because it concerns all accounts', async (id) => {
    const { webhookId, deliveryId } = own;
    const path = { id: webhookId, deliveryId, state: 'x', platform: 'instagram' };
    const { status, body } = await call(id, { apiKey: limitedKey, path, body: {} });
    expect([status, body['code']]).toEqual([403, 'key_limited_to_accounts']);
  });
});

describe('an operation without an id in its path', () => {
  /** The operations' treatment of accounts outside the list, each with the tests that prove it. */
  const treatments: Readonly<Record<string, string>> = {
    getWorkspace: 'counts only the accounts of the list (below)',
    listAccounts: 'leaves them out (below)',
    listCommentAutomations: 'leaves out their automations (below)',
    listLinks: 'leaves out their automations (below)',
    createCommentAutomation: 'treats them as unknown (below)',
    listEvents: 'leaves out events about them (test/lib/webhooks/feed/read.test.ts)',
    listMetrics: 'leaves out their posts (test/lib/insights/list.test.ts)',
    listBestPosts: 'leaves out their posts (test/lib/insights/list.test.ts)',
    listPosts: 'leaves out their posts (limited-keys-posts.test.ts)',
    createPost: 'treats them as unknown (limited-keys-posts.test.ts)',
    createPosts: 'treats them as unknown (limited-keys-posts.test.ts)',
    validatePost: 'treats them as unknown (limited-keys-posts.test.ts)',
    listMedia: 'leaves out files of others (limited-keys-media.test.ts)',
    presignMedia: 'makes a file of the key (limited-keys-media.test.ts)',
    importMedia: 'makes a file of the key (limited-keys-media.test.ts)',
    listTags: 'shows the tags of the workspace, which belong to no account',
    listSnippets: 'shows the saved texts of the workspace, which belong to no account',
  };

  it('is listed here with how it treats the accounts outside the list', () => {
    const others = withKey.filter(
      (operation) => !operation.path.includes('{') && !isAboutAllAccounts(operation),
    );
    expect(others.map(({ id }) => id).sort()).toEqual(Object.keys(treatments).sort());
  });

  it('has an id in its path if it has another path parameter, unless it concerns all accounts', () => {
    const others = withKey.filter(({ path }) => path.includes('{') && !path.includes('{id}'));
    expect(others.filter((operation) => !isAboutAllAccounts(operation))).toEqual([]);
  });
});

const idsIn = (body: Readonly<Record<string, unknown>>, items: string) =>
  (body[items] as readonly { readonly id: string }[]).map(({ id }) => id);

/** Reads all pages of a list, one item at a time. */
async function readPages(apiKey: string, operationId: string, items: string, filter = ''): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: unknown = ''; cursor !== null; ) {
    const query = `limit=1${filter}${cursor && `&cursor=${cursor}`}`;
    const { status, body } = await call(operationId, { apiKey, query });
    expect(status).toBe(200);
    ids.push(...idsIn(body, items));
    cursor = body['nextCursor'];
  }
  return ids;
}

describe('GET /v1/accounts and GET /v1/workspace, with a limited key', () => {
  it('show and count only the accounts of the list', async () => {
    const { body } = await call('listAccounts', { apiKey: limitedKey });
    expect(idsIn(body, 'accounts')).toEqual([own.accountId]);
    const counts = async (apiKey: string) => (await call('getWorkspace', { apiKey })).body['workspace'];
    expect(await counts(limitedKey)).toMatchObject({ counts: { accounts: 1 } });
    expect(await counts(fullKey)).toMatchObject({ counts: { accounts: 2 } });
  });

  it('leave out an account of the list that is disconnected', async () => {
    const disconnectedAt = toTimestamp(startMs);
    const gone = await storeAccount(table, context.workspaceId, { disconnectedAt });
    const { apiKey } = await storeLimitedKey(context, [own.accountId, gone.id]);
    const { body } = await call('listAccounts', { apiKey });
    expect(idsIn(body, 'accounts')).toEqual([own.accountId]);
    expect((await call('getWorkspace', { apiKey })).body).toMatchObject({
      workspace: { counts: { accounts: 1 } },
    });
  });

  it('show nothing to a key without accounts', async () => {
    const { apiKey } = await storeLimitedKey(context, []);
    const { body } = await call('listAccounts', { apiKey });
    expect(body).toEqual({ accounts: [], nextCursor: null });
  });

  it('reach the accounts of the list page by page, with the filters too', async () => {
    const { workspaceId } = context;
    const externalId = 'customer';
    const last = await storeAccount(table, workspaceId, { externalId });
    await storeAccount(table, workspaceId, { externalId });
    const { apiKey } = await storeLimitedKey(context, [own.accountId, last.id]);
    const all = [own.accountId, last.id].sort();
    expect(await readPages(apiKey, 'listAccounts', 'accounts')).toEqual(all);
    expect(await readPages(apiKey, 'listAccounts', 'accounts', '&externalId=customer')).toEqual([last.id]);
  });
});

describe('comment automations, with a limited key', () => {
  const list = async (apiKey: string, query = '') =>
    (await call('listCommentAutomations', { apiKey, query })).body;

  it('are listed only for the accounts of the list', async () => {
    expect(idsIn(await list(limitedKey), 'automations')).toEqual([own.automationId]);
    const seen = async (apiKey: string) =>
      ((await call('listLinks', { apiKey })).body['links'] as { automation: { id: string } }[]).map(
        ({ automation }) => automation.id,
      );
    expect(await seen(limitedKey)).not.toContain(outside.automationId);
    expect(idsIn(await list(fullKey), 'automations').sort()).toEqual(
      [own.automationId, outside.automationId].sort(),
    );
  });

  it('are reached page by page', async () => {
    const { workspaceId } = context;
    const { accountId } = own;
    const newest = await storeAutomation(table, workspaceId, { id: newId(startMs + 1), accountId });
    await storeAutomation(table, workspaceId, { id: newId(startMs + 2), accountId: outside.accountId });
    expect(await readPages(limitedKey, 'listCommentAutomations', 'automations')).toEqual([
      newest.id,
      own.automationId,
    ]);
  });

  it('of an account outside the list are listed as those of an unknown account', async () => {
    expect(await list(limitedKey, `accountId=${outside.accountId}`)).toEqual(
      await list(limitedKey, `accountId=${newId(startMs)}`),
    );
  });

  it.each(['a post without an automation', 'a post that has one'])(
    'cannot be created for an account outside the list, on %s',
    async (which) => {
      const { accountId } = outside;
      const { platformPostId } = await storeAutomation(table, context.workspaceId, { accountId });
      const create = (of: string) =>
        call('createCommentAutomation', {
          apiKey: limitedKey,
          body: {
            accountId: of,
            platformPostId: which === 'a post that has one' ? platformPostId : '178',
            commentReply: 'Thanks',
          },
        });
      const before = await itemsOf(table, context.workspaceId);
      const [ofOutside, ofNobody] = [await create(accountId), await create(newId(startMs))];
      expect(ofOutside.status).toBe(404);
      expect(ofOutside.text).toBe(ofNobody.text);
      expect(await itemsOf(table, context.workspaceId)).toEqual(before);
    },
  );
});

describe('files, with a limited key', () => {
  it('that a scheduled post uses cannot be deleted, and the key is not told which post', async () => {
    const upload = { filename: 'a.jpg', contentType: 'image/jpeg' };
    const grant = (await call('presignMedia', { apiKey: limitedKey, body: upload })).body;
    const mediaItems = [{ type: 'image', url: grant['publicUrl'] }];
    const scheduledFor = toTimestamp(Date.now() + 3_600_000);
    const created = await call('createPost', {
      apiKey: fullKey,
      body: { platforms: [{ accountId: outside.accountId }], mediaItems, scheduledFor },
    });
    expect(created.status).toBe(201);
    const remove = async (apiKey: string) =>
      call('deleteMedia', { apiKey, path: { id: String(grant['mediaId']) } });
    const { id } = created.body['post'] as { readonly id: string };
    const refusal = await remove(limitedKey);
    expect([refusal.status, refusal.body['error']]).toEqual([409, 'a scheduled post uses the file']);
    expect((await remove(fullKey)).body['error']).toBe(`a scheduled post uses the file: ${id}`);
  });
});

it('posts of an account that was disconnected stay visible to the keys that may use the account, and to no others', async () => {
  const { workspaceId } = context;
  const gone = await storeAccount(table, workspaceId, { disconnectedAt: toTimestamp(startMs) });
  const { post } = await storePost(table, workspaceId, [{ accountId: gone.id }]);
  const { apiKey } = await storeLimitedKey(context, [gone.id]);
  expect((await ask(apiKey, 'getPost', post.id)).status).toBe(200);
  expect((await ask(limitedKey, 'getPost', post.id)).status).toBe(404);
});
