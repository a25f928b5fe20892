import { beforeAll, describe, expect, it } from 'vitest';
import { HeraldError } from '../../../../lib/kernel/errors.ts';
import { newId, sha256 } from '../../../../lib/kernel/ids.ts';
import { createPost } from '../../../../lib/posts/create.ts';
import { editPost } from '../../../../lib/posts/edit.ts';
import { listPosts } from '../../../../lib/posts/list/list-posts.ts';
import { removePost } from '../../../../lib/posts/remove.ts';
import type { EditPostBody } from '../../../../lib/posts/request/schemas.ts';
import { metadataOf } from '../../../../lib/posts/stored/json-fields.ts';
import { queryAll } from '../../../../lib/table/query.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { startMs, storeAccount } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { inOneHour, openFixture, refusalsOf } from '../fixture.ts';

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  table = await createTestTable();
  fixture = await openFixture(table);
});

let made = 0;
const newExternalId = () => {
  made += 1;
  return `row ${made}`;
};
const unique = (externalId: string) => ({ externalId, externalIdUnique: true });

async function found(externalId: string): Promise<string[]> {
  const { posts } = await listPosts(fixture.context, { externalId, limit: 50 });
  return posts.map(({ id }) => id);
}

/** The partition of an external id; empty if nothing of it is left. */
async function itemsOf(externalId: string) {
  const partition = `EXTERNAL#${fixture.context.workspaceId}#${sha256(externalId)}`;
  return (await queryAll(table, { partition })).map(({ sk }) => sk);
}

const create = async (changes: object, idempotency?: object) =>
  (await fixture.create(changes, idempotency)).post.id;
const edit = (id: string, patch: EditPostBody) => editPost(fixture.context, id, patch);

/** The refusal of an external id that is taken. Throws if the request was accepted or refused for another reason. */
async function clashOf(attempt: Promise<unknown>): Promise<HeraldError> {
  const error = await attempt.then(
    () => new Error('the request was accepted'),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof HeraldError) || error.code !== 'external_id_taken') throw error;
  return error;
}

