import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';

type Pages = Pick<
  UseInfiniteQueryResult<InfiniteData<unknown>>,
  'data' | 'hasNextPage' | 'isFetching' | 'isFetchNextPageError' | 'fetchNextPage'
>;

/**
 * Reads the pages of `usePages` one after the other, for what needs the whole list, such as a sum or a search.
 *
 * @param mostPages where it stops, and a person decides
 * @returns whether it still reads
 */
export function useReadOn(pages: Pages, mostPages: number): boolean {
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = pages;
  const goesOn = hasNextPage && (data?.pages.length ?? 0) < mostPages && !isFetchNextPageError;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  return goesOn;
}
