import { CopyButton } from '../../../components/copy-button.tsx';
import { sentence } from '../../../components/error-notice.tsx';
import { Status } from '../../../components/status.tsx';
import { Time } from '../../../components/time.tsx';
import { words } from '../../../words/words.ts';
import common from '../developers.module.css';
import { answerOf } from './attempt-result.tsx';
import classes from './deliveries.module.css';
import type { Attempt } from './delivery.ts';

const texts = words.deliveriesTab.detail;

/** Every attempt that is kept, newest first. The newest shows its response. */
export function AttemptList({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <p className={common.muted}>{texts.noAttempts}</p>;
  return (
    <ol className={classes.attempts} reversed>
      {attempts
        .map((attempt, place) => (
          <AttemptItem
            key={attempt.at}
            attempt={attempt}
            number={place + 1}
            isNewest={place === attempts.length - 1}
          />
        ))
        .reverse()}
    </ol>
  );
}

interface AttemptItemProps {
  attempt: Attempt;
  number: number;
  isNewest: boolean;
}

function AttemptItem({ attempt, number, isNewest }: AttemptItemProps) {
  const { at, error, responseStart } = attempt;
  return (
    <li className={classes.attempt}>
      <div className={classes.attemptHead}>
        <h4>{texts.attempt(number)}</h4>
        <Status tone={error === null ? 'good' : 'bad'}>
          {error === null ? texts.succeeded : texts.failed}
        </Status>
        <Time at={at} />
        <span className={common.muted}>{answerOf(attempt)}</span>
      </div>
      {error !== null && <p className={classes.failure}>{sentence(error)}</p>}
      {responseStart === '' && <p className={common.note}>{texts.emptyResponse}</p>}
      {responseStart !== null && responseStart !== '' && (
        <details open={isNewest}>
          <summary>{texts.responseStart}</summary>
          <div className={classes.copied}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long response scrolls, also by keyboard */}
            <pre className={common.response} dir="auto" tabIndex={0}>
              {responseStart}
            </pre>
            <CopyButton text={responseStart} label={texts.copyResponse} />
          </div>
        </details>
      )}
    </li>
  );
}
