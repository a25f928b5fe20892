import { beforeAll, expect, it } from 'vitest';
import { newId } from '../../../lib/kernel/ids.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Call, openApi } from '../../support/api.ts';
import { openWorkspace, startMs } from '../../support/builders.ts';
import { bodiesById, nounOf, operationsById, type StoredIds, storeOneOfEach } from '../../support/by-id.ts';
import { storeWebhook } from '../../support/webhooks.ts';
import { itemsOf } from '../../support/workspace-items.ts';

let table: Table;
let call: Call;
let apiKey: string;
let foreign: StoredIds;
let foreignWorkspaceId: string;
/** Everything that the other workspace has, before anyone asks for it. */
let foreignItems: readonly unknown[];

beforeAll(async () => {
  ({ table, call } = await openApi());
  ({ apiKey } = await openWorkspace(table));
  const { context } = await openWorkspace(table);
  foreign = await storeOneOfEach(table, context.workspaceId);
  foreignWorkspaceId = context.workspaceId;
  foreignItems = await itemsOf(table, foreignWorkspaceId);
});

/** Path parameters besides ids of Herald. */
const others = { boardId: '1', platformPostId: '1' };
const byId = operationsById.map(({ id, path }) => [id, path] as const);

it('each operation that takes a body has one here', () => {
  const withBody = operationsById.filter(({ body }) => body);
  expect(withBody.map(({ id }) => id).sort()).toEqual(Object.keys(bodiesById).sort());
});

it.each(byId)('%s responds to a foreign id exactly as to an unknown one', async (id, path) => {
  const own = foreign[nounOf(path)];
  const { deliveryId, accountId } = foreign;
  const ask = (asked: string) =>
    call(id, { apiKey, path: { ...others, id: asked, deliveryId, accountId }, body: bodiesById[id] });
  const [ofAnother, ofNobody] = [await ask(own), await ask(newId(startMs))];
  expect(ofAnother.status).toBe(404);
  expect([ofAnother.status, ofAnother.text]).toEqual([ofNobody.status, ofNobody.text]);
  const names = (headers: object) => Object.keys(headers).sort();
  expect(names(ofAnother.headers)).toEqual(names(ofNobody.headers));
});

it.each(byId)('%s finds nothing for an id in upper case', async (id) => {
  const ask = (asked: string) =>
    call(id, { apiKey, path: { ...foreign, ...others, id: asked }, body: bodiesById[id] });
  const [unknown, upper] = [await ask(newId(startMs)), await ask(foreign.postId.toUpperCase())];
  expect([upper.status, upper.text]).toEqual([unknown.status, unknown.text]);
});

it.each(byId)('%s is no route with a text that is not an id, whatever else is wrong', async (id, path) => {
  for (const asked of ['x', 'health', '..', '%', 'POST', `${foreign.postId} `, 'é\u0000']) {
    const at = { ...foreign, ...others, id: asked };
    const answer = await call(id, { apiKey, path: at, query: 'limit=x', rawBody: '{' });
    expect([answer.status, answer.body['code']]).toEqual([404, 'route_unknown']);
    expect(answer.body['error']).toMatch(/^no such route: (GET|POST|PUT|PATCH|DELETE) \/v1\//);
    expect(path).toContain('{id}');
  }
});

it('a foreign account in a post is treated exactly as an unknown one', async () => {
  const create = (accountId: string) =>
    call('posts-create', { apiKey, body: { platforms: [{ accountId }] } });
  const [ofAnother, ofNobody] = [await create(foreign.accountId), await create(newId(startMs))];
  expect([ofAnother.status, ofAnother.text]).toEqual([400, ofNobody.text]);
});

it('posts of another workspace cannot be listed by its account', async () => {
  const { body } = await call('posts-list', { apiKey, query: `accountId=${foreign.accountId}` });
  expect(body).toEqual({ posts: [], nextCursor: null });
});

it('a delivery of a foreign webhook, requested under an own one, is unknown', async () => {
  const { context, apiKey: ownKey } = await openWorkspace(table);
  const { id } = await storeWebhook(table, context.workspaceId);
  const ask = (deliveryId: string) =>
    call('webhooks-redeliver', { apiKey: ownKey, path: { id, deliveryId } });
  const [ofAnother, ofNobody] = [await ask(foreign.deliveryId), await ask(newId(startMs))];
  expect([ofAnother.status, ofAnother.text]).toEqual([404, ofNobody.text]);
});

it('automations of another workspace cannot be listed by its account', async () => {
  const { body } = await call('comment-automations-list', {
    apiKey,
    query: `accountId=${foreign.accountId}`,
  });
  expect(body).toEqual({ automations: [], nextCursor: null });
});

it('none of this changes anything in the other workspace', async () => {
  expect(foreignItems.length).toBeGreaterThan(5);
  expect(await itemsOf(table, foreignWorkspaceId)).toEqual(foreignItems);
});
