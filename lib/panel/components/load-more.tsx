import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';
import { ErrorNotice } from './error-notice.tsx';
import classes from './load-more.module.css';

/** Reads the next page of a list of `usePages`, if there is one. It is below the list. */
export function LoadMore({
  pages,
}: {
  pages: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >;
}) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = pages;
  if (!hasNextPage) return null;
  return (
    <div className={classes.more}>
      {isFetchNextPageError && error && <ErrorNotice error={error} />}
      <Button onPress={() => void fetchNextPage()} isPending={isFetchingNextPage}>
        {words.shared.actions.loadMore}
      </Button>
    </div>
  );
}
