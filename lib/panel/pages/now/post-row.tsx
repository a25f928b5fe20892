import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { type Account, nameOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { Button } from '../../components/button.tsx';
import { sentence } from '../../components/error-notice.tsx';
import { Icon } from '../../components/icon.tsx';
import { ButtonLink, Link } from '../../components/link.tsx';
import { Time } from '../../components/time.tsx';
import { copyFailure, useDuplicate } from '../../posts/duplicate.ts';
import { reasonIn } from '../../posts/outcome.ts';
import { conditionOfPost, excerptOf, type ListedPost, type ListedTarget, timeOf } from '../../posts/post.ts';
import { PostState } from '../../posts/post-state.tsx';
import { failedTargets, type Remedy, remedyOfPost, remedyOfTarget } from '../../posts/remedy.ts';
import { retryFailure, useRetry } from '../../posts/retry.tsx';
import { words } from '../../words/words.ts';
import { Row } from './row.tsx';
import classes from './rows.module.css';

/** Its code is of another page, and needed once somebody reconnects. */
export const ConnectDialog = lazy(async () => ({
  default: (await import('../accounts/connect-dialog.tsx')).ConnectDialog,
}));

interface PostRowProps {
  post: ListedPost;
  accounts: ReadonlyMap<string, Account> | undefined;
  now: number;
  isRestored: boolean;
  onDismiss: (post: ListedPost) => void;
}

const texts = words.nowPage.post;
const dismissal = words.nowPage.dismissed;

/** A post that went wrong. */
export function PostRow({ post, accounts, now, isRestored, onDismiss }: PostRowProps) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isRestored) link.current?.focus();
  }, [isRestored]);
  const { remedy, target } = remedyOfPost(post, accounts, now);
  const retry = useRetry(post);
  const duplicate = useDuplicate();
  const [isConnecting, setConnecting] = useState(false);
  const account = target && accounts?.get(target.accountId);
  const correct = () =>
    duplicate.start(post, {
      accountIds: failedTargets(post)
        .filter((each) => remedyOfTarget(each, accounts, now) === 'correct')
        .map(({ accountId }) => accountId),
    });
  const actions: Readonly<Record<Remedy, ReactNode>> = {
    check: (
      <Button size="small" onPress={retry.start}>
        {texts.check}
      </Button>
    ),
    retry: (
      <Button size="small" icon="refresh" isPending={retry.isPending} onPress={retry.start}>
        {words.post.retry.action}
      </Button>
    ),
    reconnect: (
      <Button size="small" icon="refresh" onPress={() => setConnecting(true)}>
        {account ? words.nowPage.account.reconnect : words.nowPage.account.connect}
      </Button>
    ),
    correct: (
      <Button size="small" icon="pencil" isPending={duplicate.isPending} onPress={correct}>
        {words.post.correct}
      </Button>
    ),
    look: <Open post={post} />,
    wait: <Open post={post} />,
    none: <Open post={post} />,
  };
  const error = retry.error ?? duplicate.failed?.error ?? null;
  const at = target && timeOf(target, post);
  const condition = conditionOfPost(post);
  return (
    <>
      <Row
        mark={target ? <PlatformMark platform={target.platform} /> : <Icon name="posts" />}
        title={
          <Link ref={link} to="/posts/$id" params={{ id: post.id }}>
            <bdi>{excerptOf(post) ?? words.post.noText}</bdi>
          </Link>
        }
        state={<PostState condition={retry.isBegun ? 'publishing' : condition} />}
        action={
          !retry.isBegun && (
            <>
              {actions[remedy]}
              <Button
                size="small"
                variant="quiet"
                aria-label={dismissal.actionFor(words.moving.named(excerptOf(post, 40)))}
                onPress={() => onDismiss(post)}
              >
                {dismissal.action}
              </Button>
            </>
          )
        }
        error={error}
        errorTitle={error === null ? '' : retry.error ? retryFailure(error) : copyFailure(error)}
      >
        {retry.isBegun ? <p className={classes['reason']}>{texts.begun}</p> : <Reason target={target} />}
        <p className={classes['meta']}>
          {target && (
            <span>
              <bdi>{account ? nameOf(account) : words.account.disconnected}</bdi>
              {failedTargets(post).length > 1 && ` ${texts.and(failedTargets(post).length - 1)}`}
            </span>
          )}
          {at && <Time at={at} isRelative isInline />}
        </p>
      </Row>
      {retry.dialog}
      {isConnecting && target && (
        <Suspense>
          <ConnectDialog
            isOpen
            account={account}
            platform={target.platform}
            onClose={() => setConnecting(false)}
          />
        </Suspense>
      )}
    </>
  );
}

const Open = ({ post: { id } }: { post: ListedPost }) => (
  <ButtonLink to="/posts/$id" params={{ id }} size="small">
    {texts.open}
  </ButtonLink>
);

function Reason({ target }: { target: ListedTarget | undefined }) {
  const error = target?.error ?? null;
  return (
    <p dir="auto" className={classes['reason']}>
      {error === null ? texts.noReason : sentence(reasonIn(error))}
    </p>
  );
}
