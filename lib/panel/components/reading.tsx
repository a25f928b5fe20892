import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { Skeleton } from './skeleton.tsx';

interface ReadingProps<Reply> {
  of: Pick<UseQueryResult<Reply>, 'data' | 'error' | 'refetch' | 'isFetching'>;
  rows?: number;
  kind?: 'card' | undefined;
  children?: (reply: Reply) => ReactNode;
}

/** Something that is read: shows the reply; until then a skeleton, or why it failed. What fails later keeps what was read before. */
export function Reading<Reply>({ of, rows = 4, kind, children }: ReadingProps<Reply>) {
  const { data, error, refetch, isFetching } = of;
  if (data !== undefined) return children?.(data);
  if (error === null) return <Skeleton rows={rows} kind={kind} />;
  return <ErrorState error={error} onRetry={() => void refetch()} isRetrying={isFetching} />;
}
