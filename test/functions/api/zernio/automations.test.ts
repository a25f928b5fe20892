import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Table } from '../../../../lib/table/table.ts';
import { type Call, openApi } from '../../../support/api.ts';
import { openWorkspace, storeAccount } from '../../../support/builders.ts';
import { zernioClient } from '../../../support/zernio.ts';

let table: Table;
let call: Call;
let profileId: string;
let accountId: string;
let apiKey: string;
let ask: ReturnType<typeof zernioClient>;
beforeAll(async () => {
  ({ table, call } = await openApi());
});
beforeEach(async () => {
  const opened = await openWorkspace(table, { now: Date.now() });
  profileId = opened.context.workspaceId;
  ({ apiKey } = opened);
  ask = zernioClient(call, apiKey);
  ({ id: accountId } = await storeAccount(table, profileId, { platform: 'instagram' }));
});

/** Creates a draft, to which an automation can be attached. */
async function draft(): Promise<string> {
  const platforms = [{ platform: 'instagram', accountId }];
  const { body } = await ask('POST /v1/posts', { body: { content: 'Bread', platforms, isDraft: true } });
  return (body['post'] as { _id: string })._id;
}

async function create(more: object = {}) {
  const postId = await draft();
  const body = {
    profileId,
    accountId,
    postId,
    name: 'Bread',
    keywords: ['bread'],
    dmMessage: 'Here',
    ...more,
  };
  return ask('POST /v1/comment-automations', { body });
}

it('an automation is created, listed, read, changed and deleted', async () => {
  const created = await create({ linkTracking: false, matchMode: 'word' });
  expect(created).toMatchObject({
    status: 200,
    body: {
      success: true,
      automation: {
        accountId,
        platform: 'instagram',
        trigger: 'comment',
        keywords: ['bread'],
        matchMode: 'word',
        linkTracking: false,
        dmMessage: 'Here',
        stats: { totalTriggered: 0 },
      },
    },
  });
  const { id } = created.body['automation'] as { id: string };
  expect((await ask('GET /v1/comment-automations', { query: `profileId=${profileId}` })).body).toMatchObject({
    success: true,
    automations: [{ id, stats: { triggered: 0, dmsSent: 0, dmsFailed: 0, linkClicks: 0 } }],
  });
  expect((await ask(`GET /v1/comment-automations/${id}`)).body).toMatchObject({
    automation: { id, stats: { totalSent: 0 } },
    logs: [],
  });
  const changed = await ask(`PATCH /v1/comment-automations/${id}`, {
    body: { isActive: false, linkTracking: true },
  });
  expect(changed.body).toMatchObject({ success: true, automation: { isActive: false, linkTracking: true } });
  expect((await ask(`GET /v1/comment-automations/${id}/logs`)).body).toMatchObject({
    success: true,
    logs: [],
    pagination: { total: 0, hasMore: false },
  });
  expect((await ask(`DELETE /v1/comment-automations/${id}`)).body).toEqual({ success: true });
  expect((await ask(`GET /v1/comment-automations/${id}`)).status).toBe(404);
});

it.each([
  [{ excludeKeywords: ['cake'] }],
  [{ audience: { followersOnly: true } }],
  [{ audience: { followerStatus: 'follower', whenUnknown: 'verify' } }],
  [{ audience: { followerStatus: 'non_follower' } }],
  [{ dmDelaySeconds: 5 }],
  [{ dmMessageVariations: ['There'] }],
  [{ trigger: 'story_reply', platformPostId: '17900000000000000' }],
  [{ alsoMatchInDms: true }],
])('%j, which Herald would not do, is 501', async (more) => {
  expect(await create(more)).toMatchObject({ status: 501, body: { code: 'not_in_herald' } });
});

it('what asks for nothing is taken', async () => {
  expect(await create({ excludeKeywords: [], alsoMatchInDms: false, dmDelaySeconds: 0 })).toMatchObject({
    status: 200,
  });
});

const plain = (more: object = {}) => ({
  profileId,
  accountId,
  name: 'Bread',
  keywords: ['bread'],
  dmMessage: 'Here',
  ...more,
});
const createPlain = (more: object = {}) => ask('POST /v1/comment-automations', { body: plain(more) });

it.each([
  ['comment', 'every_post'],
  ['story_reply', 'story_replies'],
])('an automation without a post, started by %s, answers all of the account', async (trigger, appliesTo) => {
  const created = await createPlain({ trigger });
  expect(created.body).toMatchObject({ success: true, automation: { trigger, accountId } });
  const { id } = created.body['automation'] as { id: string };
  expect((await call('getCommentAutomation', { apiKey, path: { id } })).body).toMatchObject({
    automation: { appliesTo },
  });
  const path = `PATCH /v1/comment-automations/${id}`;
  expect((await ask(path, { body: { trigger, name: 'Rye' } })).body).toMatchObject({
    automation: { name: 'Rye', trigger },
  });
  const other = trigger === 'comment' ? 'story_reply' : 'comment';
  expect(await ask(path, { body: { trigger: other } })).toMatchObject({ status: 501 });
});

it('an automation that messages start is listed without a trigger: Zernio has no name for it', async () => {
  const body = { accountId, appliesTo: 'direct_messages', keywords: ['bread'], dmMessage: 'Here' };
  expect((await call('createCommentAutomation', { apiKey, body })).status).toBe(201);
  const { automations } = (await ask('GET /v1/comment-automations')).body as { automations: object[] };
  expect(automations).toMatchObject([{ dmMessage: 'Here' }]);
  expect(automations[0]).not.toHaveProperty('trigger');
});

it('an unknown trigger is refused under its name', async () => {
  expect(await createPlain({ trigger: 'odd' })).toMatchObject({ status: 400, body: { param: 'trigger' } });
});

it('the audience of a follow gate is taken and shown with it', async () => {
  const audience = { followerStatus: 'follower', whenUnknown: 'verify' };
  const followGate = { message: 'Do you follow?', buttonLabel: 'Yes', notFollowingMessage: 'Follow first' };
  expect((await createPlain({ audience, followGate })).body).toMatchObject({
    automation: { audience, followGate },
  });
});
