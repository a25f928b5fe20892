import { Temporal } from 'temporal-polyfill';
import { AwsError } from '../errors.ts';

/**
 * Returns the time of a one-time schedule, in epoch milliseconds.
 *
 * @param expression `at(yyyy-mm-ddThh:mm:ss)`, without zone or fraction.
 * @param timeZone the IANA name of the expression's time zone.
 * @throws AwsError `ValidationException`, also for `rate()` and `cron()`, which the local cloud does not run.
 */
export function timeOf(expression: string, timeZone: string): number {
  const [, local] = /^at\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\)$/.exec(expression) ?? [];
  if (local === undefined) {
    throw new AwsError('ValidationException', `Invalid Schedule Expression ${expression}.`);
  }
  try {
    return Temporal.PlainDateTime.from(local, { overflow: 'reject' }).toZonedDateTime(timeZone)
      .epochMilliseconds;
  } catch {
    const cause = isTimeZone(timeZone)
      ? `Invalid Schedule Expression ${expression}.`
      : 'Provided ScheduleExpressionTimezone is not valid.';
    throw new AwsError('ValidationException', cause);
  }
}

function isTimeZone(name: string): boolean {
  try {
    Temporal.Now.instant().toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}
