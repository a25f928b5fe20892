import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../../lib/api-contract/context.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { listPosts } from '../../../../lib/posts/list/list-posts.ts';
import type { PostFilters } from '../../../../lib/posts/list/plan.ts';
import { rollUpPost } from '../../../../lib/posts/roll-up.ts';
import type { Post } from '../../../../lib/posts/stored/schemas.ts';
import { findPost } from '../../../../lib/posts/stored/store.ts';
import { toListedPostView } from '../../../../lib/posts/view/to-view.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { summarise } from '../../../../lib/targets/schemas.ts';
import type { PostStatus } from '../../../../lib/targets/state.ts';
import { updateTarget } from '../../../../lib/targets/store.ts';
import { aPost, aTarget, openWorkspace, startMs, storePost } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const [accountA, accountB] = [newId(1), newId(2)];

async function openLibrary() {
  const { context } = await openWorkspace(table);
  let made = 0;
  /** Creates each post one millisecond after the previous one. */
  const post = async (
    status: PostStatus = 'draft',
    accountIds: readonly string[] = [accountA],
    content = 'x',
  ): Promise<Post> => {
    made += 1;
    const targets = accountIds.map((accountId) => ({ accountId, status }));
    const stored = await storePost(table, context.workspaceId, targets, {
      id: newId(startMs + made),
      status,
      content,
    });
    return stored.post;
  };
  return { context, post, posts: async (...many: Parameters<typeof post>[]) => inTurn(many, post) };
}

async function inTurn<T extends unknown[], R>(calls: T[], call: (...args: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const args of calls) results.push(await call(...args));
  return results;
}

type Filters = PostFilters;

/** Reads all pages, and calls `between` after each. */
async function readAll(
  context: Context,
  { limit = 50, ...filters }: Filters & { limit?: number } = {},
  between: () => Promise<unknown> = async () => {},
): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await listPosts(context, { ...filters, limit, cursor });
    pages.push(page.posts.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
    await between();
  } while (cursor !== undefined);
  return pages;
}

const maxPayloadBytes = 6 * 1024 ** 2;
/** Returns the size of the function's response, with the posts as they are shown. */
const payloadBytes = ({ posts, nextCursor }: Awaited<ReturnType<typeof listPosts>>) =>
  Buffer.byteLength(
    JSON.stringify({
      statusCode: 200,
      body: JSON.stringify({
        posts: posts.map((post) => toListedPostView(post, 'https://media.example.com')),
        nextCursor,
      }),
    }),
  );

const ids = (posts: readonly Post[]) => posts.map(({ id }) => id).reverse();

