import { beforeAll, describe, expect, it } from 'vitest';
import { dayMs, minuteMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import type { Media } from '../../../../lib/media/schemas.ts';
import { completeUpload } from '../../../../lib/media/uploads/complete-upload.ts';
import { commitPost } from '../../../../lib/posts/stored/commit-post.ts';
import { findMediaUsage } from '../../../../lib/posts/stored/media-usage.ts';
import type { Post } from '../../../../lib/posts/stored/schemas.ts';
import { insertPostItems } from '../../../../lib/posts/stored/store.ts';
import { mediaKey } from '../../../../lib/table/keys.ts';
import type { Table } from '../../../../lib/table/table.ts';
import type { Target } from '../../../../lib/targets/schemas.ts';
import { aPost, aTarget, referenceTo, startMs, storePost } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { granted, openStorage, type Storage } from '../../media/fixture.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

async function openLibrary(): Promise<Storage & { readonly file: Media }> {
  const storage = await openStorage(table);
  const file = granted(await storage.grant(400));
  storage.upload(file, 400);
  await completeUpload(table, storage.bucket, file.objectKey, storage.now());
  return { ...storage, file };
}

const published: Partial<Target> = { status: 'published', publishedAt: toTimestamp(startMs) };
const done = ({ wakeAt: _none, ...target }: Target): Target => target;

/** Stores a post with these targets. Targets that are neither scheduled nor publishing have no wake. */
async function store(
  { workspaceId }: { workspaceId: string },
  targets: readonly Partial<Target>[],
  changes: Partial<Post>,
): Promise<string> {
  const id = newId(startMs);
  const owned = targets.map((target, position) => {
    const full = aTarget({ position, accountId: newId(startMs), ...target, workspaceId, postId: id });
    return full.status === 'scheduled' || full.status === 'publishing' ? full : done(full);
  });
  const post = aPost(owned, { ...changes, id, workspaceId });
  const after = { post, targets: owned };
  const outcome = await commitPost(table, startMs, { items: insertPostItems(table, after), after });
  if (!outcome.committed) throw new Error('not stored');
  return id;
}

const step = { accountIds: [newId(startMs)], afterMinutes: 5, options: '{}' };

describe('a file cannot be deleted while', () => {
  type Case = (file: Media) => [targets: Partial<Target>[], changes: Partial<Post>];
  it.each<[string, Case]>([
    ['a scheduled post has it', (file) => [[{}], { mediaItems: [referenceTo(file)] }]],
    ['it is the cover of a scheduled post', (file) => [[{}], { cover: referenceTo(file) }]],
    ['a scheduled destination has it', (file) => [[{}, { mediaItems: [referenceTo(file)] }], {}]],
    ['it is being published', (file) => [[{ status: 'publishing' }], { mediaItems: [referenceTo(file)] }]],
    [
      'one destination is not live yet',
      (file) => [[published, {}], { status: 'publishing', mediaItems: [referenceTo(file)] }],
    ],
    [
      'a followUp that uses it is waiting',
      (file) => [
        [published],
        {
          status: 'published',
          chain: [{ ...step, kind: 'followUp', status: 'waiting', mediaItems: [referenceTo(file)] }],
        },
      ],
    ],
    [
      'a crossPost of its post is waiting',
      (file) => [
        [published],
        {
          status: 'published',
          mediaItems: [referenceTo(file)],
          chain: [{ ...step, kind: 'crossPost', status: 'waiting' }],
        },
      ],
    ],
    [
      'a post’s status is ahead of its destinations',
      (file) => [[{}], { status: 'failed', mediaItems: [referenceTo(file)] }],
    ],
  ])('%s', async (_what, post) => {
    const { file, ...storage } = await openLibrary();
    const postId = await store(storage, ...post(file));
    await expect(storage.delete(file)).rejects.toMatchObject({
      code: 'media_in_use',
      message: `a scheduled post uses the file: ${postId}`,
    });
    expect(await storage.free()).toBe(600);
  });
});

describe('a file can be deleted if', () => {
  type Case = (file: Media) => [targets: Partial<Target>[], changes: Partial<Post>];
  it.each<[string, Case]>([
    [
      'its post is published',
      (file) => [[published], { status: 'published', mediaItems: [referenceTo(file)] }],
    ],
    [
      'its post has failed',
      (file) => [[{ status: 'failed' }], { status: 'failed', mediaItems: [referenceTo(file)] }],
    ],
    [
      'its post is a draft',
      (file) => [[{ status: 'draft' }], { status: 'draft', mediaItems: [referenceTo(file)] }],
    ],
    [
      'the scheduled destination has its own files',
      (file) => [[published, { mediaItems: [] }], { status: 'publishing', mediaItems: [referenceTo(file)] }],
    ],
    [
      'the step that used it has become a post',
      (file) => [
        [published],
        {
          status: 'published',
          chain: [{ ...step, kind: 'followUp', status: 'fired', mediaItems: [referenceTo(file)] }],
        },
      ],
    ],
  ])('%s', async (_what, post) => {
    const { file, ...storage } = await openLibrary();
    await store(storage, ...post(file));
    await storage.delete(file);
    expect(await storage.free()).toBe(1_000);
  });
});

describe('a deleted file', () => {
  it('is hidden and frees its quota immediately; its object is removed a minute later', async () => {
    const { file, ...storage } = await openLibrary();
    await storage.delete(file);
    await expect(storage.delete(file)).rejects.toMatchObject({ code: 'not_found' });
    expect(await storage.free()).toBe(1_000);
    expect(storage.bucket.objects.size).toBe(1);
    storage.pass(minuteMs);
    await storage.sweep();
    expect(storage.bucket.objects.size).toBe(0);
    expect(await storage.find(file)).toBeUndefined();
  });

  it('keeps its object for as long as a request that saw the file may still store a post with it', async () => {
    const { file, ...storage } = await openLibrary();
    await storage.delete(file);
    storage.pass(minuteMs - 1);
    await storage.sweep();
    expect(storage.bucket.objects.size).toBe(1);
    await store(storage, [{}], { mediaItems: [referenceTo(file)] });
    storage.pass(1);
    await storage.sweep();
    expect(storage.bucket.objects.size).toBe(1);
    expect(await storage.find(file)).not.toHaveProperty('removedAt');
  });

  it('is restored, with its quota, for a post that was stored in the meantime', async () => {
    const { file, ...storage } = await openLibrary();
    await storage.delete(file);
    await store(storage, [{}], { mediaItems: [referenceTo(file)] });
    storage.pass(minuteMs);
    await storage.sweep();
    expect(storage.bucket.objects.size).toBe(1);
    expect(await storage.find(file)).toMatchObject({ status: 'ready', reservedBytes: 400 });
    expect(await storage.find(file)).not.toHaveProperty('removedAt');
    expect(await storage.free()).toBe(600);
  });

  it('that is uploaded again leaves no object behind', async () => {
    const { file, ...storage } = await openLibrary();
    await storage.delete(file);
    storage.upload(file, 100);
    expect(await storage.arrived(file)).toBe('ready');
    expect([...storage.bucket.objects.keys()]).toEqual([file.objectKey]);
    storage.pass(minuteMs);
    await storage.sweep();
    expect(storage.bucket.objects.size).toBe(0);
    storage.upload(file, 100);
    expect(await storage.arrived(file)).toBe('not ours');
    expect(storage.bucket.objects.size).toBe(0);
    expect(await storage.free()).toBe(1_000);
  });
});

describe('a use that is written ahead of its post', () => {
  it('counts for two minutes, whether the post is written or not', async () => {
    const { file, ...storage } = await openLibrary();
    const { workspaceId } = storage;
    const targets = Array.from({ length: 49 }, (_, position) =>
      aTarget({ workspaceId, position, accountId: newId(startMs), postId: file.id }),
    );
    const post = aPost(targets, { id: file.id, workspaceId, mediaItems: [referenceTo(file)] });
    const items = insertPostItems(table, { post, targets });
    const never = {
      Update: {
        TableName: table.name,
        Key: mediaKey(workspaceId, file.id),
        UpdateExpression: 'SET x = :x',
        ConditionExpression: 'attribute_not_exists(pk)',
        ExpressionAttributeValues: { ':x': 1 },
      },
    };
    const change = { items: [...items, never], after: { post, targets } };
    const outcome = await commitPost(table, startMs, change).catch(() => undefined);
    expect(outcome?.committed).not.toBe(true);
    expect(await findMediaUsage(table, file, startMs + minuteMs)).toEqual({ scheduledPostId: post.id });
    expect(await findMediaUsage(table, file, startMs + 2 * minuteMs)).toEqual({});
  });
});

describe('the cleanup', () => {
  const cleaned = async (
    targets: Partial<Target>[],
    changes: (file: Media) => Partial<Post>,
    days: number[],
  ) => {
    const { file, ...storage } = await openLibrary();
    await store(storage, targets, changes(file));
    const isThere: boolean[] = [];
    let passed = 0;
    for (const day of days) {
      storage.pass((day - passed) * dayMs);
      passed = day;
      await storage.sweep();
      storage.pass(minuteMs);
      await storage.sweep();
      isThere.push(storage.bucket.objects.size > 0);
    }
    return isThere;
  };
  const withFile = (file: Media) => ({ mediaItems: [referenceTo(file)] });
  const live = (day: number): Partial<Target> => ({
    status: 'published',
    publishedAt: toTimestamp(startMs + day * dayMs),
  });

  it('removes a file 30 days after it was published, not before', async () => {
    const post = (file: Media) => ({ ...withFile(file), status: 'published' as const });
    expect(await cleaned([live(20)], post, [29, 30, 49.9, 50])).toEqual([true, true, true, false]);
  });

  it('counts from the last publication', async () => {
    const post = (file: Media) => ({ ...withFile(file), status: 'published' as const });
    expect(await cleaned([live(1), live(25)], post, [30, 31, 54.9, 55])).toEqual([true, true, true, false]);
  });

  it('keeps a file that a scheduled post or a draft needs, or that was never published', async () => {
    const days = [31, 61, 92];
    const kept = [true, true, true];
    const partly = (file: Media) => ({ ...withFile(file), status: 'publishing' as const });
    expect(await cleaned([live(0), {}], partly, days)).toEqual(kept);
    const draft = (file: Media) => ({ ...withFile(file), status: 'draft' as const });
    expect(await cleaned([{ status: 'draft' }], draft, days)).toEqual(kept);
    expect(await cleaned([{}], () => ({}), days)).toEqual(kept);
  });

  it('leaves a file alone that was published long ago, as long as a draft has it', async () => {
    const { file, ...storage } = await openLibrary();
    await store(storage, [published], { ...withFile(file), status: 'published' });
    await store(storage, [{ status: 'draft' }], { ...withFile(file), status: 'draft' });
    storage.pass(31 * dayMs);
    await storage.sweep();
    expect(await storage.find(file)).toMatchObject({ status: 'ready', reservedBytes: 400 });
    expect(await storage.find(file)).not.toHaveProperty('removedAt');
  });

  it('restores a file for a draft that was stored while the file was being removed', async () => {
    const { file, ...storage } = await openLibrary();
    await store(storage, [published], { ...withFile(file), status: 'published' });
    storage.pass(31 * dayMs);
    await storage.sweep();
    expect(await storage.find(file)).toHaveProperty('removedAt');
    await store(storage, [{ status: 'draft' }], { ...withFile(file), status: 'draft' });
    storage.pass(minuteMs);
    await storage.sweep();
    expect(await storage.find(file)).not.toHaveProperty('removedAt');
  });

  it('lets the records of unused grants expire after a week', async () => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    storage.pass(dayMs);
    await storage.sweep();
    const seconds = Math.ceil((storage.now() + 7 * dayMs) / 1_000);
    expect(await storage.find(media)).toMatchObject({ reservedBytes: 0, expiresAtSeconds: seconds });
  });
});

it('the files of a post stored by the usual builder have their uses recorded', async () => {
  const { file, ...storage } = await openLibrary();
  const { post } = await storePost(table, storage.workspaceId, [{}], { mediaItems: [referenceTo(file)] });
  expect(await findMediaUsage(table, file, startMs)).toEqual({
    scheduledPostId: post.id,
    isReferredTo: true,
  });
});
