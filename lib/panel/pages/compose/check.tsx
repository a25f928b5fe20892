import { type ComponentType, useEffect, useState } from 'react';
import type { validatePostOperation } from '../../../posts/request/operations.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { useStore } from '../../api/store.ts';
import { workspaceChoice } from '../../api/workspace-choice.ts';
import { Button } from '../../components/button.tsx';
import { sentence } from '../../components/error-notice.tsx';
import { Muted } from '../../components/layout.tsx';
import { loadable } from '../../components/loaded.ts';
import { Spinner } from '../../components/spinner.tsx';
import type { CheckedRequest } from '../../media/draft-media.ts';
import { words } from '../../words/words.ts';
import classes from './composer.module.css';
import { useComposing } from './context.ts';
import type { Draft } from './draft/draft.ts';
import type { Finding, Placed } from './draft/places.ts';
import { type CreateRequest, toRequest } from './draft/to-request.ts';
import type { Control } from './options/control.ts';

const texts = words.composer.findings;

/** The fields of options, with the names of these. Needed once there are accounts. */
export const optionFields = loadable(() => import('./options/option-fields.tsx'));

interface FindingsProps {
  tone: 'bad' | 'warn';
  findings: readonly Placed[];
}

interface ProblemListProps {
  validation: Validation;
  /** Lists findings; `undefined` until its code is loaded. */
  Findings: ComponentType<FindingsProps> | undefined;
}

/** All that is wrong or doubtful, each with the way to its field. */
export function ProblemList({ validation, Findings }: ProblemListProps) {
  const { problems, warnings } = useComposing();
  const { state, error, again } = validation;
  return (
    <section className={classes.check} aria-label={texts.title}>
      <header className={classes.head}>
        <h2>{texts.title}</h2>
        {state === 'old' && (
          <span className={classes.checking}>
            <Spinner />
            {texts.checking}
          </span>
        )}
      </header>
      <p role="status" className={classes.summary}>
        {summaryOf(problems.length, warnings.length, state)}
      </p>
      {state === 'failed' && (
        <Muted>
          {error && sentence(error.message)}{' '}
          <Button size="small" icon="refresh" onPress={again}>
            {texts.again}
          </Button>
        </Muted>
      )}
      {Findings && (
        <>
          <Findings tone="bad" findings={problems} />
          <Findings tone="warn" findings={warnings} />
        </>
      )}
    </section>
  );
}

function summaryOf(problems: number, warnings: number, state: Validation['state']): string {
  const parts = [
    ...(problems > 0 ? [texts.problems(problems)] : []),
    ...(warnings > 0 ? [texts.warnings(warnings)] : []),
  ];
  if (parts.length > 0)
    return `${words.composer.list(parts)}. ${problems > 0 ? texts.problemsNote : texts.warningsNote}`;
  if (state === 'failed') return texts.failed;
  return state === 'current' ? texts.none : state === 'none' ? texts.notChecked : '';
}

/** Replaces messages about missing choices: the service lists their values, which people do not know. */
export const inWords = (
  findings: readonly Placed[],
  controlOf: (finding: Placed) => Control | undefined,
): readonly Placed[] =>
  findings.map((finding) => {
    const control = finding.code === 'option_required' ? controlOf(finding) : undefined;
    const isChosen = control !== undefined && control.kind !== 'text' && control.kind !== 'list';
    return isChosen ? { ...finding, message: texts.chooseOne } : finding;
  });

const waitMs = 500;

interface Validation {
  /** `old`: it is about an earlier text, and the answer for this one is awaited. */
  readonly state: 'none' | 'old' | 'current' | 'failed';
  readonly problems: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** The last answer, which may be about an earlier text. */
  readonly answer: CheckedRequest | undefined;
  readonly error: ApiError | undefined;
  /** Asks again, although nothing has changed. */
  readonly again: () => void;
}

interface Answer extends CheckedRequest {
  readonly problems: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly error?: ApiError;
}

/**
 * Asks the service about a request, half a second after it was last changed. A newer request cancels an older one, and nothing is sent
 * while nothing changes.
 *
 * @param request `undefined` while there is nothing to check
 */
export function useValidation(request: CreateRequest | undefined): Validation {
  const workspaceId = useStore(workspaceChoice.store);
  const [answer, setAnswer] = useState<Answer>();
  const [round, setRound] = useState(0);
  const text = request === undefined ? undefined : JSON.stringify(request);
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
        if (!abort.signal.aborted) setAnswer({ about: text, ...reply });
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
  if (state === 'none')
    return { state, problems: [], warnings: [], answer: undefined, error: undefined, again };
  return { state, problems, warnings, answer, error, again };
}

/** A malformed request is refused with its problems. After any other failure, what was known before stays. */
function failed(about: string, error: ApiError, before: Answer | undefined): Answer {
  if (error.status === 400 && error.problems.length > 0)
    return { about, problems: findingsOf(error, about), warnings: [] };
  return { about, problems: before?.problems ?? [], warnings: before?.warnings ?? [], error };
}

/** The problems of a refusal as the findings that they are. */
function findingsOf({ problems }: ApiError, request: string): readonly Finding[] {
  const { platforms = [] } = JSON.parse(request) as CreateRequest;
  return problems.map(({ param, code, message }) => {
    const [, place] = /^platforms\[(\d+)\]/.exec(param) ?? [];
    return { field: param, code, message, accountId: platforms[Number(place)]?.accountId ?? null };
  });
}

const none: readonly Finding[] = [];

/** True if the service has named problems: they are shown at their fields, until these are edited. */
export const isRefusal = (error: Error | null): boolean =>
  error instanceof ApiError && error.problems.length > 0;

/** Returns the problems that the service named when it refused a draft, until the draft is edited: then they may be solved. */
export function useRefused(error: Error | null, draft: Draft): readonly Finding[] {
  const [seen, setSeen] = useState({ error, draft });
  const refused = seen.error === error ? seen : { error, draft };
  if (refused !== seen) setSeen(refused);
  return error instanceof ApiError && refused.draft === draft
    ? findingsOf(error, JSON.stringify(toRequest(draft, 'send')))
    : none;
}
