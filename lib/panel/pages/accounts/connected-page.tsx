import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react';
import type { claimAttemptOperation, readAttemptOperation } from '../../../connections/operations.ts';
import type { AttemptView } from '../../../connections/schemas.ts';
import type { Platform } from '../../../platforms/contract/names.ts';
import { handleOf, nameOf } from '../../accounts/account.ts';
import { type Attempt, rememberedAttempt } from '../../accounts/attempt.ts';
import { ConnectDialog } from '../../accounts/connect-dialog.tsx';
import classes from '../../accounts/connecting.module.css';
import { takeAnswer } from '../../accounts/connection-answer.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { platformTitles } from '../../accounts/platforms.ts';
import { ApiError, isNotFound } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Muted, Row, Stack } from '../../components/layout.tsx';
import { ButtonLink, Link } from '../../components/link.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';

/** Needed if posts have failed before. */
const RetryOfAccount = lazy(async () => ({
  default: (await import('../../posts/retry-of-account.tsx')).RetryOfAccount,
}));

/** The state of the connection. */
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
 * The page to which the browser returns from a platform. Only the tab that began the attempt finishes it: otherwise anybody could send somebody a
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

/** While the service asks the platform. */
function Finishing() {
  return (
    <div className={classes.working} role="status">
      <Spinner />
      <div>
        <p className={classes.resultTitle}>{connected.working}</p>
        <Muted>{connected.workingText}</Muted>
      </div>
    </div>
  );
}

interface AttemptResultProps {
  attempt: AttemptView;
  reconnectedId: string | undefined;
}

/** Says what was connected, or why nothing was. */
function AttemptResult({ attempt, reconnectedId }: AttemptResultProps) {
  const { status, platform, accounts, error } = attempt;
  const begun = { platform, accountId: reconnectedId };
  if (status === 'refused') return <AttemptFailure begun={begun} code={error ?? 'server_error'} />;
  if (status === 'expired') return <AttemptFailure begun={begun}>{connected.expiredText}</AttemptFailure>;
  if (status !== 'connected') return <AttemptFailure begun={begun}>{connected.openText}</AttemptFailure>;
  if (accounts.length === 0)
    return (
      <AttemptFailure begun={begun} title={connected.goneTitle}>
        {connected.goneText}
      </AttemptFailure>
    );
  const isOther = reconnectedId !== undefined && !accounts.some(({ id }) => id === reconnectedId);
  const [first] = accounts;
  return (
    <Stack>
      <Notice tone="good" title={connected.doneTitle(accounts.length)} isLive>
        {connected.doneText(accounts.length)}
      </Notice>
      {isOther && (
        <Notice
          tone="warn"
          title={connected.otherTitle}
          actions={
            <ButtonLink size="small" to="/accounts/$id" params={{ id: reconnectedId }}>
              {connected.openOther}
            </ButtonLink>
          }
        >
          {connected.otherText}
        </Notice>
      )}
      <ul className={classes.accounts}>
        {accounts.map((account) => (
          <li key={account.id} className={classes.account}>
            <PlatformMark platform={account.platform} />
            <div className={classes.names}>
              <p className={classes.resultTitle}>
                <Link to="/accounts/$id" params={{ id: account.id }}>
                  <bdi>{nameOf(account)}</bdi>
                </Link>
              </p>
              <Muted>
                {platformTitles[account.platform]}
                {handleOf(account) !== undefined && (
                  <>
                    {' · '}
                    <bdi>{handleOf(account)}</bdi>
                  </>
                )}
              </Muted>
            </div>
          </li>
        ))}
      </ul>
      <Suspense>
        {accounts.map((account) => (
          <RetryOfAccount key={account.id} account={account} />
        ))}
      </Suspense>
      <Row>
        {accounts.length === 1 && first && (
          <ButtonLink variant="primary" to="/accounts/$id" params={{ id: first.id }}>
            {connected.open}
          </ButtonLink>
        )}
        <ButtonLink variant={accounts.length === 1 ? 'secondary' : 'primary'} to="/accounts">
          {connected.all}
        </ButtonLink>
        <ConnectButton platform={platform}>{connected.another}</ConnectButton>
      </Row>
    </Stack>
  );
}

interface AttemptFailureProps {
  begun?: Pick<Attempt, 'platform' | 'accountId'> | undefined;
  title?: string;
  code?: string;
  error?: Error;
  onRetry?: (() => void) | undefined;
  children?: ReactNode;
}

/** Says why nothing was connected, and what to do. */
function AttemptFailure(props: AttemptFailureProps) {
  const { begun, title = connected.failedTitle, code, error, onRetry, children } = props;
  const platform = begun?.platform;
  const variant = onRetry ? 'secondary' : 'primary';
  return (
    <Stack>
      {error ? (
        <ErrorNotice error={error} title={title}>
          {textOf(error, platform)}
        </ErrorNotice>
      ) : (
        <Notice tone={code === undefined ? 'warn' : 'bad'} title={title} isLive>
          {code === undefined ? <p>{children}</p> : <Refusal code={code} platform={platform} />}
        </Notice>
      )}
      <Row>
        {onRetry && (
          <Button variant="primary" icon="refresh" onPress={onRetry}>
            {connected.retry}
          </Button>
        )}
        {begun?.accountId === undefined ? (
          <ConnectButton platform={platform} variant={variant}>
            {begun === undefined ? words.accountsPage.connect.action : connected.again}
          </ConnectButton>
        ) : (
          <ButtonLink variant={variant} to="/accounts/$id" params={{ id: begun.accountId }}>
            {connected.backToAccount}
          </ButtonLink>
        )}
        <ButtonLink to="/accounts">{connected.all}</ButtonLink>
      </Row>
    </Stack>
  );
}

/** The service speaks to programs there. Its other errors say themselves what to do. */
function textOf(error: Error, platform: Platform | undefined): ReactNode {
  const code = error instanceof ApiError ? error.code : undefined;
  const text = code && Object.hasOwn(connected.claimErrors, code) ? connected.claimErrors[code] : undefined;
  return text && <p>{text(platform === undefined ? connected.thePlatform : platformTitles[platform])}</p>;
}

function Refusal({ code, platform }: { code: string; platform: Platform | undefined }) {
  const title = platform === undefined ? connected.thePlatform : platformTitles[platform];
  const text = Object.hasOwn(connected.errors, code) ? connected.errors[code]?.(title) : undefined;
  return (
    <>
      <p>{text ?? connected.otherError}</p>
      {code === 'no_accounts' && platform !== undefined && <p>{connected.noAccounts[platform]}</p>}
    </>
  );
}

interface ConnectButtonProps {
  platform: Platform | undefined;
  variant?: 'primary' | 'secondary';
  children: string;
}

function ConnectButton({ platform, variant = 'secondary', children }: ConnectButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant={variant} onPress={() => setOpen(true)}>
        {children}
      </Button>
      <ConnectDialog isOpen={isOpen} platform={platform} onClose={() => setOpen(false)} />
    </>
  );
}
