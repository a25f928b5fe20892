import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import type { editWebhookOperation } from '../../../webhooks/endpoints/operations.ts';
import { type Account, nameOf, reconnectByOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { platformTitles } from '../../accounts/platforms.ts';
import { useSend } from '../../api/hooks.ts';
import { formatBytes } from '../../bytes.ts';
import { Button } from '../../components/button.tsx';
import { ErrorNotice, sentence } from '../../components/error-notice.tsx';
import { Icon } from '../../components/icon.tsx';
import { Muted, Row, Stack } from '../../components/layout.tsx';
import { ButtonLink, Link } from '../../components/link.tsx';
import { Status, type Tone } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toast-list.ts';
import { copyFailure, useDuplicate } from '../../posts/duplicate.ts';
import { canEdit, excerptOf, findingsOf, type ListedPost, type Risk, timeOf } from '../../posts/post.ts';
import { PostLink, PostState, Reconnect } from '../../posts/post-parts.tsx';
import { Reason } from '../../posts/reason.tsx';
import { accountsToCorrect, failedTargets, type Remedy, remedyOfPost } from '../../posts/remedy.ts';
import { retryFailure, useRetry } from '../../posts/retry.tsx';
import { RetryAllButton, RetryAllResult, useRetryAll } from '../../posts/retry-all.tsx';
import { conditionOfPost } from '../../posts/state.ts';
import { words } from '../../words/words.ts';
import { deliveriesHref } from '../developers/delivery.tsx';
import { type Endpoint, endpointPaths } from '../developers/endpoint.ts';
import { type AccountConcern, byService, type CauseConcern, type Concern } from './concerns.ts';
import type { Entry } from './next-day.ts';
import classes from './now.module.css';

interface ItemProps {
  mark: ReactNode;
  title: ReactNode;
  state: ReactNode;
  children: ReactNode;
  action?: ReactNode;
  error?: Error | null;
  errorTitle?: string;
}

/** Something that needs a person: what, why, and one action. */
function Item({ mark, title, state, children, action, error, errorTitle }: ItemProps) {
  return (
    <li className={classes.row}>
      <span>{mark}</span>
      <Stack gap={1}>
        <Row className={classes.titleLine}>
          <h3 className={classes.rowTitle}>{title}</h3>
          {state}
        </Row>
        {children}
        {error && <ErrorNotice error={error} title={errorTitle} />}
      </Stack>
      {action && <div className={classes.action}>{action}</div>}
    </li>
  );
}

interface PostRowProps {
  post: ListedPost;
  accounts: ReadonlyMap<string, Account> | undefined;
  now: number;
  isRestored: boolean;
  onDismiss: (post: ListedPost) => void;
}

const postTexts = words.nowPage.post;
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
  const account = target && accounts?.get(target.accountId);
  const correct = () => duplicate.start(post, { accountIds: accountsToCorrect(post, accounts, now) });
  const actions: Readonly<Record<Remedy, ReactNode>> = {
    check: (
      <Button size="small" onPress={retry.start}>
        {postTexts.check}
      </Button>
    ),
    retry: (
      <Button size="small" icon="refresh" isPending={retry.isPending} onPress={retry.start}>
        {words.post.retry.action}
      </Button>
    ),
    reconnect: target && <Reconnect account={account} platform={target.platform} />,
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
      <Item
        mark={target ? <PlatformMark platform={target.platform} /> : <Icon name="posts" />}
        title={<PostLink ref={link} post={post} />}
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
        {retry.isBegun ? (
          <p className={classes.reason}>{postTexts.begun}</p>
        ) : (
          target && <Reason target={target} remedy={remedy} />
        )}
        <p className={classes.meta}>
          {target && (
            <span>
              <bdi>{account ? nameOf(account) : words.account.disconnected}</bdi>
              {failedTargets(post).length > 1 && ` ${postTexts.and(failedTargets(post).length - 1)}`}
            </span>
          )}
          {at && <Time at={at} isRelative isInline />}
        </p>
      </Item>
      {retry.dialog}
    </>
  );
}

