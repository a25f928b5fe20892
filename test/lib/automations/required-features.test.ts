import { beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { Vault } from '../../../lib/accounts/vault.ts';
import { createAutomation } from '../../../lib/automations/create.ts';
import { editAutomation } from '../../../lib/automations/edit.ts';
import { CreateAutomationBody } from '../../../lib/automations/request-schemas.ts';
import type { Feature } from '../../../lib/platforms/contract/features.ts';
import type { PlatformTools } from '../../../lib/platforms/contract/tools.ts';
import { messagingLimits as limits } from '../../../lib/platforms/instagram/limits.ts';
import { instagramMessages } from '../../../lib/platforms/instagram/messaging.ts';
import { featuresFor } from '../../../lib/platforms/registry/features.ts';
import type { Table } from '../../../lib/table/table.ts';
import { claimLivePost } from '../../../lib/targets/live-posts.ts';
import { openWorkspace, startMs, storeAccount } from '../../support/builders.ts';
import { memoryDataKeys } from '../../support/data-keys.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

/** An account that has granted these features, with a live post, and the requests that concern it. */
async function connected(...features: readonly Feature[]) {
  const { context } = await openWorkspace(table);
  const { scopes } = featuresFor('instagram');
  const account: Account = await storeAccount(table, context.workspaceId, {
    scopes: ['publish' as const, ...features].flatMap((name) => scopes[name] ?? []),
  });
  const { workspaceId, id: accountId } = account;
  await claimLivePost(table, {
    platform: 'instagram',
    workspaceId,
    accountId,
    platformPostId: '178',
    postId: 'a post',
  });
  const ports = {
    ...context,
    linkBaseUrl: 'https://api.example.com',
    stageFeatures: {},
    vault: new Vault(memoryDataKeys(), () => startMs),
    toolsFor: async () => ({}) as PlatformTools,
    commentPlatformFor: () => instagramMessages,
    limits,
  };
  return {
    create: (body: object, stageFeatures = {}) =>
      createAutomation(
        { ...ports, stageFeatures },
        CreateAutomationBody.parse({ accountId, platformPostId: '178', ...body }),
      ),
    edit: (id: string, body: object) => editAutomation(ports, id, body),
  };
}

const refusal = (feature: Feature) => ({
  code: 'feature_missing',
  fields: { accountId: [expect.stringContaining(`needs the feature ${feature}, which`)] },
});

describe('a comment automation', () => {
  it.each<[what: string, body: object, has: Feature[], lacks: Feature]>([
    ['a reply', { commentReply: 'Thanks' }, [], 'comments'],
    ['a message', { dmMessage: 'Hello' }, ['comments'], 'messages'],
    ['a message', { dmMessage: 'Hello' }, ['messages'], 'comments'],
  ])('with %s is refused for an account with %j %j', async (_what, body, has, lacks) => {
    const { create } = await connected(...has);
    await expect(create(body)).rejects.toMatchObject(refusal(lacks));
  });

  it.each(['story_replies', 'direct_messages'])(
    'that messages start needs only messages: %s',
    async (name) => {
      const body = { platformPostId: undefined, appliesTo: name, keywords: ['link'], dmMessage: 'Hello' };
      expect(await (await connected('messages')).create(body)).toMatchObject({ isExisting: false });
      await expect((await connected('comments')).create(body)).rejects.toMatchObject(refusal('messages'));
    },
  );

  it('with a message is refused if the operator has not enabled messages', async () => {
    const { create } = await connected('comments', 'messages');
    const without = { instagram: ['publish', 'comments'] };
    await expect(create({ dmMessage: 'Hello' }, without)).rejects.toMatchObject(refusal('messages'));
    expect(await create({ commentReply: 'Thanks' }, without)).toMatchObject({ isExisting: false });
  });

  it('gets no message later if the account lacks messages, but can be turned off', async () => {
    const { create, edit } = await connected('comments');
    const { automation } = await create({ commentReply: 'Thanks' });
    await expect(edit(automation.id, { dmMessage: 'Hello' })).rejects.toMatchObject(refusal('messages'));
    expect(await edit(automation.id, { isActive: false })).toMatchObject({ id: automation.id });
  });
});
