import { beforeAll, describe, expect, it } from 'vitest';
import { dayMs, minuteMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { newId, sha256 } from '../../../../lib/kernel/ids.ts';
import { createPost } from '../../../../lib/posts/create.ts';
import { listPosts } from '../../../../lib/posts/list/list-posts.ts';
import { readPost } from '../../../../lib/posts/read.ts';
import { retryPost } from '../../../../lib/posts/retry.ts';
import { rollUpPost } from '../../../../lib/posts/roll-up.ts';
import { indexPost } from '../../../../lib/posts/search/index-post.ts';
import { findMediaUsage } from '../../../../lib/posts/stored/media-usage.ts';
import { findPost } from '../../../../lib/posts/stored/store.ts';
import { relayChanges, toRelay } from '../../../../lib/publishing/relay/relay.ts';
import { unconditionally } from '../../../../lib/table/condition.ts';
import { deleteItem, getItem, updateItem } from '../../../../lib/table/items.ts';
import {
  claimedExternalIdKey,
  externalIdKey,
  type Key,
  livePostKey,
  postKey,
  targetKey,
} from '../../../../lib/table/keys.ts';
import { readRetention } from '../../../../lib/table/retention.ts';
import type { Table } from '../../../../lib/table/table.ts';
import type { Target } from '../../../../lib/targets/schemas.ts';
import { updateTarget } from '../../../../lib/targets/store.ts';
import { startMs } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { inOneHour, openFixture } from '../fixture.ts';

const keptDays = 100;
const dueMs = Date.parse(inOneHour);
const expiresAtSeconds = (dueMs + keptDays * dayMs) / 1_000;
const atExpiry = expiresAtSeconds * 1_000;

let table: Table;
beforeAll(async () => {
  table = { ...(await createTestTable()), retention: readRetention({ posts: keptDays }) };
});

/** A scheduled post to two accounts, with an external id that it claims. */
async function openScheduled(kept: Table = table) {
  const fixture = await openFixture(kept);
  const { context, instagram, second } = fixture;
  const externalId = newId(startMs);
  const labels = { externalId, externalIdUnique: true };
  const platforms = [{ accountId: instagram.id }, { accountId: second.id }];
  const created = await fixture.create({ scheduledFor: inOneHour, platforms, ...labels });
  const { workspaceId } = context;
  const { id } = created.post;
  const stored = async () => {
    const found = await findPost(kept, workspaceId, id);
    if (!found) throw new Error('the post was not found');
    return found;
  };
  const settle = async (position: number, changes: Partial<Target>, atMs = dueMs) => {
    const target = (await stored()).targets.find((each) => each.position === position);
    if (!target) throw new Error('no such target');
    const publishing = await updateTarget(kept, target, { status: 'publishing' }, newId(atMs));
    const failed = changes.status === 'failed' ? { failedAt: toTimestamp(atMs) } : {};
    await updateTarget(kept, publishing, { wakeAt: null, ...failed, ...changes } as object, newId(atMs));
    await rollUpPost(kept, workspaceId, id, atMs);
  };
  const publish = (position: number, atMs = dueMs) =>
    settle(
      position,
      { status: 'published', publishedAt: toTimestamp(atMs), platformPostId: `live-${id}-${position}` },
      atMs,
    );
  const expiryAt = async (key: Key) => (await getItem(kept, key))?.['expiresAtSeconds'];
  return { ...fixture, workspaceId, id, externalId, stored, settle, publish, expiryAt };
}

describe('a post of a stage that keeps posts for 100 days', () => {
  it('expires 100 days after its last destination went live, with everything that belongs to it', async () => {
    const { workspaceId, id, externalId, instagram, second, publish, expiryAt } = await openScheduled();
    await publish(0, dueMs - 5_000);
    expect(await expiryAt(postKey(workspaceId, id))).toBeUndefined();
    expect(await expiryAt(targetKey(workspaceId, id, instagram.id))).toBeUndefined();
    await publish(1);
    const keys = [
      postKey(workspaceId, id),
      targetKey(workspaceId, id, instagram.id),
      targetKey(workspaceId, id, second.id),
      livePostKey(instagram.platform, `live-${id}-0`),
      livePostKey(second.platform, `live-${id}-1`),
      externalIdKey(workspaceId, sha256(externalId), id),
      claimedExternalIdKey(workspaceId, sha256(externalId)),
    ];
    for (const key of keys) expect([key.sk, await expiryAt(key)]).toEqual([key.sk, expiresAtSeconds]);
  });

  it('expires if it has failed, from its failure on', async () => {
    const { workspaceId, id, settle, expiryAt } = await openScheduled();
    await settle(0, { status: 'failed' });
    await settle(1, { status: 'failed' }, dueMs + dayMs);
    expect(await expiryAt(postKey(workspaceId, id))).toBe(expiresAtSeconds + dayMs / 1_000);
  });

  it('is kept again as long as a failed destination is retried, with its external id', async () => {
    const post = await openScheduled();
    const { context, workspaceId, id, externalId, instagram, second, publish, settle, expiryAt } = post;
    await publish(0);
    await settle(1, { status: 'failed' });
    await retryPost({ ...context, now: dueMs + dayMs }, id);
    const kept = [
      postKey(workspaceId, id),
      targetKey(workspaceId, id, second.id),
      externalIdKey(workspaceId, sha256(externalId), id),
      claimedExternalIdKey(workspaceId, sha256(externalId)),
    ];
    for (const key of kept) expect([key.sk, await expiryAt(key)]).toEqual([key.sk, undefined]);
    // A target that is due to be tried again changes within moments, so roll-ups wait for that.
    await rollUpPost(table, workspaceId, id, dueMs + dayMs + minuteMs);
    expect(await expiryAt(targetKey(workspaceId, id, instagram.id))).toBeUndefined();
  });

  it('gets its time once: a roll-up that changes nothing writes nothing', async () => {
    const { workspaceId, id, publish, stored } = await openScheduled();
    await publish(0);
    await publish(1);
    const before = (await stored()).post;
    await rollUpPost(table, workspaceId, id, dueMs + dayMs);
    expect((await stored()).post).toEqual(before);
  });

  it('gets its time from a rebuild if it was settled before posts expired, and its `updatedAt` stays', async () => {
    const { workspaceId, id, publish, stored } = await openScheduled({
      ...table,
      retention: readRetention({}),
    });
    await publish(0);
    await publish(1);
    const { updatedAt } = (await stored()).post;
    expect((await stored()).post.expiresAtSeconds).toBeUndefined();
    await rollUpPost(table, workspaceId, id, dueMs + dayMs);
    expect((await stored()).post).toMatchObject({ expiresAtSeconds, updatedAt });
  });

  it('never expires as a draft, or while it is scheduled', async () => {
    const { workspaceId, id, create, stored, expiryAt } = await openScheduled();
    const draft = await create({ isDraft: true });
    for (const postId of [id, draft.post.id]) {
      await rollUpPost(table, workspaceId, postId, atExpiry);
      expect(await expiryAt(postKey(workspaceId, postId))).toBeUndefined();
    }
    expect((await stored()).post.status).toBe('scheduled');
  });
});

describe('an expired post that DynamoDB has not removed', () => {
  async function openExpired() {
    const post = await openScheduled();
    await post.publish(0);
    await post.publish(1);
    return { ...post, later: { ...post.context, now: atExpiry } };
  }

  it('is gone for those who read it or list posts', async () => {
    const { id, context, later, externalId, instagram } = await openExpired();
    const justBefore = { ...context, now: atExpiry - 1 };
    await indexPost(table, { workspaceId: context.workspaceId, postId: id });
    expect((await readPost(justBefore, id)).post.id).toBe(id);
    await expect(readPost(later, id)).rejects.toMatchObject({ kind: 'not_found' });
    for (const filters of [
      {},
      { externalId },
      { accountId: [instagram.id] },
      { search: 'hello' },
      { sort: 'scheduledFor' as const },
    ]) {
      expect((await listPosts(justBefore, { ...filters, limit: 10 })).posts).toHaveLength(1);
      expect((await listPosts(later, { ...filters, limit: 10 })).posts).toEqual([]);
    }
  });

  it('leaves its external id to another post', async () => {
    const { later, externalId, body, workspaceId, id } = await openExpired();
    const request = body({ externalId, externalIdUnique: true, isDraft: true });
    const again = { ...later, now: atExpiry + 1_000 };
    const { post } = await createPost(again, request, { rawBody: '{}' });
    const claim = await getItem(table, claimedExternalIdKey(workspaceId, sha256(externalId)));
    expect(claim).toMatchObject({ postId: post.id });
    expect(claim).not.toHaveProperty('expiresAtSeconds');
    expect(post.id).not.toBe(id);
  });

  it('does not hide an older post that has the same external id', async () => {
    const { context, create, body } = await openFixture(table);
    const { workspaceId } = context;
    const externalId = newId(startMs);
    const older = (await create({ isDraft: true, externalId })).post;
    const expired = (await create({ isDraft: true, externalId }, {}, startMs + 1)).post;
    const seconds = startMs / 1_000 + 1;
    for (const key of [
      postKey(workspaceId, expired.id),
      externalIdKey(workspaceId, sha256(externalId), expired.id),
    ])
      await updateItem(table, key, { set: { expiresAtSeconds: seconds }, if: { pk: key.pk } });
    const request = body({ externalId, externalIdUnique: true, isDraft: true });
    const claiming = createPost({ ...context, now: startMs + 2_000 }, request, { rawBody: '{}' });
    await expect(claiming).rejects.toMatchObject({
      code: 'external_id_taken',
      message: expect.stringContaining(older.id),
    });
  });

  it('is not rolled up, although DynamoDB has removed one of its destinations', async () => {
    const { workspaceId, id, instagram, stored } = await openExpired();
    const before = (await stored()).post;
    await deleteItem(table, targetKey(workspaceId, id, instagram.id), unconditionally);
    await rollUpPost(table, workspaceId, id, atExpiry + dayMs);
    expect((await stored()).post).toEqual(before);
    expect(before.targets).toHaveLength(2);
  });

  it('no longer needs its files', async () => {
    const { workspaceId, image } = await openExpired();
    expect(await findMediaUsage(table, image, atExpiry - 1)).toMatchObject({ isReferredTo: true });
    expect(await findMediaUsage(table, { workspaceId, id: image.id }, atExpiry)).toEqual({});
  });

  it('has no effects when DynamoDB removes it', async () => {
    const { stored } = await openExpired();
    const [target] = (await stored()).targets;
    const calls: string[] = [];
    const call = (name: string) => async () => void calls.push(name);
    await relayChanges([toRelay({ before: target, after: undefined, atMs: atExpiry + dayMs }, {})], {
      table,
      now: () => atExpiry + dayMs,
      enqueue: call('enqueue'),
      enqueueDistant: call('distant'),
      stopAutomation: call('stop'),
      enqueueChain: call('chain'),
      report: ({ kind }) => calls.push(kind),
    });
    expect(calls).toEqual([]);
  });
});

it('until DynamoDB has removed them, expired posts make pages shorter, and no page costs more than one request', async () => {
  const { context, create } = await openFixture(table);
  const { workspaceId } = context;
  const posts = [];
  for (let index = 0; index < 30; index += 1)
    posts.push((await create({ isDraft: true }, {}, startMs + index)).post);
  // The newest ones, which a list reads first.
  const expired = posts.slice(10).map(({ id }) => postKey(workspaceId, id));
  for (const key of expired)
    await updateItem(table, key, {
      set: { expiresAtSeconds: Math.floor(startMs / 1_000) },
      if: unconditionally,
    });
  const pages = async () => {
    const read: { posts: number; requests: number }[] = [];
    let cursor: string | null | undefined;
    do {
      const [counted, requests] = countingRequests(table);
      const given = { ...context, table: counted, now: startMs + 1_000 };
      const page = await listPosts(given, { limit: 10, ...(cursor && { cursor }) });
      read.push({ posts: page.posts.length, requests: requests() });
      cursor = page.nextCursor;
    } while (cursor !== null);
    return read;
  };
  const costs = (await pages()).filter(({ posts: found, requests }) => found > 0 || requests > 0);
  expect(costs.map(({ posts: found }) => found).filter((found) => found > 0)).toEqual([10]);
  expect(costs.every(({ requests }) => requests === 1)).toBe(true);
  expect(costs.length).toBeLessThanOrEqual(4);
  for (const key of expired) await deleteItem(table, key, unconditionally);
  expect((await pages())[0]).toEqual({ posts: 10, requests: 1 });
});

/** The table, with a function that says how many requests it has sent. */
function countingRequests(given: Table): [Table, () => number] {
  let requests = 0;
  const { client } = given;
  const send = (command: object) => {
    requests += 1;
    return client.send(command as never);
  };
  return [{ ...given, client: Object.assign(Object.create(client), { send }) }, () => requests];
}

describe('the times of a stage', () => {
  it.each([
    [{ posts: 29 }, 'retentionDays.posts'],
    [{ deliveries: 2 }, 'retentionDays.deliveries'],
    [{ inbound: 361 }, 'retentionDays.inbound'],
    [{ audit: 1.5 }, 'retentionDays.audit'],
    [{ timelines: 5 }, 'timelines'],
  ])('%j is refused, naming %s', (given, name) => {
    expect(() => readRetention(given as object)).toThrow(name);
  });

  it('are 30 days for deliveries, 400 for the log, 8 for what people write, and none for posts by default', () => {
    expect(readRetention({})).toEqual({ deliveries: 30, audit: 400, inbound: 8 });
  });
});
