import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { sealTokens } from '../../../lib/accounts/tokens/store.ts';
import { Vault } from '../../../lib/accounts/vault.ts';
import { type CreateAutomationContext, createAutomation } from '../../../lib/automations/create.ts';
import { CreateAutomationBody } from '../../../lib/automations/request-schemas.ts';
import { queryAutomations } from '../../../lib/automations/store.ts';
import { hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import type { AccountPost } from '../../../lib/platforms/contract/messaging.ts';
import type { PlatformTools } from '../../../lib/platforms/contract/tools.ts';
import { instagramMessages } from '../../../lib/platforms/instagram/messaging.ts';
import { tokensKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { claimLivePost } from '../../../lib/targets/live-posts.ts';
import { openWorkspace, startMs, storeAccount, storePost } from '../../support/builders.ts';
import { memoryDataKeys } from '../../support/data-keys.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const vault = new Vault(memoryDataKeys(), () => startMs);

let context: CreateAutomationContext;
let account: Account;
/** The platform's answer about a post. */
let answer: () => Promise<boolean>;
/** The posts that the platform lists. */
let listed: () => AccountPost[];
/** The posts that the platform was asked for, each with the token. */
let asked: [platformPostId: string, accessToken: string][];

beforeEach(async () => {
  const opened = await openWorkspace(table);
  account = await storeAccount(table, opened.context.workspaceId);
  answer = async () => true;
  listed = () => [];
  asked = [];
  context = {
    ...opened.context,
    linkBaseUrl: 'https://api.example.com',
    stageFeatures: {},
    vault,
    toolsFor: async () => ({}) as PlatformTools,
    commentPlatformFor: () => ({
      ...instagramMessages,
      listPosts: async () => ({ posts: listed(), after: undefined }),
      postExists: ({ platformPostId, accessToken }) => {
        asked.push([platformPostId, accessToken]);
        return answer();
      },
    }),
  };
  const ciphertext = await sealTokens(vault, account, {
    accessToken: 'a token',
    obtainedAt: toTimestamp(startMs),
    scopes: [],
  });
  const tokens = { kind: 'tokens', ciphertext, version: 1, obtainedAt: toTimestamp(startMs) };
  const Item = { ...tokensKey(account.workspaceId, account.id), ...tokens };
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
});

const create = (changes: object = {}) =>
  createAutomation(
    context,
    CreateAutomationBody.parse({
      accountId: account.id,
      platformPostId: '178',
      commentReply: 'Thanks',
      ...changes,
    }),
  );

const automations = async () =>
  (await queryAutomations(table, context.workspaceId, { limit: 10 })).automations.map(({ id }) => id);

describe('a post that Herald did not publish', () => {
  it('is accepted if the platform shows it to the account', async () => {
    const { automation, isExisting } = await create();
    expect(isExisting).toBe(false);
    expect(await automations()).toEqual([automation.id]);
    expect(asked).toEqual([['178', 'a token']]);
  });

  it('is not asked for if Herald published it, or if it has an automation', async () => {
    const { workspaceId, id: accountId } = account;
    await claimLivePost(table, {
      platform: 'instagram',
      workspaceId,
      accountId,
      platformPostId: '178',
      postId: 'a post',
    });
    await create();
    expect((await create()).isExisting).toBe(true);
    expect(asked).toEqual([]);
  });

  it.each(['platformPostId', 'postId'])(
    'is not found if Herald published it and it is gone: %s',
    async (name) => {
      const { workspaceId, id: accountId } = account;
      const platformPostId = `gone, by its ${name}`;
      const live = { accountId, status: 'published', platformPostId } as const;
      const { post } = await storePost(table, workspaceId, [{ ...live, removedAt: toTimestamp(startMs) }]);
      const { id: postId } = post;
      await claimLivePost(table, { platform: 'instagram', workspaceId, accountId, platformPostId, postId });
      const names = name === 'postId' ? { platformPostId: undefined, postId } : { platformPostId };
      await expect(create(names)).rejects.toMatchObject({ code: 'not_found' });
      expect(asked).toEqual([]);
    },
  );

  it('is not asked for if the automation is refused anyway', async () => {
    await expect(create({ commentReply: 'x'.repeat(2_201) })).rejects.toMatchObject({
      code: 'field_too_long',
    });
    expect(asked).toEqual([]);
  });

  it.each<[what: string, said: () => Promise<boolean>]>([
    ['does not know', async () => false],
    ['will never show', () => Promise.reject(new PlatformError('rejected', 'No permission.'))],
  ])(
    'that the platform %s is reported like the account of another workspace: not found',
    async (_what, said) => {
      answer = said;
      const { context: foreign } = await openWorkspace(table);
      const other = await storeAccount(table, foreign.workspaceId);
      const [ofNobody, ofAnother] = await Promise.all(
        [create(), create({ accountId: other.id })].map((made) => made.catch((error: unknown) => error)),
      );
      expect(ofNobody).toMatchObject({ code: 'not_found' });
      expect((ofAnother as Error).message).toBe((ofNobody as Error).message);
      expect(await automations()).toEqual([]);
    },
  );

  it.each([
    ['retry', 'platform_unavailable', 120],
    ['unknown', 'platform_unavailable', 120],
    ['reauthorise', 'account_expired', undefined],
    ['restricted', 'account_expired', undefined],
  ] as const)('that cannot be asked for (%s) is refused as %s', async (remedy, code, retryAfterSeconds) => {
    answer = () => Promise.reject(new PlatformError(remedy, 'Not now.', { retryAfterSeconds: 120 }));
    await expect(create()).rejects.toMatchObject({ code, retryAfterSeconds });
    expect(await automations()).toEqual([]);
  });

  it('is refused with what to do if the account has no token', async () => {
    account = await storeAccount(table, context.workspaceId);
    await expect(create()).rejects.toMatchObject({
      code: 'account_expired',
      message: expect.stringMatching(/^accountId: connect the account again/),
    });
  });

  it('gets one automation, even if many requests create one while the platform is asked', async () => {
    const made = await Promise.all(Array.from({ length: 5 }, () => create()));
    expect(made.filter(({ isExisting }) => !isExisting)).toHaveLength(1);
    expect(new Set(made.map(({ automation }) => automation.id)).size).toBe(1);
    expect(await automations()).toHaveLength(1);
  });
});

describe('an automation of the next post', () => {
  const next = () => create({ appliesTo: 'next_post', platformPostId: undefined });
  const published = (id: string, publishedMs: number): AccountPost => ({
    platformPostId: id,
    publishedMs,
    text: null,
    permalink: null,
    pictureUrl: null,
    kind: 'image',
  });

  it('is created once while no post has gone live', async () => {
    const { automation } = await next();
    listed = () => [published('1', context.now - hourMs)];
    expect(await next()).toMatchObject({ isExisting: true, automation: { id: automation.id } });
  });

  it('exists as long as the platform cannot be asked for its post', async () => {
    const { automation } = await next();
    listed = () => {
      throw new PlatformError('retry', 'Not now.');
    };
    expect(await next()).toMatchObject({ isExisting: true, automation: { id: automation.id } });
  });

  it('does not count as existing once its post is live, even if nobody has commented on it', async () => {
    const { automation: first } = await next();
    const { now } = context;
    listed = () => [published('2', now + hourMs), published('1', now + minuteMs)];
    context = { ...context, now: now + 2 * hourMs };
    const second = await next();
    expect(second).toMatchObject({ isExisting: false, automation: { platformPostId: null } });
    const { automation: found } = await create({ platformPostId: '1' });
    expect(found.id).not.toBe(first.id);
    const all = await queryAutomations(table, context.workspaceId, { limit: 10 });
    expect(all.automations.find(({ id }) => id === first.id)).toMatchObject({ platformPostId: 'NEXT#1' });
    expect(await next()).toMatchObject({ isExisting: true, automation: { id: second.automation.id } });
  });
});
