import { Button as BaseButton } from 'react-aria-components/Button';
import { Button } from '../../../components/button.tsx';
import { join } from '../../../components/classes.ts';
import { sentence } from '../../../components/error-notice.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Spinner } from '../../../components/spinner.tsx';
import textClasses from '../../../components/texts.module.css';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';
import { words } from '../../../words/words.ts';
import type { Place, Placed } from '../draft/places.ts';
import { labelOf } from '../options/words.ts';
import type { Validation } from '../state/use-validation.ts';
import { accountName, useComposing } from './context.ts';
import classes from './problem-list.module.css';

interface ProblemListProps {
  validation: Validation;
  onGo: (place: Place) => void;
}

const texts = words.composer.findings;

/** All that is wrong or doubtful, each with the way to its field. */
export function ProblemList({ validation, onGo }: ProblemListProps) {
  const { problems, warnings } = useComposing();
  const { state, error, again } = validation;
  return (
    <section className={classes['check']} aria-label={texts.title}>
      <header className={classes['head']}>
        <h2>{texts.title}</h2>
        {state === 'old' && (
          <span className={classes['checking']}>
            <Spinner />
            {texts.checking}
          </span>
        )}
      </header>
      <p role="status" className={classes['summary']}>
        {summaryOf(problems.length, warnings.length, state)}
      </p>
      {state === 'failed' && (
        <p className={textClasses['minor']}>
          {error && sentence(error.message)}{' '}
          <Button size="small" icon="refresh" onPress={again}>
            {texts.again}
          </Button>
        </p>
      )}
      <Findings tone="bad" findings={problems} onGo={onGo} />
      <Findings tone="warn" findings={warnings} onGo={onGo} />
    </section>
  );
}

function summaryOf(problems: number, warnings: number, state: Validation['state']): string {
  const parts = [
    ...(problems > 0 ? [texts.problems(problems)] : []),
    ...(warnings > 0 ? [texts.warnings(warnings)] : []),
  ];
  if (parts.length > 0)
    return `${words.composer.list(parts)}. ${problems > 0 ? texts.problemsNote : texts.warningsNote}`;
  if (state === 'failed') return texts.failed;
  return state === 'current' ? texts.none : state === 'none' ? texts.notChecked : '';
}

interface FindingsProps {
  tone: 'bad' | 'warn';
  findings: readonly Placed[];
  onGo: (place: Place) => void;
}

function Findings({ tone, findings, onGo }: FindingsProps) {
  const { draft, accounts } = useComposing();
  if (findings.length === 0) return null;
  return (
    <ul className={classes['findings']}>
      {findings.map((finding) => {
        const { place, message, accountId, field } = finding;
        const platform = draft.destinations.find((each) => each.accountId === accountId)?.platform;
        const account = accountId === null ? undefined : accountName(accounts, accountId, platform);
        const label = labelOf(finding, draft);
        const text = label === undefined ? sentence(message) : texts.field(label, ended(message));
        return (
          <li key={`${place.key} ${field} ${accountId} ${message}`}>
            <BaseButton className={join(classes['finding'], classes[tone])} onPress={() => onGo(place)}>
              <Icon name={tone === 'bad' ? 'alert' : 'info'} size={14} />
              <VisuallyHidden>{tone === 'bad' ? texts.problem : texts.warning}. </VisuallyHidden>
              <span>
                {account !== undefined && <strong className={classes['of']}>{account}</strong>}
                <span>{text}</span>
              </span>
            </BaseButton>
          </li>
        );
      })}
    </ul>
  );
}

/** After the name of its field, a message goes on in lower case, as the service writes it. */
const ended = (message: string): string => (/[.!?…]$/.test(message) ? message : `${message}.`);
