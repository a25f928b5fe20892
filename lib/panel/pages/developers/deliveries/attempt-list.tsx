import { CopyButton } from '../../../components/copy-button.tsx';
import { sentence } from '../../../components/error-notice.tsx';
import { Status } from '../../../components/status.tsx';
import { Time } from '../../../components/time.tsx';
import classes from '../developers.module.css';
import { type Attempt, formatLatency } from './delivery.ts';
import { strings } from './strings.ts';

const texts = strings.detail;

/** Every attempt that is kept, newest first. */
export function AttemptList({ attempts }: { readonly attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <p className={classes['muted']}>{texts.noAttempts}</p>;
  return (
    <ol className={classes['attempts']} reversed>
      {attempts
        .map((attempt, place) => <AttemptItem key={attempt.at} attempt={attempt} number={place + 1} />)
        .reverse()}
    </ol>
  );
}

function AttemptItem({ attempt, number }: { readonly attempt: Attempt; readonly number: number }) {
  const { at, statusCode, latencyMs, error, responseStart } = attempt;
  return (
    <li className={classes['attempt']}>
      <div className={classes['attemptHead']}>
        <h4>{texts.attempt(number)}</h4>
        <Status tone={error === null ? 'good' : 'bad'}>
          {error === null ? texts.succeeded : texts.failed}
        </Status>
      </div>
      {error !== null && <p className={classes['failure']}>{sentence(error)}</p>}
      <dl className={classes['facts']}>
        <div>
          <dt>{texts.time}</dt>
          <dd>
            <Time at={at} />
          </dd>
        </div>
        <div>
          <dt>{texts.responded}</dt>
          <dd>{statusCode === null ? texts.none : texts.status(statusCode)}</dd>
        </div>
        <div>
          <dt>{texts.latency}</dt>
          <dd>{formatLatency(latencyMs)}</dd>
        </div>
      </dl>
      {responseStart !== null &&
        (responseStart === '' ? (
          <p className={classes['note']}>{texts.emptyResponse}</p>
        ) : (
          <figure className={classes['responseFigure']}>
            <figcaption className={classes['note']}>
              {texts.responseStart}
              <CopyButton text={responseStart} label={texts.copyResponse} />
            </figcaption>
            <pre className={classes['response']} dir="auto">
              {responseStart}
            </pre>
          </figure>
        ))}
    </li>
  );
}
