import type { Metric as Shown } from '../../../insights/schemas.ts';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { words } from '../../words/words.ts';
import { formatNumber } from './numbers.ts';
import classes from './results.module.css';

const texts = words.resultsPage.ofPost;

/** Returns why a number is missing. */
export const reasonText = (reason: string | null): string =>
  (reason === null ? undefined : texts.reasons[reason]) ?? texts.otherReason;

/** A number, or a dash with the reason for which it is missing. */
export function Metric({ metric: { value, reason } }: { metric: Pick<Shown, 'value' | 'reason'> }) {
  if (value !== null) return <span className={classes.number}>{formatNumber(value)}</span>;
  return (
    <span title={reasonText(reason)}>
      <span aria-hidden="true">–</span>
      <VisuallyHidden>{reasonText(reason)}</VisuallyHidden>
    </span>
  );
}
