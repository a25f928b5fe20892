import { sentence } from '../../../components/error-notice.tsx';
import classes from '../developers.module.css';
import { type Attempt, formatLatency } from './delivery.ts';
import { strings } from './strings.ts';

/** What came of an attempt, in a line or two: never only as a colour or a picture. */
export function AttemptResult({ attempt }: { readonly attempt: Attempt }) {
  const { statusCode, latencyMs, error } = attempt;
  const latency = formatLatency(latencyMs);
  return (
    <>
      <span className={classes['nowrap']}>
        {statusCode === null ? strings.noAnswer(latency) : strings.answered(statusCode, latency)}
      </span>
      {error !== null && <span className={classes['failure']}>{sentence(error)}</span>}
    </>
  );
}
