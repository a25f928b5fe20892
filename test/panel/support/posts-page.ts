import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { listAccountsOperation } from '../../../lib/accounts/operations.ts';
import { removePostOperation, retryPostOperation } from '../../../lib/posts/operations.ts';
import { instagram, linkedin, pinterest, replyOf, some, threads, tiktok } from './accounts.ts';
import { now, planned } from './calendar-page.ts';
import { type FakeApi, type FakeReply, ok, refusal } from './fake-api.ts';
import { answer } from './operation-answers.ts';
import type { Panel } from './panel.ts';
import { failedTargetOf } from './post-page.ts';
import { listedPostOf, postOf, targetOf } from './posts.ts';

export type Listed = ReturnType<typeof listedPostOf>;

export const tagged = (post: Listed, tags: readonly string[] = []): Listed => ({ ...post, tags: [...tags] });

export const pictureUrl =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="8" height="8"%3E%3Crect width="8" height="8" fill="%23a63"/%3E%3C/svg%3E';

/** Posts of each state, of several accounts, newest first. */
export const posts: readonly Listed[] = [
  tagged(
    planned(1, '2026-11-20', '09:00', {
      content: 'Fresh from the harbour: our winter roast is here, with notes of plum and cocoa.',
      platforms: [instagram, threads, linkedin].map((account) => targetOf(account)),
    }),
    ['Winter', 'Roast'],
  ),
  tagged(
    planned(2, '2026-11-21', '18:30', {
      content: 'How we make oat milk at home',
      coverUrl: pictureUrl,
      platforms: [
        targetOf(instagram, { scheduledFor: '2026-11-21T17:30:00.000Z' }),
        targetOf(tiktok, { scheduledFor: '2026-11-22T08:00:00.000Z' }),
      ],
    }),
  ),
  tagged(
    listedPostOf(3, {
      content: 'An idea for spring',
      status: 'draft',
      platforms: [targetOf(pinterest, { status: 'draft' })],
    }),
    ['Spring'],
  ),
  tagged(
    planned(4, '2026-11-16', '12:00', {
      content: 'Autumn menu, from the harbour kitchen',
      status: 'published',
      platforms: [
        targetOf(instagram, { status: 'published', permalink: 'https://instagram.test/p/4' }),
        targetOf(threads, { status: 'published' }),
      ],
    }),
    ['Menu'],
  ),
  tagged(
    planned(5, '2026-11-15', '12:00', {
      content: 'What should we roast next?',
      status: 'failed',
      platforms: [failedTargetOf(linkedin, 'retryable')],
    }),
  ),
  tagged(
    planned(6, '2026-11-14', '12:00', {
      content: 'Open on Sunday',
      status: 'failed',
      platforms: [failedTargetOf(tiktok, 'unknown')],
    }),
  ),
];

export const tags = [
  { name: 'Menu', color: 'green' },
  { name: 'Roast', color: 'amber' },
  { name: 'Spring', color: 'pink' },
  { name: 'Winter', color: 'blue' },
];

/** A workspace's posts behind the operations that the page of posts uses. */
export class FakePostList {
  posts: readonly Listed[];
  /** The most posts of a page, whatever the request says. */
  pageSize = 200;
  /** The ids of posts that refuse every change, with the reason. */
  readonly refusals = new Map<string, FakeReply>();
  private version = 0;

  constructor(api: FakeApi, given: readonly Listed[] = posts, hasTags = true) {
    this.posts = given;
    answer(api, listAccountsOperation, () => ({ accounts: [...some], nextCursor: null }));
    api
      // Not checked against the schema of the list, which has neither the search nor tags yet.
      .on('GET /v1/posts', ({ query }) => ok(this.list(query)))
      .on('GET /v1/posts/{id}', ({ path }) => this.one(path, (post) => ok({ post: whole(post) })))
      .on('PATCH /v1/posts/{id}', ({ path, body }) =>
        this.one(path, (post) => ok({ post: whole(this.edit(post, body as Change)), warnings: [] })),
      )
      .on('DELETE /v1/posts/{id}', ({ path }) =>
        this.one(path, (post) => {
          this.posts = this.posts.filter(({ id }) => id !== post.id);
          return replyOf(removePostOperation, { ok: true });
        }),
      )
      .on('POST /v1/posts/{id}/retry', ({ path }) =>
        this.one(path, (post) => {
          const platforms = post.platforms.map((target) => ({
            ...target,
            status: 'publishing' as const,
            error: null,
            errorDetail: null,
          }));
          const after = this.replace(post, { status: 'publishing', platforms });
          return replyOf(retryPostOperation, { post: postOf(after), warnings: [] });
        }),
      );
    if (hasTags) api.on('GET /v1/tags', () => ok({ tags, nextCursor: null }));
  }

