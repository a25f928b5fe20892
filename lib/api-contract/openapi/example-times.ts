import { dayMs } from '../../kernel/clock.ts';

/** The day of the earliest `scheduledFor` in the examples of requests, which were written for that week. */
const storyMs = Date.parse('2026-02-06T00:00:00Z');
const weekMs = 7 * dayMs;

/**
 * Moves the times of request examples to the weeks ahead, so that they work whenever somebody tries them. Each `scheduledFor` moves by
 * the same number of whole weeks: the earliest is then one to eight days ahead, on its own weekday. Examples of responses stay.
 *
 * @param paths `paths` of the OpenAPI document, which is not changed
 * @param now epoch milliseconds
 */
export function withTimesAhead<Paths extends object>(paths: Paths, now: number): Paths {
  const weeks = Math.ceil((now + dayMs - storyMs) / weekMs);
  const move = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => move(item, key));
    if (typeof value === 'object' && value !== null) return mapFields(value, move);
    return key === 'scheduledFor' && typeof value === 'string' ? movedBy(value, weeks * weekMs) : value;
  };
  const ofRequest = (value: unknown, key: string): unknown =>
    key === 'requestBody' ? mapFields(value as object, moveExamples) : value;
  const moveExamples = (value: unknown, key: string): unknown => {
    if (key === 'example' || key === 'examples') return move(value, key);
    return key === 'schema' || typeof value !== 'object' ? value : mapFields(value as object, moveExamples);
  };
  return mapFields(paths, (methods) =>
    mapFields(methods as object, (operation) => mapFields(operation as object, ofRequest)),
  ) as Paths;
}

const mapFields = (object: object, map: (value: unknown, key: string) => unknown): object =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));

/** Moves the date of a time by whole days, and leaves `auto` and everything behind the date as it is. */
function movedBy(time: string, byMs: number): string {
  const [date] = /^\d{4}-\d\d-\d\d/.exec(time) ?? [];
  if (date === undefined) return time;
  return new Date(Date.parse(date) + byMs).toISOString().slice(0, date.length) + time.slice(date.length);
}