const Open = ({ post: { id } }: { post: ListedPost }) => (
  <ButtonLink to="/posts/$id" params={{ id }} size="small">
    {postTexts.open}
  </ButtonLink>
);

interface WaitingRowProps {
  concern: Extract<Concern, { kind: 'waiting' }>;
  accounts: ReadonlyMap<string, Account> | undefined;
}

/** A post that something keeps back, such as a limit of its platform. */
export function WaitingRow({ concern: { post, target, at }, accounts }: WaitingRowProps) {
  const { id } = post;
  const account = accounts?.get(target.accountId);
  const retryAt = target.errorDetail?.retryAt ?? null;
  return (
    <Item
      mark={<PlatformMark platform={target.platform} />}
      title={<PostLink post={post} />}
      state={<PostState condition="waiting" />}
      action={
        canEdit(post) ? (
          <ButtonLink to="/posts/$id/edit" params={{ id }} size="small" icon="pencil">
            {words.post.edit}
          </ButtonLink>
        ) : (
          <ButtonLink to="/posts/$id" params={{ id }} size="small">
            {words.nowPage.post.open}
          </ButtonLink>
        )
      }
    >
      <Reason target={target} remedy="wait" />
      <p className={classes.meta}>
        <bdi>{account ? nameOf(account) : words.account.disconnected}</bdi>
        <Time at={at} isRelative isInline />
        {retryAt !== null && (
          <span>
            {words.nowPage.waiting.retryAt} <Time at={retryAt} format="time" isInline />
          </span>
        )}
      </p>
    </Item>
  );
}

interface AtRiskRowProps {
  concern: Extract<Concern, { kind: 'atRisk' }>;
  accounts: ReadonlyMap<string, Account> | undefined;
}

/** A post that waits and will probably fail, with the first reason. */
export function AtRiskRow({ concern: { post, target, at }, accounts }: AtRiskRowProps) {
  const { id } = post;
  const account = accounts?.get(target.accountId);
  const [first, ...others] = findingsOf(target, account);
  return (
    <Item
      mark={<PlatformMark platform={target.platform} />}
      title={<PostLink post={post} />}
      state={<PostState condition="atRisk" />}
      action={
        first?.category === 'reconnect' ? (
          <Reconnect account={account} platform={target.platform} />
        ) : first?.by === 'author' && canEdit(post) ? (
          <ButtonLink to="/posts/$id/edit" params={{ id }} size="small" icon="pencil">
            {words.post.edit}
          </ButtonLink>
        ) : (
          <Open post={post} />
        )
      }
    >
      {first && (
        <p dir="auto" className={classes.reason}>
          {sentence(first.message)}
        </p>
      )}
      <p className={classes.meta}>
        <span>
          <bdi>{account ? nameOf(account) : words.account.disconnected}</bdi>
          {others.length > 0 && ` ${words.nowPage.atRisk.more(others.length)}`}
        </span>
        {at !== null && <Time at={at} isRelative isInline />}
      </p>
    </Item>
  );
}

const accountTexts = words.nowPage.account;
const tones: Readonly<Record<Risk, Tone>> = {
  disconnected: 'bad',
  expired: 'bad',
  expiring: 'warn',
  restricted: 'warn',
};
const shownPosts = 3;

