import { sentence } from '../../../components/error-notice.tsx';
import { words } from '../../../words/words.ts';
import common from '../developers.module.css';
import classes from './deliveries.module.css';
import { type Attempt, formatLatency } from './delivery.ts';

/** `Status 200 after 132 ms`. */
export function answerOf({ statusCode, latencyMs }: Attempt): string {
  const latency = formatLatency(latencyMs);
  return statusCode === null
    ? words.deliveriesTab.noAnswer(latency)
    : words.deliveriesTab.answered(statusCode, latency);
}

/** What came of the last attempt, in a line or two: never only as a colour or a picture. */
export function AttemptResult({ attempt, count }: { attempt: Attempt; count: number }) {
  const { error } = attempt;
  const answer = answerOf(attempt);
  const rest = count > 1 ? [words.deliveriesTab.attempts(count)] : [];
  if (error === null)
    return (
      <>
        <span>{answer}</span>
        {rest.length > 0 && <span className={common.note}>{rest}</span>}
      </>
    );
  return (
    <>
      <span className={classes.failure}>{sentence(error)}</span>
      <span className={common.note}>{[answer, ...rest].join(' · ')}</span>
    </>
  );
}