describe('an external id', () => {
  it('finds all posts that have it, newest first, immediately after they were created', async () => {
    const externalId = newExternalId();
    const first = await create({ externalId });
    expect(await found(externalId)).toEqual([first]);
    const second = (await fixture.create({ externalId }, {}, startMs + 1)).post.id;
    expect(await found(externalId)).toEqual([second, first]);
    expect(await found(externalId.toUpperCase())).toEqual([]);
  });

  it('is a filter of the list, which pages through its posts', async () => {
    const externalId = newExternalId();
    const ids: string[] = [];
    for (let index = 0; index < 3; index += 1)
      ids.unshift((await fixture.create({ externalId }, {}, startMs + index)).post.id);
    const pages: string[][] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof listPosts>> = await listPosts(fixture.context, {
        externalId,
        limit: 2,
        cursor,
      });
      pages.push(page.posts.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(pages.flat()).toEqual(ids);
    expect(pages[0]).toHaveLength(2);
  });

  it('does not list posts outside the accounts of a limited key', async () => {
    const externalId = newExternalId();
    await create({ externalId });
    const actor = { kind: 'key', id: 'k', accountIds: [newId(1)] } as const;
    const { posts } = await listPosts({ ...fixture.context, actor }, { externalId, limit: 50 });
    expect(posts).toEqual([]);
  });

  it('can be changed, removed and deleted with its post, and leaves nothing behind', async () => {
    const [before, after] = [newExternalId(), newExternalId()];
    const id = await create(unique(before));
    await edit(id, { externalId: after });
    expect([await itemsOf(before), await found(after)]).toEqual([[], [id]]);
    await edit(id, { externalId: null });
    expect(await itemsOf(after)).toEqual([]);
    await edit(id, unique(after));
    await removePost(fixture.context, id);
    expect(await itemsOf(after)).toEqual([]);
  });

  it('keeps its post if the post is changed otherwise', async () => {
    const externalId = newExternalId();
    const id = await create({ ...unique(externalId), metadata: { campaign: 'spring' } });
    const { post } = await edit(id, { content: 'Changed' });
    expect(post).toMatchObject(unique(externalId));
    expect(metadataOf(post)).toEqual({ campaign: 'spring' });
    expect(await found(externalId)).toEqual([id]);
  });
});

describe('a unique external id', () => {
  it.each([
    ['also is', true],
    ['is not', false],
  ])('is refused, with the id of the post that has it, if that one %s unique', async (_what, isUnique) => {
    const externalId = newExternalId();
    const id = await create({ externalId, externalIdUnique: isUnique });
    const clash = await clashOf(fixture.create(unique(externalId)));
    expect([clash.kind, clash.param, clash.message]).toEqual([
      'conflict',
      'externalId',
      `externalId: the post ${id} has it`,
    ]);
    expect(await found(externalId)).toEqual([id]);
  });

  it('is refused without the id of a post that the key may not see', async () => {
    const externalId = newExternalId();
    const id = await create({ externalId });
    const { id: other } = await storeAccount(table, fixture.context.workspaceId, { platform: 'threads' });
    const actor = { kind: 'key', id: 'k', accountIds: [other] } as const;
    const body = fixture.body({ platforms: [{ accountId: other }], mediaItems: [], ...unique(externalId) });
    const clash = await clashOf(createPost({ ...fixture.context, actor }, body, { rawBody: '{}' }));
    expect(clash.message).not.toContain(id);
  });

  it('is free for a post without the flag, and again after its post was deleted', async () => {
    const externalId = newExternalId();
    const first = await create(unique(externalId));
    const second = await create({ externalId });
    for (const id of [first, second]) await removePost(fixture.context, id);
    expect(await found(externalId)).toEqual([]);
    await create(unique(externalId));
  });

  it('belongs to one of the requests that ask for it at the same time', async () => {
    const externalId = newExternalId();
    const attempts = Array.from({ length: 5 }, () => fixture.create(unique(externalId)));
    const results = await Promise.allSettled(attempts);
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    expect(refusals.map((error: HeraldError) => error.code)).toEqual(Array(4).fill('external_id_taken'));
    expect(await found(externalId)).toHaveLength(1);
  });

  it.each([
    [
      'in turn',
      async (first: () => Promise<unknown>, second: () => Promise<unknown>) => [
        await first(),
        await second(),
      ],
    ],
    [
      'at the same time',
      async (first: () => Promise<unknown>, second: () => Promise<unknown>) =>
        Promise.all([first(), second()]),
    ],
  ])('is not taken by the same request, sent twice %s with one idempotency key', async (_how, both) => {
    const externalId = newExternalId();
    const send = () => create(unique(externalId), { idempotencyKey: externalId });
    const ids = await both(send, send);
    expect(new Set(ids).size).toBe(1);
  });

  it('cannot be given to a second post by a change', async () => {
    const [taken, own] = [newExternalId(), newExternalId()];
    const holder = await create({ externalId: taken });
    const id = await create(unique(own));
    for (const patch of [{ externalId: taken }, unique(taken)])
      expect((await clashOf(edit(id, patch))).message).toBe(`externalId: the post ${holder} has it`);
    const plain = await create({ externalId: taken });
    await clashOf(edit(plain, { externalIdUnique: true }));
    expect(await found(own)).toEqual([id]);
  });

  it('can be claimed later by the only post that has it, and the claim can be ended', async () => {
    const externalId = newExternalId();
    const id = await create({ externalId });
    await edit(id, { externalIdUnique: true });
    expect(await itemsOf(externalId)).toEqual([`POST#${id}`, 'UNIQUE']);
    await edit(id, { externalIdUnique: false });
    expect(await itemsOf(externalId)).toEqual([`POST#${id}`]);
  });

  it('needs an external id', async () => {
    const refused = ['externalIdUnique: needs an externalId'];
    expect(await refusalsOf(fixture.create({ externalIdUnique: true }))).toEqual(refused);
    const id = await create({});
    expect(await refusalsOf(edit(id, { externalIdUnique: true }))).toEqual(refused);
  });

  it('is claimed by a post to fifty accounts, which needs two transactions', async () => {
    const externalId = newExternalId();
    const accounts = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        storeAccount(table, fixture.context.workspaceId, { platformAccountId: `many ${index}` }),
      ),
    );
    const platforms = accounts.map(({ id }) => ({ accountId: id }));
    const large = { platforms, scheduledFor: inOneHour, ...unique(externalId) };
    const id = await create(large);
    await clashOf(fixture.create(large));
    expect(await found(externalId)).toEqual([id]);
  });
});
