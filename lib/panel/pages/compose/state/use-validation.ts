import { useEffect, useMemo, useState } from 'react';
import type { validatePostOperation } from '../../../../posts/request/operations.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { useStore } from '../../../api/store.ts';
import { workspaceChoice } from '../../../api/workspace-choice.ts';
import type { Finding } from '../draft/places.ts';
import type { CreateRequest } from '../draft/to-request.ts';

const waitMs = 500;

export interface Validation {
  /** `old`: it is about an earlier text, and the answer for this one is awaited. */
  readonly state: 'none' | 'old' | 'current' | 'failed';
  readonly problems: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly error: ApiError | undefined;
  /** Asks again, although nothing has changed. */
  readonly again: () => void;
}

interface Answer {
  /** The request that it is about. */
  readonly about: string;
  readonly problems: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly error?: ApiError;
}

/**
 * What the service would say about a request, asked half a second after it was last changed. A newer request cancels an older one, and
 * nothing is sent while nothing changes.
 *
 * @param request `undefined` while there is nothing to check
 */
export function useValidation(request: CreateRequest | undefined): Validation {
  const workspaceId = useStore(workspaceChoice.store);
  const [answer, setAnswer] = useState<Answer>();
  const [round, setRound] = useState(0);
  const text = useMemo(() => (request === undefined ? undefined : JSON.stringify(request)), [request]);
  const isKnown = answer?.about === text && answer?.error === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks the same again
  useEffect(() => {
    if (text === undefined || isKnown) return;
    const abort = new AbortController();
    const timer = setTimeout(() => void ask(), waitMs);
    const ask = async () => {
      try {
        const reply = await call<typeof validatePostOperation>(
          'POST',
          '/v1/posts/validate',
          { body: JSON.parse(text) },
          { signal: abort.signal, workspaceId, isBackground: true },
        );
        if (!abort.signal.aborted)
          setAnswer({ about: text, problems: reply.problems, warnings: reply.warnings });
      } catch (error) {
        if (abort.signal.aborted || !(error instanceof ApiError)) return;
        setAnswer((before) => failed(text, error, before));
      }
    };
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, isKnown, workspaceId, round]);
  const { problems = [], warnings = [], error } = answer ?? {};
  const state =
    text === undefined ? 'none' : answer?.about !== text ? 'old' : error !== undefined ? 'failed' : 'current';
  const again = () => setRound((before) => before + 1);
  if (state === 'none') return { state, problems: [], warnings: [], error: undefined, again };
  return { state, problems, warnings, error, again };
}

/** A malformed request is refused with its problems. After any other failure, what was known before stays. */
function failed(about: string, error: ApiError, before: Answer | undefined): Answer {
  if (error.status === 400 && error.problems.length > 0)
    return { about, problems: findingsOf(error, about), warnings: [] };
  return { about, problems: before?.problems ?? [], warnings: before?.warnings ?? [], error };
}

/** The problems of a refusal as the findings that they are. */
export function findingsOf({ problems }: ApiError, request: string): readonly Finding[] {
  const { platforms = [] } = JSON.parse(request) as CreateRequest;
  return problems.map(({ param, code, message }) => {
    const [, place] = /^platforms\[(\d+)\]/.exec(param) ?? [];
    return { field: param, code, message, accountId: platforms[Number(place)]?.accountId ?? null };
  });
}
