import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newId } from '../../../../lib/kernel/ids.ts';
import { type PostFilters, planPostList } from '../../../../lib/posts/list/plan.ts';
import { ListPostsQuery } from '../../../../lib/posts/list/schemas.ts';

const workspaceId = newId(1);
const accountId = newId(2);

/** Parses the query of a row of the table, with an id for `…` and, for a bare name, a value. */
function filtersOf(cell: string): PostFilters {
  const samples: Readonly<Record<string, string>> = {
    accountId,
    platform: 'threads',
    from: '2026-03-01',
    to: '2026-03-20',
  };
  const pairs = [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.split('='));
  const query = Object.fromEntries(pairs.map(([name = '', value]) => [name, value ?? samples[name] ?? '']));
  const { limit: _limit, cursor: _cursor, ...filters } = ListPostsQuery.parse(query);
  return filters;
}

const guide = readFileSync(join(import.meta.dirname, '../../../../docs/api.md'), 'utf8');
const [, section = ''] = guide.split('\n## Lists of posts\n');
const [table = ''] = section.split('\n## ');
const rows = [...table.matchAll(/^\|(.+)\|(.+)\|(.+)\|(.+)\|$/gm)]
  .map(([, ...cells]) => cells.map((cell) => cell.trim()))
  .slice(2)
  .map(([parameters = '', order = '', index = '', page = '']) => ({ parameters, order, index, page }));

describe('the table of lists in docs/api.md', () => {
  it('has rows', () => {
    expect(rows.length).toBeGreaterThan(8);
  });

  it.each(rows)('is right about $parameters', ({ parameters, order, index, page }) => {
    const plan = planPostList(workspaceId, filtersOf(parameters));
    const isOfAccount = plan.index.indexName === 'targets-by-account';
    expect({
      index: `\`${plan.index.indexName}\``,
      order: plan.isDescending ? 'newest first' : 'by time',
      page: isOfAccount
        ? 'at most 100, may be short'
        : plan.filter || plan.isNarrowedAfterwards
          ? 'may be short'
          : 'full',
    }).toEqual({ index, order, page: isOfAccount || page !== 'at most 100, full' ? page : '' });
  });

  it('has each index', () => {
    expect(new Set(rows.map(({ index }) => index)).size).toBe(4);
  });
});

describe('a list', () => {
  it.each([
    ['a range in order of creation', { from: 0, sort: 'createdAt' }, 'incompatible_filters', 'sort'],
    ['an end in order of creation', { to: 0, sort: 'createdAt' }, 'incompatible_filters', 'sort'],
    ['a reversed range', { from: 1, to: 0 }, 'range_empty', 'to'],
    ['a search without a word', { search: ' … ' }, 'invalid', 'search'],
  ] as const)('is refused with %s', (_what, filters, code, param) => {
    expect(() => planPostList(workspaceId, filters)).toThrow(expect.objectContaining({ code, param }));
  });

  const bound = (filters: PostFilters) => JSON.stringify(planPostList(workspaceId, filters).boundTo);

  it('is bound to what it contains and its order, not to how a client asks for it', () => {
    expect(bound({ sort: 'createdAt' })).toBe(bound({}));
    expect(bound({ from: 0 })).toBe(bound({ from: 0, to: 62 * 86_400_000, sort: 'scheduledFor' }));
  });

  it('has cursors that fit no other list', () => {
    const lists: PostFilters[] = [
      {},
      { sort: 'scheduledFor' },
      { from: 0 },
      { from: 1 },
      { from: 0, to: 1 },
      { status: ['failed'] },
      { status: ['failed', 'partial'] },
      { attention: true },
      { ownTimes: true },
      { platform: ['threads'] },
      { platform: ['threads', 'tiktok'] },
      { accountId: [accountId] },
      { accountId: [accountId, newId(3)] },
      { accountExternalId: accountId },
      { accountId: [accountId], from: 0 },
      { search: 'launch' },
      { search: 'launch summer' },
      { search: 'summer launch' },
    ];
    expect(new Set(lists.map(bound)).size).toBe(lists.length);
  });
});

describe('the query of a list', () => {
  it.each([
    ['status', 'lost'],
    ['status', 'draft,lost'],
    ['status', ''],
    ['status', 'draft, failed'],
    ['platform', 'myspace'],
    ['platform', 'threads, tiktok'],
    ['accountId', `${accountId},x`],
    ['accountId', Array.from({ length: 51 }, (_, index) => newId(index)).join()],
    ['accountExternalId', ''],
    ['search', ''],
    ['search', 'x'.repeat(201)],
    ['attention', 'false'],
    ['attention', '1'],
    ['ownTimes', 'no'],
    ['from', 'tomorrow'],
    ['to', '2026-03-01T09:00:00'],
    ['sort', 'updatedAt'],
  ])('cannot have %s=%s', (name, value) => {
    const { error } = ListPostsQuery.safeParse({ [name]: value });
    expect(error?.issues.map(({ path }) => path[0])).toEqual([name]);
  });

  it('may name a status, a platform or an account twice, and in any order', () => {
    expect(ListPostsQuery.parse({ status: 'failed,draft,failed' }).status).toEqual(['draft', 'failed']);
    expect(ListPostsQuery.parse({ platform: 'tiktok,threads,tiktok' }).platform).toEqual([
      'threads',
      'tiktok',
    ]);
    const [one, other] = [newId(1), newId(2)];
    const text = `${other.toUpperCase()},${one},${other}`;
    expect(ListPostsQuery.parse({ accountId: text }).accountId).toEqual([one, other]);
  });
});
