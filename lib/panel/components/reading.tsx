import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ErrorState } from './error-state.tsx';
import { Skeleton } from './skeleton.tsx';

interface ReadingProps<Reply> {
  of: Pick<UseQueryResult<Reply>, 'data' | 'error' | 'refetch' | 'isFetching'>;
  rows?: number | undefined;
  /** Takes the place of the reply until it is read; default a skeleton with so many rows. */
  waiting?: ReactNode;
  children?: (reply: Reply) => ReactNode;
}

/**
 * Something that is read: shows the reply; until then a skeleton, or why it failed. That stays while the person tries again, and keeps
 * the focus. What fails later keeps what was read before.
 */
export function Reading<Reply>({ of, rows = 4, waiting, children }: ReadingProps<Reply>) {
  const { data, error, refetch, isFetching } = of;
  const [failure, setFailure] = useState(error);
  const last = data === undefined ? (error ?? failure) : null;
  if (last !== failure) setFailure(last);
  if (data !== undefined) return children?.(data);
  if (last === null) return waiting ?? <Skeleton rows={rows} />;
  return <ErrorState error={last} onRetry={() => void refetch()} isRetrying={isFetching} />;
}
