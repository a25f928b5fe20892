import { useMemo, useRef } from 'react';
import { ApiError } from '../../../api/api-error.ts';
import type { Draft } from '../draft/draft.ts';
import type { Finding } from '../draft/places.ts';
import { toRequest } from '../draft/to-request.ts';
import { findingsOf } from './use-validation.ts';

const none: readonly Finding[] = [];

/** Whether the service has named problems. They are shown at their fields, and are nowhere else once they are edited. */
export const isRefusal = (error: Error | null): boolean =>
  error instanceof ApiError && error.problems.length > 0;

/** The problems that the service named when it refused a draft, until the draft is edited: then they may be solved. */
export function useRefused(error: Error | null, draft: Draft): readonly Finding[] {
  const refused = useRef<{ readonly error: Error | null; readonly draft: Draft }>({ error: null, draft });
  if (refused.current.error !== error) refused.current = { error, draft };
  const isSame = refused.current.draft === draft;
  return useMemo(
    () =>
      error instanceof ApiError && isSame
        ? findingsOf(error, JSON.stringify(toRequest(draft, 'send')))
        : none,
    [error, isSame, draft],
  );
}