/** An account that does not work, or soon will not, with what is planned for it. */
export function AccountRow({ concern, onDismiss }: { concern: AccountConcern; onDismiss: Dismiss }) {
  const { account, accountId, platform, risk, entries, failed } = concern;
  const retrying = useRetryAll();
  const by = account && reconnectByOf(account);
  const said = account?.statusMessage ?? null;
  return (
    <Item
      mark={<PlatformMark platform={platform} />}
      title={
        account ? (
          <Link to="/accounts/$id" params={{ id: accountId }}>
            <bdi>{nameOf(account)}</bdi>
          </Link>
        ) : (
          words.account.disconnected
        )
      }
      state={
        <Status tone={tones[risk]} {...(risk === 'expiring' && { icon: 'clock' })}>
          {accountTexts.states[risk]}
        </Status>
      }
      action={
        <>
          {risk !== 'restricted' ? (
            <Reconnect account={account} platform={platform} />
          ) : failed.length > 0 ? (
            <RetryAllButton posts={failed} retrying={retrying} size="small" />
          ) : (
            <ButtonLink to="/accounts/$id" params={{ id: accountId }} size="small">
              {accountTexts.look}
            </ButtonLink>
          )}
          {failed.length > 0 && <DismissAll posts={failed} onDismiss={onDismiss} />}
        </>
      }
    >
      <p className={classes.reason}>
        {accountTexts.reasons[risk]} {risk === 'expiring' && by !== undefined && <Time at={by} isInline />}
      </p>
      {said !== null && risk !== 'expiring' && (
        <details className={classes.said}>
          <summary>{words.reasons.said}</summary>
          <p dir="auto">{sentence(said)}</p>
        </details>
      )}
      {failed.length > 0 && <Failed posts={failed} title={causeTexts.stopped(failed.length)} />}
      {entries.length > 0 && <Affected entries={entries} risk={risk} />}
      <RetryAllResult retrying={retrying} />
    </Item>
  );
}

type Dismiss = (posts: readonly ListedPost[]) => void;

const causeTexts = words.reasons.together;

const DismissAll = ({ posts, onDismiss }: { posts: readonly ListedPost[]; onDismiss: Dismiss }) => (
  <Button size="small" variant="quiet" onPress={() => onDismiss(posts)}>
    {causeTexts.dismiss(posts.length)}
  </Button>
);

interface CauseRowProps {
  concern: CauseConcern;
  accounts: ReadonlyMap<string, Account> | undefined;
  onDismiss: Dismiss;
}

/** Posts that one cause has stopped, which one button tries again. */
export function CauseRow({ concern, accounts, onDismiss }: CauseRowProps) {
  const { posts, target, platform, accountId } = concern;
  const retrying = useRetryAll();
  const account = accountId === undefined ? undefined : accounts?.get(accountId);
  const name = account ? nameOf(account) : platformTitles[platform];
  const worksAgain = target.errorDetail?.category === 'reconnect';
  return (
    <Item
      mark={<PlatformMark platform={platform} />}
      title={
        account ? (
          <Link to="/accounts/$id" params={{ id: account.id }}>
            <bdi>{worksAgain ? causeTexts.worksAgain(name) : causeTexts.title(posts.length, name)}</bdi>
          </Link>
        ) : (
          causeTexts.title(posts.length, name)
        )
      }
      state={<PostState condition="failed" />}
      action={
        <>
          <RetryAllButton posts={posts} retrying={retrying} size="small" />
          {retrying.progress === undefined && <DismissAll posts={posts} onDismiss={onDismiss} />}
        </>
      }
    >
      {!worksAgain && <Reason target={target} remedy="retry" />}
      <Failed
        posts={posts}
        title={worksAgain ? causeTexts.stoppedBefore(posts.length) : causeTexts.stopped(posts.length)}
      />
      <RetryAllResult retrying={retrying} />
    </Item>
  );
}

function Failed({ posts, title }: { posts: readonly ListedPost[]; title: string }) {
  const shown = posts.length === shownPosts + 1 ? posts : posts.slice(0, shownPosts);
  return (
    <div className={classes.affected}>
      <p>{title}</p>
      <ul>
        {shown.map((post) => (
          <li key={post.id} className={classes.affectedPost}>
            <PostLink post={post} characters={50} />
          </li>
        ))}
      </ul>
      {shown.length < posts.length && <Muted size="m">{causeTexts.more(posts.length - shown.length)}</Muted>}
    </div>
  );
}

