import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ListedPostView } from '../../../lib/posts/view/schemas.ts';
import { deepest, pageOf, type ReadPage } from '../../../lib/zernio/pages.ts';

const postsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: String(index) }) as ListedPostView);

/** Returns a list whose pages are as short as Herald's may be. */
const reader =
  (posts: readonly ListedPostView[], shortest = 1): ReadPage =>
  async (cursor = '0', limit) => {
    const from = Number(cursor);
    const to = from + Math.max(1, Math.min(limit, shortest));
    return { posts: posts.slice(from, to), nextCursor: to < posts.length ? String(to) : null };
  };

it('shows every post exactly once to a client that reads while page <= pages', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(60), fc.integer({ min: 1, max: 25 }), async (count, limit) => {
      const posts = postsOf(count);
      const seen: string[] = [];
      let page = 1;
      let pages = 1;
      while (page <= pages) {
        const found = await pageOf(reader(posts, 500), { offset: (page - 1) * limit, limit });
        seen.push(...found.posts.map(({ id }) => id));
        ({ pages } = found.pagination);
        page += 1;
      }
      expect(seen).toEqual(posts.map(({ id }) => id));
    }),
  );
});

it('fills a page from several short ones', async () => {
  const { posts } = await pageOf(reader(postsOf(9), 2), { offset: 2, limit: 5 });
  expect(posts.map(({ id }) => id)).toEqual(['2', '3', '4', '5', '6']);
});

it('reaches the first 1,000 posts, and says what to do about the others', async () => {
  const read = reader(postsOf(5_000), 500);
  expect((await pageOf(read, { offset: deepest - 10, limit: 10 })).posts).toHaveLength(10);
  await expect(pageOf(read, { offset: deepest + 1, limit: 10 })).rejects.toThrow('shorter period');
  await expect(pageOf(read, { offset: 0, limit: 10, test: () => true })).rejects.toThrow('shorter period');
});

it('makes at most 30 reads, even of a list whose pages are nearly empty', async () => {
  let reads = 0;
  const endless: ReadPage = async () => {
    reads += 1;
    return { posts: [], nextCursor: 'more' };
  };
  await expect(pageOf(endless, { offset: 0, limit: 10 })).rejects.toThrow('shorter period');
  expect(reads).toBe(30);
});
