import { useEffect, useState } from 'react';
import { browserZone, formatRelative, formatTime, isSameTime, type TimeFormat, zoneName } from '../time.ts';
import { words } from '../words/words.ts';
import { useWorkspace } from '../workspace.tsx';
import { join } from './classes.ts';
import classes from './time.module.css';

interface TimeProps {
  at: string;
  format?: TimeFormat;
  isRelative?: boolean;
  isInline?: boolean;
}

/**
 * A time on the workspace's clocks, with its zone. If the person's clock shows another time then, that time is below. A date alone has the
 * zone only.
 */
export function Time({ at, format = 'full', isRelative = false, isInline = false }: TimeProps) {
  const { timezone } = useWorkspace();
  const now = useNow(isRelative);
  const date = new Date(at);
  const own = browserZone();
  const text = formatTime(date, timezone, format);
  const isDate = format === 'date';
  return (
    <span className={join(classes.time, isInline && classes.inline)}>
      {isRelative && <span className={classes.relative}>{formatRelative(date, now)}</span>}
      <time dateTime={at} className={isRelative ? classes.minor : undefined}>
        {text}
        <span className={classes.zone}> {zoneName(date, timezone)}</span>
      </time>
      {!isDate && !isSameTime(date, timezone, own) && (
        <span className={classes.minor}>
          {words.shared.time.yourTime(formatTime(date, own, ownFormat(date, timezone, own, format)))}
        </span>
      )}
    </span>
  );
}

/** The person's own date is only written where it is another one. */
function ownFormat(date: Date, timezone: string, own: string, format: TimeFormat): TimeFormat {
  const isSameDay = formatTime(date, timezone, 'date') === formatTime(date, own, 'date');
  return isSameDay ? 'time' : format;
}

/** Epoch milliseconds, renewed twice a minute. */
function useNow(isNeeded: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isNeeded) return;
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, [isNeeded]);
  return now;
}