function Affected({ entries, risk }: { entries: readonly Entry[]; risk: Risk }) {
  const shown = entries.length === shownPosts + 1 ? entries : entries.slice(0, shownPosts);
  return (
    <div className={classes.affected}>
      <p>{accountTexts.effects[risk](entries.length)}</p>
      <ul>
        {shown.map(({ key, post, at }) => (
          <li key={key} className={classes.affectedPost}>
            <Time at={at} format="time" isInline />
            <PostLink post={post} characters={50} />
          </li>
        ))}
      </ul>
      {shown.length < entries.length && (
        <Muted size="m">{accountTexts.more(entries.length - shown.length)}</Muted>
      )}
    </div>
  );
}

const endpointTexts = words.nowPage.endpoint;

const RedeliverDialog = lazy(async () => ({
  default: (await import('../developers/redeliver-dialog.tsx')).RedeliverDialog,
}));

/** An endpoint that does not receive its events. */
export function EndpointRow({ endpoint }: { endpoint: Endpoint }) {
  const { id, url, status, statusMessage } = endpoint;
  const [isSending, setSending] = useState(false);
  const edit = useSend<typeof editWebhookOperation>('PATCH', '/v1/webhooks/{id}', endpointPaths);
  const enable = () =>
    edit.mutate(
      { path: { id }, body: { isActive: true } },
      { onSuccess: () => toast({ text: endpointTexts.enabled }) },
    );
  const isOff = status === 'disabled';
  const reason = isOff ? statusMessage?.slice(byService.length) : statusMessage;
  return (
    <>
      <Item
        mark={
          <span className={classes.iconMark}>
            <Icon name="webhook" />
          </span>
        }
        title={
          <a href={deliveriesHref(id)}>
            <bdi dir="ltr">{url}</bdi>
          </a>
        }
        state={
          <Status tone={isOff ? 'warn' : 'bad'} icon={isOff ? 'pause' : 'alert'}>
            {isOff ? endpointTexts.disabled : endpointTexts.failing}
          </Status>
        }
        action={
          isOff ? (
            <Button size="small" icon="play" isPending={edit.isPending} onPress={enable}>
              {endpointTexts.enable}
            </Button>
          ) : (
            <Button size="small" icon="refresh" onPress={() => setSending(true)}>
              {endpointTexts.sendAgain}
            </Button>
          )
        }
        error={edit.error}
        errorTitle={endpointTexts.notEnabled}
      >
        <p dir="auto" className={classes.reason}>
          {reason ? sentence(isOff ? endpointTexts.disabledBecause(reason) : reason) : words.reasons.none}
        </p>
      </Item>
      {isSending && (
        <Suspense>
          <RedeliverDialog endpoint={endpoint} onClose={() => setSending(false)} />
        </Suspense>
      )}
    </>
  );
}

const storageTexts = words.nowPage.storage;

/** The storage is nearly full. */
export function StorageRow({ concern }: { concern: Extract<Concern, { kind: 'storage' }> }) {
  const { usedBytes, quotaBytes } = concern;
  const isFull = usedBytes >= quotaBytes;
  return (
    <Item
      mark={
        <span className={classes.iconMark}>
          <Icon name="image" />
        </span>
      }
      title={<Link to="/media">{isFull ? storageTexts.full : storageTexts.near}</Link>}
      state={
        <Status tone={isFull ? 'bad' : 'warn'}>
          {storageTexts.used(formatBytes(usedBytes), formatBytes(quotaBytes))}
        </Status>
      }
      action={
        <ButtonLink to="/media" size="small">
          {storageTexts.look}
        </ButtonLink>
      }
    >
      <p className={classes.reason}>{isFull ? storageTexts.fullText : storageTexts.nearText}</p>
    </Item>
  );
}