describe('the list of posts', () => {
  it('is empty without posts', async () => {
    const { context } = await openLibrary();
    expect(await listPosts(context, { limit: 50 })).toEqual({
      posts: [],
      nextCursor: null,
      tags: expect.any(Function),
    });
  });

  it('is newest first, and returns posts as stored', async () => {
    const { context, posts } = await openLibrary();
    const made = await posts(['draft'], ['failed'], ['scheduled']);
    expect(await listPosts(context, { limit: 50 })).toEqual({
      posts: made.reverse(),
      nextCursor: null,
      tags: expect.any(Function),
    });
  });

  it('does not show posts of another workspace', async () => {
    const [own, foreign] = [await openLibrary(), await openLibrary()];
    await foreign.post();
    expect(await readAll(own.context)).toEqual([[]]);
    expect(await readAll(own.context, { accountId: [accountA] })).toEqual([[]]);
  });

  it('has pages of the requested length, without loss or repetition, for every filter', async () => {
    const { context, post } = await openLibrary();
    const statuses: PostStatus[] = ['draft', 'scheduled', 'published'];
    const made: { post: Post; accounts: string[] }[] = [];
    for (let index = 0; index < 25; index += 1) {
      const accounts = index % 4 === 0 ? [accountA, accountB] : [index % 2 === 0 ? accountA : accountB];
      made.push({ post: await post(statuses[index % 3], accounts), accounts });
    }
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom(undefined, ...statuses),
        fc.constantFrom(undefined, accountA, accountB),
        async (limit, status, accountId) => {
          const filters = {
            ...(status && { status: [status] }),
            ...(accountId && { accountId: [accountId] }),
          };
          const pages = await readAll(context, { ...filters, limit });
          const wanted = made.filter(
            (one) =>
              (!status || one.post.status === status) && (!accountId || one.accounts.includes(accountId)),
          );
          expect(pages.flat()).toEqual(ids(wanted.map((one) => one.post)));
          expect(pages.every((page) => page.length <= limit)).toBe(true);
          const isFiltered = accountId !== undefined && status !== undefined;
          if (!isFiltered) expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('loses and repeats nothing while posts are created', async () => {
    const { context, post, posts } = await openLibrary();
    const made = await posts(...Array.from({ length: 12 }, (): [] => []));
    for (const filters of [{}, { status: ['draft' as const] }, { accountId: [accountA] }]) {
      const before = ids(made);
      const pages = await readAll(context, { limit: 3, ...filters }, async () => {
        made.push(await post());
      });
      expect(pages.flat()).toEqual(before);
    }
  });

  it('continues after a post that no longer matches the filter', async () => {
    const { context, posts } = await openLibrary();
    const made = await posts(...Array.from({ length: 6 }, (): [] => []));
    const first = await listPosts(context, { limit: 2, status: ['draft'] });
    const last = first.posts.at(-1);
    const target = (await findPost(table, context.workspaceId, last?.id ?? ''))?.targets[0];
    if (!target) throw new Error('no target');
    await updateTarget(table, target, { status: 'scheduled' }, 'w');
    await rollUpPost(table, context.workspaceId, target.postId, startMs);
    const next = await listPosts(context, { limit: 9, status: ['draft'], cursor: first.nextCursor ?? '' });
    expect(next.posts.map(({ id }) => id)).toEqual(ids(made).slice(2));
  });

  it('ends a page before the reply exceeds Lambda’s limit, and continues after it', async () => {
    const { context, post } = await openLibrary();
    // Quotation marks and control characters grow the most in JSON inside JSON.
    const content = '"\u0001'.repeat(45_000);
    const made: Post[] = [];
    for (let index = 0; index < 25; index += 1) made.push(await post('draft', [accountA], content));
    for (const filters of [{}, { accountId: [accountA] }]) {
      let cursor: string | undefined;
      const seen: string[] = [];
      do {
        const page = await listPosts(context, { limit: 500, cursor, ...filters });
        expect(payloadBytes(page)).toBeLessThan(maxPayloadBytes);
        expect(page.posts.length).toBeGreaterThan(0);
        seen.push(...page.posts.map(({ id }) => id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect(seen).toEqual(ids(made));
    }
  });

  it('ends such a page also if posts are shown in a much longer form than they are stored', async () => {
    const { context } = await openLibrary();
    const failed = (accountId: string) => aTarget({ accountId, status: 'failed', error: 'x' });
    const others = Array.from({ length: 49 }, (_, index) => failed(newId(index)));
    const targets = [failed(accountA), ...others].map(summarise);
    // An account's list reads 100 posts at once, of any size. As stored, they would just fit.
    const count = 100;
    const storedBytes = Buffer.byteLength(JSON.stringify(JSON.stringify(aPost([], { targets }))));
    const content = 'x'.repeat(4_900_000 / count - storedBytes);
    for (let index = 0; index < count; index += 1) {
      const id = newId(startMs + index);
      const own = [{ accountId: accountA, status: 'failed' as const }];
      await storePost(table, context.workspaceId, own, { id, status: 'failed', content, targets });
    }
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await listPosts(context, { limit: count, cursor, accountId: [accountA] });
      expect(payloadBytes(page)).toBeLessThan(maxPayloadBytes);
      sizes.push(page.posts.length);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(sizes.length).toBeLessThanOrEqual(3);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(count);
  });
});

describe('a cursor', () => {
  const refusal = { code: 'cursor_invalid', message: expect.stringContaining('cursor: is not a cursor') };

  it('is refused in another workspace and with other filters', async () => {
    const { context, posts } = await openLibrary();
    await posts([], [], []);
    const foreign = await openLibrary();
    const cursor = (await listPosts(context, { limit: 1, status: ['draft'] })).nextCursor ?? '';
    expect((await listPosts(context, { limit: 2, status: ['draft'], cursor })).posts).toHaveLength(2);
    for (const [who, filters] of [
      [foreign.context, { status: ['draft'] }],
      [context, {}],
      [context, { status: ['failed'] }],
      [context, { status: ['draft'], accountId: [accountA] }],
      [context, { accountId: [accountA] }],
    ] satisfies [Context, PostFilters][]) {
      await expect(listPosts(who, { limit: 1, cursor, ...filters })).rejects.toMatchObject(refusal);
    }
  });

  it.each(['', '.', 'x', newId(1), 'a.b.c'])('cannot be %j', async (cursor) => {
    const { context } = await openLibrary();
    await expect(listPosts(context, { limit: 1, cursor })).rejects.toMatchObject(refusal);
  });
});
