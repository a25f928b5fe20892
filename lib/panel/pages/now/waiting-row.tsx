import { type Account, nameOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { sentence } from '../../components/error-notice.tsx';
import { ButtonLink, Link } from '../../components/link.tsx';
import { Time } from '../../components/time.tsx';
import { excerptOf } from '../../posts/post.ts';
import { PostState } from '../../posts/post-state.tsx';
import { canEdit } from '../../posts/remedy.ts';
import { words } from '../../words/words.ts';
import type { Concern } from './concerns.ts';
import { Row } from './row.tsx';
import classes from './rows.module.css';

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
    <Row
      mark={<PlatformMark platform={target.platform} />}
      title={
        <Link to="/posts/$id" params={{ id }}>
          <bdi>{excerptOf(post) ?? words.post.noText}</bdi>
        </Link>
      }
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
      <p dir="auto" className={classes['reason']}>
        {target.error === null ? words.nowPage.post.noReason : sentence(target.error)}
      </p>
      <p className={classes['meta']}>
        <bdi>{account ? nameOf(account) : words.account.disconnected}</bdi>
        <Time at={at} isRelative isInline />
        {retryAt !== null && (
          <span>
            {words.nowPage.waiting.retryAt} <Time at={retryAt} format="time" isInline />
          </span>
        )}
      </p>
    </Row>
  );
}
