import { type ReactNode, useState } from 'react';
import type { AttemptView } from '../../../connections/schemas.ts';
import type { Platform } from '../../../platforms/contract/names.ts';
import { handleOf, nameOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { platformTitles } from '../../accounts/platforms.ts';
import { ApiError } from '../../api/api-error.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ButtonLink, Link } from '../../components/link.tsx';
import { Notice } from '../../components/notice.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { words } from '../../words/words.ts';
import type { Attempt } from './attempt.ts';
import classes from './attempt-result.module.css';
import { ConnectDialog } from './connect-dialog.tsx';

const { connected } = words.accountsPage;

/** While the service asks the platform. */
export function Finishing() {
  return (
    <div className={classes.working} role="status">
      <Spinner />
      <div>
        <p className={classes.title}>{connected.working}</p>
        <p className={classes.text}>{connected.workingText}</p>
      </div>
    </div>
  );
}

interface AttemptResultProps {
  attempt: AttemptView;
  reconnectedId: string | undefined;
}

/** What was connected, or why nothing was. */
export function AttemptResult({ attempt, reconnectedId }: AttemptResultProps) {
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
    <div className={classes.result}>
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
              <p className={classes.title}>
                <Link to="/accounts/$id" params={{ id: account.id }}>
                  <bdi>{nameOf(account)}</bdi>
                </Link>
              </p>
              <p className={classes.text}>
                {platformTitles[account.platform]}
                {handleOf(account) !== undefined && (
                  <>
                    {' · '}
                    <bdi>{handleOf(account)}</bdi>
                  </>
                )}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <div className={classes.actions}>
        {accounts.length === 1 && first && (
          <ButtonLink variant="primary" to="/accounts/$id" params={{ id: first.id }}>
            {connected.open}
          </ButtonLink>
        )}
        <ButtonLink variant={accounts.length === 1 ? 'secondary' : 'primary'} to="/accounts">
          {connected.all}
        </ButtonLink>
        <ConnectButton platform={platform}>{connected.another}</ConnectButton>
      </div>
    </div>
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
export function AttemptFailure(props: AttemptFailureProps) {
  const { begun, title = connected.failedTitle, code, error, onRetry, children } = props;
  const platform = begun?.platform;
  const variant = onRetry ? 'secondary' : 'primary';
  return (
    <div className={classes.result}>
      {error ? (
        <ErrorNotice error={error} title={title}>
          {textOf(error, platform)}
        </ErrorNotice>
      ) : (
        <Notice tone={code === undefined ? 'warn' : 'bad'} title={title} isLive>
          {code === undefined ? <p>{children}</p> : <Refusal code={code} platform={platform} />}
        </Notice>
      )}
      <div className={classes.actions}>
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
      </div>
    </div>
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
      <p>{text ?? connected.otherError(code.slice(0, 60))}</p>
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
