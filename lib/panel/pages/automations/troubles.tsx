import type { Account } from '../../accounts/account.ts';
import { Icon } from '../../components/icon.tsx';
import { Muted } from '../../components/layout.tsx';
import { ExternalLink, Link } from '../../components/link.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/section.tsx';
import { Badge } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { locale, words } from '../../words/words.ts';
import type { AutomationDetail, Obstacle } from './automation.ts';
import classes from './detail.module.css';
import { describeFailure, describeWait, type Remedy } from './reasons.ts';

interface ObstacleNoteProps {
  obstacle: Obstacle;
  accountId: string;
}

/** Says why nothing happens although the automation is active, and where to put that right. */
export function ObstacleNote({ obstacle, accountId }: ObstacleNoteProps) {
  const action =
    obstacle === 'error' ? words.automationsPage.account.look : words.automationsPage.account.reconnect;
  return (
    <p className={classes.obstacle}>
      <Icon name="alert" size={14} />
      <span>
        {words.automationsPage.account[obstacle]}{' '}
        {obstacle === 'disconnected' ? (
          <Link to="/accounts">{action}</Link>
        ) : (
          <Link to="/accounts/$id" params={{ id: accountId }}>
            {action}
          </Link>
        )}
      </span>
    </p>
  );
}

const waitingTexts = words.automationPage.waiting;
const numbers = new Intl.NumberFormat(locale);

interface WaitingNoticeProps {
  automation: AutomationDetail;
  account: Account | undefined;
}

/** Says how many private messages wait, for what, and until when, if that is known. Nothing if none waits. */
export function WaitingNotice({ automation, account }: WaitingNoticeProps) {
  const { count, until, reasons } = automation.waiting;
  if (count === 0) return null;
  const title = waitingTexts.title(count);
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
                      {waitingTexts.last} <Time at={until} isRelative isInline />
                    </>
                  )}
                  <RemedyLink remedy={remedy} automation={automation} account={account} permalink={null} />
                </p>
              </li>
            );
          })}
        </ul>
        <Muted>{waitingTexts.window}</Muted>
      </div>
    </Notice>
  );
}

const failureTexts = words.automationPage.failures;

interface FailuresSectionProps extends Pick<RemedyLinkProps, 'account' | 'permalink'> {
  automation: AutomationDetail;
}

/** Says what was not sent, why, and who can do something about it. Nothing if nothing has failed. */
export function FailuresSection({ automation, account, permalink }: FailuresSectionProps) {
  const { counts, failures } = automation;
  if (failures.length === 0) return null;
  return (
    <Section title={failureTexts.title} lead={failureTexts.lead(counts.failed)} isCard>
      <ul className={classes.causes}>
        {failures.map((failure) => {
          const { text, actor, next, remedy } = describeFailure(failure);
          return (
            <li key={failure.code} className={classes.cause}>
              <span className={classes.number}>{numbers.format(failure.count)}</span>
              <div>
                <p>{text}</p>
                <div className={classes.next}>
                  {actor && <Badge>{actor}</Badge>}
                  {next && <Muted as="span">{next}</Muted>}
                  <RemedyLink
                    remedy={remedy}
                    automation={automation}
                    account={account}
                    permalink={permalink}
                  />
                </div>
              </div>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

const remedyTexts = words.automationPage.remedies;

interface RemedyLinkProps {
  remedy: Remedy | undefined;
  automation: Pick<AutomationDetail, 'id'>;
  account: Pick<Account, 'id'> | undefined;
  permalink: string | null;
}

/** Leads to where a person can do something about it. Nothing if there is no such place. */
function RemedyLink({ remedy, automation, account, permalink }: RemedyLinkProps) {
  if (remedy === 'edit')
    return (
      <Link to="/automations/$id/edit" params={{ id: automation.id }}>
        {remedyTexts.edit}
      </Link>
    );
  if (remedy === 'post') return permalink && <ExternalLink href={permalink}>{remedyTexts.post}</ExternalLink>;
  if (remedy === undefined) return null;
  return account ? (
    <Link to="/accounts/$id" params={{ id: account.id }}>
      {remedyTexts.account}
    </Link>
  ) : (
    <Link to="/accounts">{remedyTexts.accounts}</Link>
  );
}
