import { beforeAll, describe, expect, it } from 'vitest';
import { HeraldError } from '../../../lib/kernel/errors.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { maxOpenImports } from '../../../lib/media/imports/open-import.ts';
import { plannedImport } from '../../../lib/media/imports/plan-import.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { queryPosts } from '../../../lib/posts/list/read-page.ts';
import { maxImports } from '../../../lib/posts/request/external-files.ts';
import { commitPost } from '../../../lib/posts/stored/commit-post.ts';
import { validatePost } from '../../../lib/posts/validate.ts';
import { absent, present } from '../../../lib/table/condition.ts';
import { mediaPartition, repairTaskKey } from '../../../lib/table/keys.ts';
import { queryAll } from '../../../lib/table/query.ts';
import type { Table } from '../../../lib/table/table.ts';
import { checkPart, putPart } from '../../../lib/table/transaction.ts';
import { startMs, storeAccount } from '../../support/builders.ts';
import { openImportsOf, setOpenImports } from '../../support/open-imports.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, openFixture } from './fixture.ts';

type Fixture = Awaited<ReturnType<typeof openFixture>>;

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const files = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ url: `https://files.example.com/${index}.jpg` }));
const openOf = ({ context }: Fixture) => openImportsOf(table, context.workspaceId);

/** A workspace in which so many more imports may begin. */
async function openWithFree(free: number): Promise<Fixture> {
  const fixture = await openFixture(table);
  await setOpenImports(table, fixture.context.workspaceId, maxOpenImports - free);
  return fixture;
}

async function refusalOf(attempt: Promise<unknown>): Promise<HeraldError> {
  const error = await attempt.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof HeraldError)) throw new Error('it was not refused', { cause: error });
  return error;
}

/** Counts the workspace's posts and files. */
async function storedIn({ context: { workspaceId } }: Fixture) {
  const [{ posts }, media] = await Promise.all([
    queryPosts(table, workspaceId, { limit: 500 }),
    queryAll(table, { partition: mediaPartition(workspaceId) }),
  ]);
  return { posts: posts.length, media: media.length };
}

it('the limit lets the post with the most files through', () => {
  expect(maxOpenImports).toBeGreaterThanOrEqual(maxImports);
});

describe('a post with more files to import than may be open', () => {
  /** The post fits into one transaction with its imports, or its imports are written before it. */
  const sizes: readonly [what: string, destinations: number, files: number][] = [
    ['in one transaction', 1, 10],
    ['in more than one transaction', 40, 35],
  ];

  it.each(sizes)('is refused as a whole, %s', async (_what, destinations, count) => {
    const fixture = await openWithFree(count - 1);
    const accounts = Array.from({ length: destinations }, (_, index) =>
      storeAccount(table, fixture.context.workspaceId, { platformAccountId: `${index}` }),
    );
    const platforms = (await Promise.all(accounts)).map(({ id: accountId }) => ({ accountId }));
    const request = { platforms, mediaItems: files(count), isDraft: true };
    const before = await storedIn(fixture);
    const error = await refusalOf(fixture.create(request, { idempotencyKey: 'limit' }));
    expect(error).toMatchObject({
      code: 'too_many_imports',
      kind: 'rate_limited',
      param: `mediaItems[${count - 1}].url`,
      retryAfterSeconds: 60,
    });
    expect(error.message).toBe(
      `mediaItems[${count - 1}].url: the workspace has ${maxOpenImports - count + 1} open imports, and may have 500; this request needs ${count}. Wait until some have ended, then send it again`,
    );
    expect(await storedIn(fixture)).toEqual(before);
    expect(await openOf(fixture)).toBe(maxOpenImports - count + 1);
    await setOpenImports(table, fixture.context.workspaceId, maxOpenImports - count);
    expect(await fixture.create(request, { idempotencyKey: 'limit' })).toMatchObject({ replayed: false });
    expect(await openOf(fixture)).toBe(maxOpenImports);
    expect(await storedIn(fixture)).toEqual({ posts: 1, media: before.media + count });
  });

  it('names the first file for which there is no room, wherever it is', async () => {
    const fixture = await openWithFree(1);
    const platforms = [{ accountId: fixture.instagram.id, customMedia: files(2) }];
    const error = await refusalOf(fixture.create({ platforms }));
    expect(error.param).toBe('platforms[0].customMedia[1].url');
  });

  it('is refused in an edit, which then changes nothing', async () => {
    const fixture = await openWithFree(1);
    const { post } = await fixture.create({ scheduledFor: inOneHour });
    const edit = (count: number) =>
      editPost(fixture.context, post.id, { content: 'New', mediaItems: files(count) });
    const before = await storedIn(fixture);
    expect(await refusalOf(edit(2))).toMatchObject({
      code: 'too_many_imports',
      param: 'mediaItems[1].url',
    });
    expect(await storedIn(fixture)).toEqual(before);
    await edit(1);
    expect(await openOf(fixture)).toBe(maxOpenImports);
  });

  it('is valid: validation does not look at the limit', async () => {
    const fixture = await openWithFree(0);
    const body = fixture.body({ mediaItems: files(2), scheduledFor: inOneHour });
    expect(await validatePost(fixture.context, body)).toMatchObject({ problems: [] });
  });

  it('is replayed if it exists already', async () => {
    const fixture = await openWithFree(2);
    const create = () => fixture.create({ mediaItems: files(2) }, { idempotencyKey: 'exists' });
    await create();
    expect(await create()).toMatchObject({ replayed: true });
    expect(await openOf(fixture)).toBe(maxOpenImports);
  });
});

describe('posts that are created at the same time', () => {
  it('never exceed the limit together', async () => {
    const fixture = await openWithFree(10);
    const attempts = await Promise.allSettled(
      Array.from({ length: 12 }, () => fixture.create({ mediaItems: files(3) })),
    );
    const outcomes = attempts.map((each) => (each.status === 'rejected' ? each.reason.code : 'created'));
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'too_many_imports')).toHaveLength(9);
    expect(await openOf(fixture)).toBe(maxOpenImports - 1);
  });

  it('count once if they are the same request', async () => {
    const fixture = await openWithFree(1);
    const repeated = Array.from({ length: 5 }, () =>
      fixture.create({ mediaItems: files(1) }, { idempotencyKey: 'at once' }),
    );
    const ids = (await Promise.all(repeated)).map(({ post }) => post.id);
    expect(new Set(ids).size).toBe(1);
    expect(await openOf(fixture)).toBe(maxOpenImports);
  });
});

it('imports that are written before their post count once, although another slot is tried', async () => {
  const fixture = await openWithFree(50);
  const { workspaceId } = fixture.context;
  const imports = Array.from({ length: 50 }, (_, index) => {
    const url = new URL(`https://files.example.com/${index}.jpg`);
    return {
      field: `mediaItems[${index}].url`,
      media: plannedImport({
        workspaceId,
        id: newId(startMs),
        url,
        uploadedBy: { kind: 'key', id: 'a-key' },
        now: startMs,
      }),
    };
  });
  const items = Array.from({ length: 60 }, () =>
    putPart(table, { ...repairTaskKey(newId(startMs)), kind: 'test' }, { pk: absent }),
  );
  const lost = [checkPart(table, repairTaskKey(newId(startMs)), { pk: present })];
  const commit = (claims: typeof lost) => commitPost(table, startMs, { items, claims, imports });
  expect(await commit(lost)).toMatchObject({ committed: false, isSlotLost: true });
  expect(await commit([])).toEqual({ committed: true });
  expect(await openOf(fixture)).toBe(maxOpenImports);
});
