import { formatPrecise, zoneName } from '../../time.ts';
import { useWorkspace } from '../../workspace.tsx';
import classes from './page.module.css';

/** A time that the service has recorded, to the millisecond. */
export function PreciseTime({ at }: { at: string }) {
  const { timezone } = useWorkspace();
  const date = new Date(at);
  return (
    <time dateTime={at}>
      {formatPrecise(date, timezone)} <span className={classes['minor']}>{zoneName(date, timezone)}</span>
    </time>
  );
}