  private one(path: string, reply: (post: Listed) => FakeReply): FakeReply {
    const post = this.posts.find(({ id }) => path.includes(id));
    if (post === undefined) return refusal(404, 'not_found', 'post: not found');
    return this.refusals.get(post.id) ?? reply(post);
  }

  private list(query: URLSearchParams) {
    const several = (name: string) => query.get(name)?.split(',');
    const words = query.get('search')?.toLowerCase().split(/\s+/) ?? [];
    const [from, to] = [query.get('from') ?? '', query.get('to') ?? '~'];
    const found = this.posts.filter(
      ({ content, status, platforms, scheduledFor, tags }) =>
        words.every((word) => content.toLowerCase().includes(word)) &&
        (several('status')?.includes(status) ?? true) &&
        (several('platform')?.some((each) => platforms.some(({ platform }) => platform === each)) ?? true) &&
        (several('accountId')?.some((each) => platforms.some(({ accountId }) => accountId === each)) ??
          true) &&
        (several('tags')?.some((each) => tags.includes(each)) ?? true) &&
        (!query.has('from') || (scheduledFor !== null && from <= scheduledFor && scheduledFor < to)),
    );
    const size = Math.min(this.pageSize, Number(query.get('limit') ?? 50));
    const begin = Number(query.get('cursor') ?? 0);
    const rest = begin + size;
    return { posts: found.slice(begin, rest), nextCursor: rest < found.length ? String(rest) : null };
  }

  private edit(post: Listed, { scheduledFor, platforms, tags }: Change): Listed {
    const own = new Map(platforms?.map((each) => [each.accountId, each.scheduledFor ?? null]));
    return this.replace(post, {
      ...(scheduledFor !== undefined && { scheduledFor }),
      ...(tags !== undefined && { tags: [...tags] }),
      platforms: post.platforms.map((target) => ({
        ...target,
        scheduledFor:
          own.get(target.accountId) ?? (scheduledFor === undefined ? target.scheduledFor : scheduledFor),
      })),
    });
  }

  private replace(before: Listed, changes: Partial<Listed>): Listed {
    this.version += 1;
    const updatedAt = new Date(Date.parse(before.updatedAt) + this.version * 1_000).toISOString();
    const post = { ...before, ...changes, updatedAt };
    this.posts = this.posts.map((each) => (each.id === before.id ? post : each));
    return post;
  }
}

interface Change {
  readonly scheduledFor?: string | null;
  readonly platforms?: readonly { readonly accountId: string; readonly scheduledFor?: string }[];
  readonly tags?: readonly string[];
}

const whole = (post: Listed) => ({ ...postOf(post), tags: post.tags });

/** Opens the page of posts at the time of the calendar's tests. */
export async function startPosts(
  { api, open, setTime }: Panel,
  path = '/posts',
  given = posts,
): Promise<FakePostList> {
  const fake = new FakePostList(api, given);
  await setTime(now);
  await open(path);
  // Read after the posts: until then, rows are not as wide as they stay.
  await expect.poll(() => api.to('GET /v1/tags').length).toBeGreaterThan(0);
  return fake;
}

export const rows = (page: Page) =>
  page.getByRole('grid', { name: 'Posts' }).locator('tbody').getByRole('row');
export const row = (page: Page, text: string) => rows(page).filter({ hasText: text });
export const select = async (page: Page, ...texts: string[]) => {
  for (const text of texts) {
    await row(page, text).locator('label').click();
    await expect.poll(() => row(page, text).getByRole('checkbox').isChecked()).toBe(true);
  }
};
export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
/** Posts of one minute, as many as asked for. */
export const many = (number: number) =>
  Array.from({ length: number }, (_, place) => tagged(planned(100 + place, '2026-12-01', '09:00')));
