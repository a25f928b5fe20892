import type { Account } from '../../accounts/account.ts';
import { Notice } from '../../components/notice.tsx';
import { Time } from '../../components/time.tsx';
import { locale, words } from '../../words/words.ts';
import classes from './detail.module.css';
import type { AutomationDetail } from './funnel.ts';
import { describeWait } from './reasons.ts';
import { RemedyLink } from './remedy-link.tsx';

const texts = words.automationsPage.detail.waiting;
const numbers = new Intl.NumberFormat(locale);

interface WaitingNoticeProps {
  automation: AutomationDetail;
  account: Account | undefined;
}

/** How many private messages wait, for what, and until when that is known. Nothing if none waits. */
export function WaitingNotice({ automation, account }: WaitingNoticeProps) {
  const { count, until, reasons } = automation.waiting;
  if (count === 0) return null;
  const title = texts.title(count);
  return (
    <Notice tone="warn" title={title}>
      <div className={classes.waits}>
        <ul aria-label={title} className={classes.causes}>
          {reasons.map(({ reason, count: each }) => {
            const { text, remedy } = describeWait(reason, { isActive: automation.isActive, account });
            return (
              <li key={reason} className={classes.cause}>
                <span className={classes.number}>{numbers.format(each)}</span>
                <p>
                  {text}{' '}
                  {reason === 'hourly_limit' && until !== null && (
                    <>
                      {texts.last} <Time at={until} isRelative isInline />
                    </>
                  )}
                  <RemedyLink remedy={remedy} automation={automation} account={account} permalink={null} />
                </p>
              </li>
            );
          })}
        </ul>
        <p className={classes.minor}>{texts.window}</p>
      </div>
    </Notice>
  );
}
