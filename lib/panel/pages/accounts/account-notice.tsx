import { type Account, reconnectByOf } from '../../accounts/account.ts';
import type { Condition } from '../../accounts/condition.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Time } from '../../components/time.tsx';
import { words } from '../../words/words.ts';
import classes from './account-notice.module.css';

interface AccountNoticeProps {
  account: Account;
  condition: Condition;
  scheduledTargets: number | undefined;
  onReconnect: () => void;
}

const texts = words.accountsPage.account;

/** What is wrong with the account, what that means, and what helps. Nothing if it works. */
export function AccountNotice({ account, condition, scheduledTargets, onReconnect }: AccountNoticeProps) {
  if (condition === 'ok') return null;
  const { statusMessage, statusSince } = account;
  const by = reconnectByOf(account);
  const isOver = by !== undefined && Date.parse(by) <= Date.now();
  const title = {
    expired: texts.expiredTitle,
    error: texts.errorTitle,
    expiring: isOver ? texts.endedTitle : texts.expiringTitle,
  }[condition];
  return (
    <Notice
      tone={condition === 'expired' ? 'bad' : 'warn'}
      title={title}
      actions={
        condition !== 'error' && (
          <Button variant="primary" icon="refresh" onPress={onReconnect}>
            {words.accountsPage.connect.reconnect}
          </Button>
        )
      }
    >
      <div className={classes.texts}>
        {condition === 'expired' && <p>{texts.expiredText}</p>}
        {condition === 'error' && <p>{texts.errorText}</p>}
        {condition === 'expiring' && by !== undefined && (
          <>
            <p>{texts.expiringText}</p>
            <p className={classes.time}>
              <span className={classes.minor}>{texts.reconnectBy}</span> <Time at={by} isRelative />
            </p>
          </>
        )}
        {condition !== 'error' && scheduledTargets !== undefined && scheduledTargets > 0 && (
          <p>{texts.waiting(scheduledTargets)}</p>
        )}
        {condition !== 'expiring' && (
          <p>
            <span className={classes.minor}>{texts.said}</span>{' '}
            <bdi>{statusMessage ?? words.accountsPage.list.noReason}</bdi>
          </p>
        )}
        {condition !== 'expiring' && statusSince !== null && (
          <p className={classes.time}>
            <span className={classes.minor}>{texts.since}</span> <Time at={statusSince} isRelative />
          </p>
        )}
      </div>
    </Notice>
  );
}
