import { Section } from '../../components/section.tsx';
import { Badge } from '../../components/status.tsx';
import { locale, words } from '../../words/words.ts';
import classes from './detail.module.css';
import type { AutomationDetail } from './funnel.ts';
import { describeFailure } from './reasons.ts';
import { RemedyLink, type RemedyLinkProps } from './remedy-link.tsx';

const texts = words.automationsPage.detail.failures;
const numbers = new Intl.NumberFormat(locale);

interface FailuresSectionProps extends Pick<RemedyLinkProps, 'account' | 'permalink'> {
  automation: AutomationDetail;
}

/** What was not sent, why, and who can do something about it. Nothing if nothing has failed. */
export function FailuresSection({ automation, account, permalink }: FailuresSectionProps) {
  const { counts, failures } = automation;
  if (failures.length === 0) return null;
  return (
    <Section title={texts.title} lead={texts.lead(counts.failed)} isCard>
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
                  {next && <span className={classes.minor}>{next}</span>}
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
