import { beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import { findPost } from '../../../lib/posts/stored/store.ts';
import { unpublishPost } from '../../../lib/posts/unpublish.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { openWorkspace, startMs, storeAccount, storePost } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

interface Destination extends Partial<Target> {
  readonly account?: Partial<Account>;
}

const live = { status: 'published', wakeAt: undefined, publishedAt: toTimestamp(startMs) } as const;
const permalink = 'https://platform.example/1';

/** Stores a post with a destination on each of these platforms, live unless told otherwise. */
async function openPost(...destinations: (Destination & { readonly platform: Platform })[]) {
  const { context } = await openWorkspace(table);
  const { workspaceId } = context;
  const targets = await Promise.all(
    destinations.map(async ({ account, platform, ...target }, index) => {
      const { id: accountId } = await storeAccount(table, workspaceId, { platform, ...account });
      return { accountId, platform, platformPostId: `1_${index}`, permalink, ...live, ...target };
    }),
  );
  const { post } = await storePost(table, workspaceId, targets);
  const accountIds = targets.map(({ accountId }) => accountId);
  return {
    post,
    accountIds,
    unpublish: (named?: readonly (string | undefined)[], changes: object = {}) =>
      unpublishPost({ ...context, now: startMs, stageFeatures: {}, ...changes }, post.id, {
        ...(named && { accountIds: named.map((accountId) => accountId ?? '') }),
      }),
    states: async () => {
      const found = await findPost(table, workspaceId, post.id);
      return found?.targets
        .toSorted((left, right) => left.position - right.position)
        .map(({ removal }) => removal?.state);
    },
  };
}

describe('a request to take a post down', () => {
  it('asks for all that is live, and leaves the rest alone', async () => {
    const { unpublish, states } = await openPost(
      { platform: 'facebook' },
      { platform: 'linkedin', status: 'scheduled' },
      { platform: 'pinterest' },
    );
    const { targets } = await unpublish();
    expect(targets.filter(({ removal }) => removal !== undefined)).toHaveLength(2);
    expect(await states()).toEqual(['requested', undefined, 'requested']);
  });

  it('asks for the named destinations only, even if one is named twice', async () => {
    const { unpublish, states, accountIds } = await openPost(
      { platform: 'facebook' },
      { platform: 'pinterest' },
    );
    await unpublish([accountIds[1], accountIds[1]]);
    expect(await states()).toEqual([undefined, 'requested']);
  });

  it.each<[string, string, Destination & { platform: Platform }]>([
    ['is a draft', 'post_not_live', { platform: 'facebook', status: 'draft' }],
    ['waits', 'post_not_live', { platform: 'facebook', status: 'scheduled' }],
    ['has failed', 'post_not_live', { platform: 'facebook', status: 'failed' }],
    ['is being published', 'post_publishing', { platform: 'facebook', status: 'publishing' }],
    [
      'has a part of unknown outcome',
      'call_may_take_effect',
      {
        platform: 'threads',
        status: 'partial',
        calls: [
          {
            ...{ intentAt: toTimestamp(startMs), endedAt: toTimestamp(startMs), token: {} },
            ...{ outcome: 'unknown', lookups: 1, misses: 1 },
          },
        ],
      },
    ],
    ['is on Instagram', 'removal_by_person', { platform: 'instagram' }],
    ['is on TikTok', 'removal_by_person', { platform: 'tiktok' }],
    [
      'is a story on Facebook',
      'removal_by_person',
      { platform: 'facebook', options: { contentType: 'story' } },
    ],
    ['is on Threads without the permission', 'removal_by_person', { platform: 'threads' }],
    [
      'is on YouTube with the permission to upload only',
      'removal_by_person',
      { platform: 'youtube', account: { scopes: ['https://www.googleapis.com/auth/youtube.upload'] } },
    ],
    ['has no id', 'removal_by_person', { platform: 'facebook', platformPostId: undefined }],
  ])('is refused, and changes nothing, if a destination %s', async (_what, code, destination) => {
    const { unpublish, states, accountIds } = await openPost({ platform: 'pinterest' }, destination);
    await expect(unpublish(accountIds)).rejects.toMatchObject({ code });
    expect(await states()).toEqual([undefined, undefined]);
    await unpublish(accountIds.slice(0, 1));
    expect(await states()).toEqual(['requested', undefined]);
  });

  it('says where a person can delete what Herald cannot', async () => {
    const { unpublish } = await openPost({ platform: 'instagram' });
    await expect(unpublish()).rejects.toMatchObject({
      kind: 'conflict',
      byPerson: { permalink },
      message: expect.stringContaining('Instagram lets no app delete posts'),
    });
  });

  it.each<[Platform, Partial<Account>, object]>([
    ['threads', { scopes: ['threads_basic', 'threads_content_publish', 'threads_delete'] }, {}],
    ['youtube', { scopes: ['upload', 'readonly', 'force-ssl'].map(scopeOfYoutube) }, {}],
    ['linkedin', {}, {}],
    ['pinterest', {}, {}],
  ])('is accepted on %s with the permission', async (platform, account, changes) => {
    const { unpublish, states } = await openPost({ platform, account });
    await unpublish(undefined, changes);
    expect(await states()).toEqual(['requested']);
  });

  it('asks an operator to allow what the stage does not', async () => {
    const scopes = ['upload', 'readonly', 'force-ssl'].map(scopeOfYoutube);
    const { unpublish } = await openPost({ platform: 'youtube', account: { scopes } });
    const changes = { stageFeatures: { youtube: ['publish', 'comments'] } };
    await expect(unpublish(undefined, changes)).rejects.toThrow(
      'the operator of this service has not enabled',
    );
  });

  it('is refused for an account that is no destination', async () => {
    const { unpublish, accountIds } = await openPost({ platform: 'facebook' });
    await expect(unpublish([accountIds[0], newId(startMs)])).rejects.toMatchObject({
      code: 'account_unknown',
      param: 'accountIds[1]',
    });
  });

  it('is refused if nothing is live', async () => {
    const { unpublish } = await openPost({ platform: 'facebook', status: 'failed' });
    await expect(unpublish()).rejects.toMatchObject({ code: 'post_not_live' });
  });

  it('is not heard of in another workspace', async () => {
    const { post } = await openPost({ platform: 'facebook' });
    const { context } = await openWorkspace(table);
    await expect(unpublishPost({ ...context, stageFeatures: {} }, post.id, {})).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it.each(['requested', 'removed'] as const)('changes nothing if the removal is %s', async (state) => {
    const { unpublish, states } = await openPost({
      platform: 'facebook',
      removal: { state, by: 'service' },
      ...(state === 'removed' ? { removedAt: toTimestamp(startMs) } : { wakeAt: toTimestamp(startMs) }),
    });
    const [before] = (await unpublish()).targets;
    expect(before?.removal).toEqual({ state, by: 'service' });
    expect(await states()).toEqual([state]);
  });
});

function scopeOfYoutube(name: string): string {
  return `https://www.googleapis.com/auth/${name === 'force-ssl' ? 'youtube.force-ssl' : `youtube.${name}`}`;
}
