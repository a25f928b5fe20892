import { useEffect, useState } from 'react';
import type { listPostsOperation } from '../../../posts/operations.ts';
import { platforms } from '../../accounts/platforms.ts';
import { usePages } from '../../api/hooks.ts';
import type { RequestOf } from '../../api/operation-types.ts';
import { type ListedPost, refreshEveryMs } from '../../posts/post.ts';
import { mostTagsInFilter } from '../../posts/tags.ts';
import { addDays, isDay, startOfDay } from '../../time.ts';
import { type Filters, useFilters } from '../../use-filters.ts';

export const filterNames = [
  'q',
  'account',
  'platform',
  'status',
  'tag',
  'period',
  'from',
  'to',
  'sort',
] as const;
export type FilterName = (typeof filterNames)[number];

export const statuses = ['draft', 'scheduled', 'publishing', 'published', 'partial', 'failed'] as const;
export const periods = ['next7', 'next30', 'last7', 'last30'] as const;
export type Period = (typeof periods)[number];

const daysIn = { next7: 7, next30: 30, last7: 7, last30: 30 } as const;
/** The longest period that the service lists. */
export const mostDays = 62;
const mostCharacters = 200;
/** The most accounts in a filter. */
const mostAccounts = 50;
/** A link may have anything in place of an account's id. */
const idForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The filters of the page, as far as what the URL says makes sense. */
export interface PostFilters {
  readonly search: string;
  readonly accounts: readonly string[];
  readonly platforms: readonly (typeof platforms)[number][];
  readonly statuses: readonly (typeof statuses)[number][];
  readonly tags: readonly string[];
  /** Days in the workspace's zone, both included; `undefined`: at any time. */
  readonly range: DayRange | undefined;
  readonly period: Period | 'custom' | undefined;
  readonly isByTime: boolean;
}

export interface DayRange {
  readonly from: string;
  readonly to: string;
  /** The reason why it cannot be read. */
  readonly problem?: 'backwards' | 'tooLong';
}

const listOf = (text: string): string[] => [...new Set(text.split(',').filter((each) => each !== ''))];

/** Reads the filters from the values of the URL. Pure. @param today the day in the workspace's zone */
export function filtersIn(values: Readonly<Record<FilterName, string>>, today: string): PostFilters {
  const preset = periods.find((each) => each === values.period);
  const isCustom = values.period === 'custom' && isDay(values.from) && isDay(values.to);
  const range = preset ? presetRange(preset, today) : isCustom ? checked(values.from, values.to) : undefined;
  return {
    search: values.q.trim().slice(0, mostCharacters),
    accounts: listOf(values.account)
      .filter((each) => idForm.test(each))
      .slice(0, mostAccounts),
    platforms: platforms.filter((each) => listOf(values.platform).includes(each)),
    statuses: statuses.filter((each) => listOf(values.status).includes(each)),
    tags: listOf(values.tag).slice(0, mostTagsInFilter),
    range,
    period: preset ?? (isCustom ? 'custom' : undefined),
    // The service lists a period by time.
    isByTime: range !== undefined || values.sort === 'scheduledFor',
  };
}

function presetRange(period: Period, today: string): DayRange {
  const days = daysIn[period];
  return period === 'next7' || period === 'next30'
    ? { from: today, to: addDays(today, days - 1) }
    : { from: addDays(today, 1 - days), to: today };
}

function checked(from: string, to: string): DayRange {
  if (to < from) return { from, to, problem: 'backwards' };
  return addDays(from, mostDays - 1) < to ? { from, to, problem: 'tooLong' } : { from, to };
}

export type ListQuery = NonNullable<RequestOf<typeof listPostsOperation>['query']>;

/**
 * Returns the query of the list. Pure. `search` and `tags`, and several accounts and platforms, are not in the schema of the list yet:
 * this function is the only place that knows.
 */
export function queryOf(filters: PostFilters, timezone: string): ListQuery {
  const { search, accounts, platforms, statuses, tags, range, isByTime } = filters;
  const several = {
    search,
    accountId: accounts.join(),
    platform: platforms.join(),
    status: statuses.join(),
    tags: tags.join(),
  };
  const given = Object.entries(several).filter(([, value]) => value !== '');
  return {
    ...(Object.fromEntries(given) as ListQuery),
    ...(range && {
      from: startOfDay(range.from, timezone).toISOString(),
      to: startOfDay(addDays(range.to, 1), timezone).toISOString(),
    }),
    ...(isByTime && { sort: 'scheduledFor' }),
  };
}

export function usePostFilters(today: string): { url: Filters<FilterName>; filters: PostFilters } {
  const url = useFilters<FilterName>(filterNames);
  return { url, filters: filtersIn(url.values, today) };
}

export const perPage = '50';
/** The number of rows that are read at a time, if pages are short. */
const step = 25;
/** The most pages that are read for them. Then a person decides. */
const mostPagesAtOnce = 10;

export interface PostList {
  readonly pages: ReturnType<typeof usePages<typeof listPostsOperation>>;
  readonly posts: readonly ListedPost[];
  /** True while pages are read until there is something to show. */
  readonly isSearching: boolean;
  readonly hasMore: boolean;
  readonly more: () => void;
}

/**
 * The posts that pass the filters. Pages of the service may be short, or empty: it reads on until there are some rows more, or the end,
 * or it has read {@link mostPagesAtOnce} pages.
 *
 * @param name changes with the filters
 */
export function usePostList(query: ListQuery, isEnabled: boolean): PostList {
  const name = JSON.stringify(query);
  const [wanted, setWanted] = useState({ name, rows: step, pages: mostPagesAtOnce });
  const pages = usePages<typeof listPostsOperation>(
    '/v1/posts',
    { query: { ...query, limit: perPage } },
    { isEnabled, refetchEveryMs: (reply) => refreshEveryMs(reply?.posts, Date.now()) },
  );
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = pages;
  const posts = distinct(data?.pages.flatMap((page) => page.posts) ?? []);
  const pageCount = data?.pages.length ?? 0;
  const now = wanted.name === name ? wanted : { name, rows: step, pages: mostPagesAtOnce };
  const goesOn = hasNextPage && !isFetchNextPageError && posts.length < now.rows && pageCount < now.pages;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  return {
    pages,
    posts,
    isSearching: goesOn,
    hasMore: hasNextPage,
    more: () => {
      setWanted({ name, rows: posts.length + step, pages: pageCount + mostPagesAtOnce });
      if (isFetchNextPageError) void fetchNextPage();
    },
  };
}

/** A post may move to a later page while they are read. */
function distinct(posts: readonly ListedPost[]): ListedPost[] {
  return [...new Map(posts.map((post) => [post.id, post])).values()];
}
