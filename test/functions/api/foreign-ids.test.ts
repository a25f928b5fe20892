import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, it } from 'vitest';
import { newId } from '../../../lib/kernel/ids.ts';
import { operations } from '../../../lib/operations.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Call, openApi } from '../../support/api.ts';
import { storeAutomation } from '../../support/automations.ts';
import { openWorkspace, startMs, storeAccount, storeMedia, storePost } from '../../support/builders.ts';
import { storeDelivery, storeWebhook } from '../../support/webhooks.ts';

let table: Table;
let call: Call;
let apiKey: string;
let foreign: {
  accountId: string;
  postId: string;
  webhookId: string;
  deliveryId: string;
  automationId: string;
  mediaId: string;
};
let foreignWorkspaceId: string;
/** Everything that the other workspace has, before anyone asks for it. */
let foreignItems: readonly unknown[];

beforeAll(async () => {
  ({ table, call } = await openApi());
  ({ apiKey } = await openWorkspace(table));
  const { context } = await openWorkspace(table);
  const account = await storeAccount(table, context.workspaceId);
  const { post } = await storePost(table, context.workspaceId, [{ accountId: account.id }]);
  const webhook = await storeWebhook(table, context.workspaceId);
  const delivery = await storeDelivery(table, webhook, { status: 'failed' });
  const automation = await storeAutomation(table, context.workspaceId, { accountId: account.id });
  const media = await storeMedia(table, context.workspaceId);
  foreign = {
    accountId: account.id,
    postId: post.id,
    webhookId: webhook.id,
    deliveryId: delivery.id,
    automationId: automation.id,
    mediaId: media.id,
  };
  foreignWorkspaceId = context.workspaceId;
  foreignItems = await itemsOf(foreignWorkspaceId);
});

async function itemsOf(workspaceId: string): Promise<readonly unknown[]> {
  const FilterExpression = 'workspaceId = :workspaceId OR contains(pk, :workspaceId)';
  const ExpressionAttributeValues = { ':workspaceId': workspaceId };
  const { Items = [] } = await table.client.send(
    new ScanCommand({ TableName: table.name, FilterExpression, ExpressionAttributeValues }),
  );
  return Items.toSorted((left, right) =>
    `${left['pk']} ${left['sk']}` < `${right['pk']} ${right['sk']}` ? -1 : 1,
  );
}

const byId = operations
  .filter(({ path }) => path.includes('{id}'))
  .map(({ id, path }) => [id, path] as const);

const nounOf = (path: string) => {
  if (path.includes('/accounts/')) return 'accountId';
  if (path.includes('/media/')) return 'mediaId';
  if (path.includes('/comment-automations/')) return 'automationId';
  return path.includes('/webhooks/') ? 'webhookId' : 'postId';
};

/** Bodies that would change something. Operations without a body here take none. */
const bodies: Readonly<Record<string, object>> = {
  'posts-edit': { content: 'mine now' },
  'rhythm-set': { gapMinutes: 60 },
  'webhooks-edit': { description: 'mine now' },
  'webhooks-redeliver-failed': { since: '2026-01-01T00:00:00Z' },
  'comment-automations-edit': { name: 'mine now' },
  'accounts-create-board': { name: 'mine now' },
  'accounts-create-board-section': { name: 'mine now' },
};

it('each operation that takes a body has one here', () => {
  const withBody = operations.filter(({ body, path }) => body && path.includes('{id}'));
  expect(withBody.map(({ id }) => id).sort()).toEqual(Object.keys(bodies).sort());
});

it.each(byId)('%s responds to a foreign id exactly as to an unknown one', async (id, path) => {
  const own = foreign[nounOf(path)];
  const { deliveryId } = foreign;
  const ask = (asked: string) =>
    call(id, { apiKey, path: { id: asked, deliveryId, boardId: '1' }, body: bodies[id] });
  const [ofAnother, ofNobody] = [await ask(own), await ask(newId(startMs))];
  expect(ofAnother.status).toBe(404);
  expect([ofAnother.status, ofAnother.text]).toEqual([ofNobody.status, ofNobody.text]);
  const names = (headers: object) => Object.keys(headers).sort();
  expect(names(ofAnother.headers)).toEqual(names(ofNobody.headers));
});

it.each(byId)('%s finds nothing for a text that is not an id', async (id) => {
  const known = await call(id, { apiKey, path: { id: newId(startMs) }, body: bodies[id] });
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
    const answer = await call(id, { apiKey, path: { id: asked }, body: bodies[id] });
    expect([answer.status, answer.text]).toEqual([known.status, known.text]);
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
  expect(await itemsOf(foreignWorkspaceId)).toEqual(foreignItems);
});
