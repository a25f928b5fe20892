import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Account } from '../../accounts/account.ts';
import { platformTitles } from '../../accounts/platforms.ts';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { ErrorNotice, sentence } from '../../components/error-notice.tsx';
import { ButtonLink, ExternalLink } from '../../components/link.tsx';
import { Time } from '../../components/time.tsx';
import { copyFailure, useDuplicate } from '../../posts/duplicate.ts';
import { placeToCheck, reasonIn } from '../../posts/outcome.ts';
import type { Post, Target } from '../../posts/post.ts';
import { failedTargets, type Remedy, remedyOfTarget } from '../../posts/remedy.ts';
import type { Risk } from '../../posts/risk.ts';
import { words } from '../../words/words.ts';
import classes from './target-card.module.css';
import { isDoubtful, Verdict } from './verdict.tsx';

const texts = words.postPage.targets;

/** Its code is of another page, and needed once somebody reconnects. */
const ConnectDialog = lazy(async () => ({
  default: (await import('../accounts/connect-dialog.tsx')).ConnectDialog,
}));

/** A destination, and what has to be known to say what helps it. */
export interface TargetFacts {
  target: Target;
  post: Post;
  account: Account | undefined;
  accounts: ReadonlyMap<string, Account> | undefined;
  now: number;
}

interface TroubleProps extends TargetFacts {
  remedy: Remedy;
  successor: () => HTMLElement | null;
}

/** What went wrong, and what helps. */
export function Trouble({ target, post, account, accounts, remedy, now, successor }: TroubleProps) {
  const { error, errorDetail, status } = target;
  const said = errorDetail?.platformMessage ?? null;
  const retryAt = errorDetail?.retryAt ?? null;
  const text = error === null ? '' : reasonIn(error);
  const isBad = status === 'failed';
  return (
    <div className={join(classes['trouble'], isBad ? classes['bad'] : classes['warn'])}>
      <p dir="auto" className={classes['error']}>
        {sentence(text)}
      </p>
      {said !== null && !text.includes(said) && (
        <p className={classes['said']}>
          {texts.said}: <q dir="auto">{said}</q>
        </p>
      )}
      {retryAt !== null && (
        <p className={classes['said']}>
          {texts.retryAt} <Time at={retryAt} isRelative isInline />
        </p>
      )}
      <p>
        <strong>{texts.whatToDo}: </strong>
        {remedyText(remedy, target, account)}
      </p>
      <RemedyAction
        target={target}
        post={post}
        account={account}
        accounts={accounts}
        remedy={remedy}
        now={now}
        successor={successor}
      />
    </div>
  );
}

function remedyText(remedy: Remedy, { status }: Target, account: Account | undefined): string {
  if (remedy === 'look' && status !== 'failed') return texts.remedies.lookLive;
  if (remedy === 'reconnect' && account === undefined) return texts.remedies.connect;
  return texts.remedies[remedy];
}

/** What is for this destination alone. A retry is for the whole post, so the page has it. */
function RemedyAction({ target, post, account, accounts, remedy, now, successor }: TroubleProps): ReactNode {
  const duplicate = useDuplicate();
  if (isDoubtful(target)) return <Verdict target={target} post={post} successor={successor} />;
  if (remedy === 'correct') {
    const refused = failedTargets(post).filter((each) => remedyOfTarget(each, accounts, now) === 'correct');
    return (
      <div className={classes['remedy']}>
        <Button
          size="small"
          icon="pencil"
          isPending={duplicate.isPending}
          onPress={() => duplicate.start(post, { accountIds: refused.map(({ accountId }) => accountId) })}
        >
          {words.post.correct}
        </Button>
        {duplicate.failed && (
          <ErrorNotice error={duplicate.failed.error} title={copyFailure(duplicate.failed.error)} />
        )}
      </div>
    );
  }
  if (remedy === 'reconnect') return <Reconnect account={account} platform={target.platform} />;
  const url = placeToCheck(target.error);
  if (remedy === 'check' && url !== undefined)
    return (
      <p>
        <ExternalLink href={url}>{words.post.openPlatform(platformTitles[target.platform])}</ExternalLink>
      </p>
    );
  if (remedy === 'look' && target.status === 'failed' && account !== undefined)
    return (
      <div className={classes['remedy']}>
        <ButtonLink to="/accounts/$id" params={{ id: account.id }} size="small">
          {texts.openAccount}
        </ButtonLink>
      </div>
    );
  return null;
}

interface DangerProps {
  risk: Risk;
  account: Account | undefined;
  platform: Target['platform'];
}

/** Nothing has failed yet, and it will. */
export function Danger({ risk, account, platform }: DangerProps) {
  return (
    <div className={join(classes['trouble'], classes['warn'])}>
      <p className={classes['error']}>{texts.risks[risk]}</p>
      {risk !== 'restricted' && <Reconnect account={account} platform={platform} />}
    </div>
  );
}

function Reconnect({ account, platform }: Omit<DangerProps, 'risk'>) {
  const [isConnecting, setConnecting] = useState(false);
  return (
    <div className={classes['remedy']}>
      <Button size="small" icon="refresh" onPress={() => setConnecting(true)}>
        {account ? words.post.reconnect : words.post.connect}
      </Button>
      {isConnecting && (
        <Suspense>
          <ConnectDialog isOpen account={account} platform={platform} onClose={() => setConnecting(false)} />
        </Suspense>
      )}
    </div>
  );
}
