import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { sealTokens } from '../../../lib/accounts/tokens/store.ts';
import { Vault } from '../../../lib/accounts/vault.ts';
import {
  type AccountPostsContext,
  AccountPostsQuery,
  listAccountPosts,
} from '../../../lib/automations/account-posts.ts';
import { minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { commentPlatformFor } from '../../../lib/platforms/registry/comment-platforms.ts';
import { tokensKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { claimLivePost } from '../../../lib/targets/live-posts.ts';
import { openWorkspace, startMs, storeAccount } from '../../support/builders.ts';
import { memoryDataKeys } from '../../support/data-keys.ts';
import { type ControlAnswer, openInstagram, type SimulatedInstagram } from '../../support/instagram.ts';
import { createTestTable } from '../../support/table.ts';
import { putAutomation } from './fixture.ts';

const vault = new Vault(memoryDataKeys(), () => startMs);
let instagram: SimulatedInstagram;
let table: Table;
let context: AccountPostsContext;
let account: Account;
/** The posts at Instagram, newest first. */
const posts: ControlAnswer[] = [];
beforeAll(async () => {
  instagram = await openInstagram();
  for (let made = 0; made < 5; made += 1) {
    const { username } = instagram.account;
    posts.unshift(await instagram.act('posts', { username, caption: `Post ${made}` }));
    instagram.clock.time += minuteMs;
  }
});
beforeEach(async () => {
  table = await createTestTable();
  const opened = await openWorkspace(table);
  const { platformAccountId, username, tokens } = instagram.account;
  account = await storeAccount(table, opened.context.workspaceId, { platformAccountId, username });
  context = {
    ...opened.context,
    vault,
    commentPlatformFor,
    toolsFor: async () => instagram.tools,
  };
  const { accessToken } = tokens;
  const obtainedAt = toTimestamp(startMs);
  const ciphertext = await sealTokens(vault, account, { accessToken, obtainedAt, scopes: [] });
  const Item = {
    ...tokensKey(account.workspaceId, account.id),
    kind: 'tokens',
    ciphertext,
    version: 1,
    obtainedAt,
  };
  await table.client.send(new PutCommand({ TableName: table.name, Item }));
});
afterAll(() => instagram.close());

const list = (query: object = {}, of = account.id) =>
  listAccountPosts(context, of, AccountPostsQuery.parse(query));

describe('the posts of an account', () => {
  it('are listed newest first, with text, picture and address, page by page', async () => {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list({ limit: '2', ...(cursor !== undefined && { cursor }) });
      ids.push(...page.posts.map(({ platformPostId }) => platformPostId));
      expect(page.posts[0]).toEqual({
        platformPostId: expect.any(String),
        postId: null,
        automationId: null,
        kind: expect.stringMatching(/image|video|carousel/),
        text: expect.any(String),
        permalink: expect.stringMatching(/^https:\/\/www\.instagram\.com\//),
        pictureUrl: expect.stringMatching(/^https:/),
        publishedAt: expect.any(String),
      });
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(ids).toEqual(posts.map(({ id }) => id));
  });

  it('say which post of Herald and which automation they have', async () => {
    const platformPostId = posts[0]?.id ?? '';
    const postId = newId(startMs);
    const { workspaceId, id: accountId } = account;
    await claimLivePost(table, { platform: 'instagram', workspaceId, accountId, platformPostId, postId });
    const { id: automationId } = await putAutomation(table, account, { platformPostId });
    const { posts: found } = await list({ limit: '2' });
    expect(found).toMatchObject([
      { postId, automationId },
      { postId: null, automationId: null },
    ]);
  });

  it('are found by their address, with any query string', async () => {
    const wanted = posts[3];
    const found = await list({ permalink: `${String(wanted?.['permalink'])}?img_index=1` });
    expect(found).toMatchObject({ posts: [{ platformPostId: wanted?.id }], nextCursor: null });
    expect(await list({ permalink: 'https://www.instagram.com/p/unknown/' })).toEqual({
      posts: [],
      nextCursor: null,
    });
  });

  it('are refused for other accounts, other platforms and foreign cursors', async () => {
    const other = await storeAccount(table, account.workspaceId, { platform: 'threads' });
    await expect(list({}, other.id)).rejects.toMatchObject({ code: 'account_platform' });
    await expect(list({}, newId(startMs))).rejects.toMatchObject({ code: 'not_found' });
    const { nextCursor } = await list({ limit: '1' });
    const again = await storeAccount(table, account.workspaceId);
    await expect(list({ cursor: nextCursor ?? '' }, again.id)).rejects.toMatchObject({
      code: 'cursor_invalid',
    });
  });

  it('are refused with what to do if the account has no token', async () => {
    const without = await storeAccount(table, account.workspaceId);
    await expect(list({}, without.id)).rejects.toMatchObject({ code: 'account_expired' });
  });
});
