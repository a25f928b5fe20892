import * as z from 'zod';
import { dayMs } from '../../../kernel/clock.ts';
import { count } from '../insights.ts';

const Value = z.object({ value: z.unknown().optional(), end_time: z.string().optional().catch(undefined) });

/** The insights of an object at one of Meta's platforms: each metric has values, or one total. */
export const MetaInsights = z.object({
  data: z.array(
    z.object({
      name: z.string(),
      values: z.array(Value).catch([]),
      total_value: Value.optional().catch(undefined),
    }),
  ),
});
export type MetaInsights = z.infer<typeof MetaInsights>;

/** Returns the lifetime value of a metric; `undefined` if the platform told none: it sends no 0 for data that it does not have. */
export function lifetimeOf({ data }: MetaInsights, name: string): number | undefined {
  const metric = data.find((each) => each.name === name);
  return count(metric?.total_value?.value ?? metric?.values.at(-1)?.value);
}

/**
 * Returns the value of a metric on a day. `end_time` is the midnight that ends the day.
 *
 * @param day as `YYYY-MM-DD`
 */
export function dailyOf({ data }: MetaInsights, name: string, day: string): number | undefined {
  const metric = data.find((each) => each.name === name);
  const found = metric?.values.find(({ end_time: end }) => end !== undefined && dayBefore(end) === day);
  return count(found?.value);
}

/** Half a day earlier is in the day, whatever the zone of the midnight. */
function dayBefore(endTime: string): string {
  const ms = Date.parse(endTime.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return Number.isNaN(ms) ? '' : new Date(ms - dayMs / 2).toISOString().slice(0, 10);
}

/** Returns the seconds at which a day begins, in UTC. */
export const secondsOf = (day: string, shiftDays = 0): string =>
  String(Date.parse(day) / 1_000 + shiftDays * 86_400);
