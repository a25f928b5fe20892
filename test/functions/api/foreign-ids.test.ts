import { beforeAll, expect, it } from 'vitest';
import { newId } from '../../../lib/kernel/ids.ts';
import { operations } from '../../../lib/operations.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Call, openApi } from '../../support/api.ts';
import { openWorkspace, startMs, storeAccount, storePost } from '../../support/builders.ts';

let table: Table;
let call: Call;
let apiKey: string;
let foreign: { accountId: string; postId: string };
beforeAll(async () => {
  ({ table, call } = await openApi());
  ({ apiKey } = await openWorkspace(table));
  const { context } = await openWorkspace(table);
  const account = await storeAccount(table, context.workspaceId);
  const { post } = await storePost(table, context.workspaceId, [{ accountId: account.id }]);
  foreign = { accountId: account.id, postId: post.id };
});

const byId = operations
  .filter(({ path }) => path.includes('{id}'))
  .map(({ id, path }) => [id, path] as const);

it.each(byId)('%s answers a foreign id exactly as an unknown one', async (id, path) => {
  const own = path.includes('/accounts/') ? foreign.accountId : foreign.postId;
  const ask = (asked: string) => call(id, { apiKey, path: { id: asked }, body: {} });
  const [ofAnother, ofNobody] = [await ask(own), await ask(newId(startMs))];
  expect(ofAnother.status).toBe(404);
  expect([ofAnother.status, ofAnother.text]).toEqual([ofNobody.status, ofNobody.text]);
  const names = (headers: object) => Object.keys(headers).sort();
  expect(names(ofAnother.headers)).toEqual(names(ofNobody.headers));
});

it.each(byId)('%s finds nothing under what is no id', async (id) => {
  const known = await call(id, { apiKey, path: { id: newId(startMs) }, body: {} });
  for (const asked of [
    'x',
    '',
    '..',
    '%',
    'POST',
    foreign.postId.toUpperCase(),
    `${foreign.postId} `,
    'é\u0000',
  ]) {
    const answer = await call(id, { apiKey, path: { id: asked }, body: {} });
    expect([answer.status, answer.text]).toEqual([known.status, known.text]);
  }
});

it('answers a foreign account in a post exactly as an unknown one', async () => {
  const create = (accountId: string) =>
    call('posts-create', { apiKey, body: { platforms: [{ accountId }] } });
  const [ofAnother, ofNobody] = [await create(foreign.accountId), await create(newId(startMs))];
  expect([ofAnother.status, ofAnother.text]).toEqual([400, ofNobody.text]);
});

it('lists nothing of another workspace by its account', async () => {
  const { body } = await call('posts-list', { apiKey, query: `accountId=${foreign.accountId}` });
  expect(body).toEqual({ posts: [], nextCursor: null });
});
