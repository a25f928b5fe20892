import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../../lib/api-contract/context.ts';
import { dayMs, hourMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import type { Platform } from '../../../../lib/platforms/contract/names.ts';
import { listPosts } from '../../../../lib/posts/list/list-posts.ts';
import type { PostFilters } from '../../../../lib/posts/list/plan.ts';
import type { Post } from '../../../../lib/posts/stored/schemas.ts';
import { postStatus } from '../../../../lib/posts/stored/state.ts';
import { seesPost } from '../../../../lib/posts/stored/visible.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { PostStatus } from '../../../../lib/targets/state.ts';
import { openWorkspace, startMs, storePost } from '../../../support/builders.ts';
import { countRequests } from '../../../support/requests.ts';
import { createTestTable } from '../../../support/table.ts';

let table: Table;
let context: Context;
const posts: Post[] = [];

const accounts = [newId(1), newId(2), newId(3)] as const;
const platforms: readonly Platform[] = ['instagram', 'threads', 'linkedin'];

/** Every combination of two destinations, at times of which some are equal; some drafts have a time, others none. */
beforeAll(async () => {
  table = await createTestTable();
  ({ context } = await openWorkspace(table));
  for (const [index, first] of PostStatus.options.entries()) {
    for (const [other, second] of [undefined, ...PostStatus.options].entries()) {
      const dueMs = startMs + ((index * 5 + other * 3) % 8) * dayMs;
      const hasTime = first !== 'draft' || other % 2 === 1;
      const times = hasTime ? { scheduledFor: toTimestamp(dueMs) } : {};
      // Of every third post, the second destination goes out a month later.
      const later = hasTime ? { scheduledFor: toTimestamp(dueMs + (other % 3 === 0 ? 30 * dayMs : 0)) } : {};
      const [a, b] = [(index + other) % 3, (index + other + 1) % 3];
      const targets = [
        { status: first, accountId: accounts[a] ?? '', platform: platforms[a] ?? 'threads', ...times },
        ...(second
          ? [{ status: second, accountId: accounts[b] ?? '', platform: platforms[b] ?? 'threads', ...later }]
          : []),
      ];
      const status = postStatus(targets.map((target) => target.status));
      const id = newId(startMs + posts.length);
      posts.push((await storePost(table, context.workspaceId, targets, { id, status, ...times })).post);
    }
  }
});

const options = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });

const filters: fc.Arbitrary<PostFilters> = fc
  .record({
    status: options(fc.subarray([...PostStatus.options], { minLength: 1 })),
    platform: options(fc.subarray([...new Set(platforms)], { minLength: 1 })),
    accountId: options(fc.subarray([...accounts], { minLength: 1 })),
    attention: options(fc.constant(true as const)),
    ownTimes: options(fc.constant(true as const)),
    from: options(fc.integer({ min: -1, max: 8 }).map((day) => startMs + day * dayMs)),
    days: options(fc.constantFrom(1, 3, 62)),
    sort: options(fc.constantFrom('createdAt' as const, 'scheduledFor' as const)),
  })
  .map(({ days, from, sort, ...others }) => ({
    ...others,
    from,
    ...(days && from !== undefined && { to: from + days * dayMs }),
    sort: from === undefined ? sort : undefined,
  }));

