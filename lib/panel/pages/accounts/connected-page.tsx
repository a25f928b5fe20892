import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { claimAttemptOperation, readAttemptOperation } from '../../../connections/operations.ts';
import { ApiError, isNotFound } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { Page } from '../../components/page.tsx';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { rememberedAttempt } from './attempt.ts';
import { AttemptFailure, AttemptResult, Finishing } from './attempt-result.tsx';
import { takeAnswer } from './connection-answer.ts';

/** What became of the connection. */
type Progress =
  | { step: 'working' }
  | { step: 'read'; attempt: ReplyOf<typeof claimAttemptOperation>['attempt'] }
  /** The answer does not belong to this tab: nothing was sent to the service. */
  | { step: 'foreign' }
  | { step: 'nothing' }
  | { step: 'refused'; code: string }
  | { step: 'failed'; error: Error; isOver: boolean };

const { connected } = words.accountsPage;

/**
 * Where the browser returns from a platform. Only the tab that began the attempt finishes it: otherwise anybody could send somebody a
 * link, and have an account of their own connected to the workspace of that person.
 */
export function ConnectedPage() {
  const { name } = useWorkspace();
  const { progress, finish } = useFinish();
  const remembered = rememberedAttempt();
  return (
    <Page title={connected.title} of={name} width="narrow">
      {progress.step === 'working' && <Finishing />}
      {progress.step === 'read' && (
        <AttemptResult attempt={progress.attempt} reconnectedId={remembered?.accountId} />
      )}
      {progress.step === 'foreign' && <AttemptFailure>{connected.foreignText}</AttemptFailure>}
      {progress.step === 'nothing' && (
        <AttemptFailure title={connected.nothingTitle}>{connected.nothingText}</AttemptFailure>
      )}
      {progress.step === 'refused' && <AttemptFailure begun={remembered} code={progress.code} />}
      {progress.step === 'failed' && (
        <AttemptFailure
          begun={remembered}
          error={progress.error}
          onRetry={progress.isOver ? undefined : finish}
        />
      )}
    </Page>
  );
}

/** Claims what the browser has brought. The code is in no cache, and in memory only until the service has it. */
function useFinish() {
  const queries = useQueryClient();
  const [answer] = useState(takeAnswer);
  const [progress, setProgress] = useState<Progress>({ step: 'working' });
  const finish = async () => {
    const attempt = rememberedAttempt();
    if (answer !== undefined && 'error' in answer)
      return setProgress({ step: 'refused', code: answer.error });
    if (answer !== undefined && answer.state !== attempt?.state) return setProgress({ step: 'foreign' });
    if (attempt === undefined) return setProgress({ step: 'nothing' });
    setProgress({ step: 'working' });
    try {
      const path = { state: attempt.state };
      const { attempt: read } =
        answer === undefined
          ? // The page was loaded again.
            await call<typeof readAttemptOperation>('GET', '/v1/connect/attempts/{state}', { path })
          : await call<typeof claimAttemptOperation>('POST', '/v1/connect/attempts/{state}/claim', {
              path,
              body: { code: answer.code },
            });
      setProgress({ step: 'read', attempt: read });
      void queries.invalidateQueries();
    } catch (error) {
      setProgress(failureOf(error as Error));
    }
  };
  const begin = useEffectEvent(() => void finish());
  useEffect(() => begin(), []);
  return { progress, finish: () => void finish() };
}

/** Sending the same code again connects nothing twice, so it helps unless the service has said that it is over. */
function failureOf(error: Error): Progress {
  if (isNotFound(error)) return { step: 'failed', error: new Error(connected.signedOutText), isOver: true };
  const isOver = error instanceof ApiError && (error.status === 400 || error.status === 409);
  return { step: 'failed', error, isOver };
}