/** The list as its description says, without an index. */
function expected(query: PostFilters): string[] {
  const {
    status,
    platform,
    accountId,
    attention,
    ownTimes,
    from,
    to = (from ?? 0) + 62 * dayMs,
    sort,
  } = query;
  const isByTime = from !== undefined || sort === 'scheduledFor';
  const found = posts.filter((post) => {
    const dueMs = post.scheduledFor === undefined ? undefined : Date.parse(post.scheduledFor);
    const failed = (each: PostStatus) => each === 'failed' || each === 'partial';
    return (
      (!status || status.includes(post.status)) &&
      (!platform || post.targets.some((target) => platform.includes(target.platform))) &&
      (!accountId || post.targets.some((target) => accountId.includes(target.accountId))) &&
      (!attention || failed(post.status) || post.targets.some((target) => failed(target.status))) &&
      (!ownTimes ||
        post.targets.some((target) => (target.scheduledFor ?? post.scheduledFor) !== post.scheduledFor)) &&
      (!isByTime || dueMs !== undefined) &&
      (from === undefined || (dueMs !== undefined && dueMs >= from && dueMs < to))
    );
  });
  const key = ({ scheduledFor, id }: Post) => (isByTime ? `${scheduledFor}#${id}` : id);
  const ordered = found.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
  return (isByTime ? ordered : ordered.reverse()).map(({ id }) => id);
}

async function readAll(query: PostFilters, limit: number, caller = context): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listPosts(caller, { ...query, limit, cursor });
    expect(page.posts.length).toBeLessThanOrEqual(limit);
    ids.push(...page.posts.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

describe('the list of posts', () => {
  it('has what passes all filters, in order, without loss or repetition, in pages of any length', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 50 }), async (query, limit) => {
        expect(await readAll(query, limit)).toEqual(expected(query));
      }),
      { numRuns: 120 },
    );
  });

  it('shows a key that is limited to accounts what it may see of that', async () => {
    const actor = { kind: 'key' as const, id: context.actor.id, accountIds: [accounts[0], accounts[1]] };
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 50 }), async (query, limit) => {
        const visible = new Set(posts.filter((post) => seesPost(actor, post)).map(({ id }) => id));
        const wanted = expected(query).filter((id) => visible.has(id));
        expect(await readAll(query, limit, { ...context, actor })).toEqual(wanted);
      }),
      { numRuns: 60 },
    );
  });

  it('takes one Query per page, or one for each account and a batch for the newest posts of accounts', async () => {
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 50 }), async (query, limit) => {
        const { counted, requests } = countRequests(context);
        await listPosts(counted, { ...query, limit });
        const isOfAccount =
          query.accountId !== undefined && query.from === undefined && query.sort !== 'scheduledFor';
        expect(requests.filter((name) => name === 'QueryCommand')).toHaveLength(
          isOfAccount ? (query.accountId?.length ?? 0) : 1,
        );
        expect(requests.filter((name) => name !== 'QueryCommand').length).toBeLessThanOrEqual(
          isOfAccount ? 1 : 0,
        );
      }),
      { numRuns: 60 },
    );
  });

  it('includes a post at the beginning of the period, and excludes one at its end', async () => {
    const { context: own } = await openWorkspace(table);
    const at = async (atMs: number) =>
      (
        await storePost(table, own.workspaceId, [{}], {
          id: newId(startMs),
          scheduledFor: toTimestamp(atMs),
        })
      ).post.id;
    const ids = [await at(startMs), await at(startMs + 1), await at(startMs + hourMs)];
    const period = { from: startMs, to: startMs + hourMs };
    expect(await readAll(period, 10, own)).toEqual(ids.slice(0, 2));
    expect(await readAll(period, 1, own)).toEqual(ids.slice(0, 2));
  });

  it('may have an empty page, if what passes the filter is more than 1 MB away', async () => {
    const { context: own } = await openWorkspace(table);
    const content = 'x'.repeat(90_000);
    const store = (platform: Platform, index: number) =>
      storePost(table, own.workspaceId, [{ platform }], {
        id: newId(startMs + index),
        scheduledFor: toTimestamp(startMs + index * hourMs),
        content,
      });
    for (let index = 0; index < 14; index += 1) await store('threads', index);
    const { post } = await store('linkedin', 14);
    const query: PostFilters = { from: startMs, platform: ['linkedin'] };
    const first = await listPosts(own, { ...query, limit: 10 });
    expect(first.posts).toEqual([]);
    expect(first.nextCursor).not.toBeNull();
    expect(await readAll(query, 10, own)).toEqual([post.id]);
  });
});
