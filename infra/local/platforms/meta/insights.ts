import { type Fields, integerField, listField } from './parameters.ts';

/** The metrics that a call asks for. @throws Refusal 100 if there are none or one is unknown, as the Graph API refuses all then */
export function metricsOf(
  fields: Fields,
  known: readonly string[],
  refuse: (message: string) => never,
): readonly string[] {
  const asked = listField(fields, 'metric') ?? [];
  const foreign = asked.find((name) => !known.includes(name));
  if (asked.length === 0 || foreign !== undefined)
    refuse(`(#100) metric[0] must be one of the following values: ${known.join(', ')}`);
  return asked;
}

/** Returns lifetime metrics in the form of the Graph API. One without a number is left out: Meta sends no 0 for missing data. */
export const lifetime = (metrics: readonly string[], numberOf: (name: string) => number | undefined) => ({
  data: metrics.flatMap((name) => {
    const value = numberOf(name);
    return value === undefined ? [] : [{ name, period: 'lifetime', values: [{ value }], title: name }];
  }),
});

/** Returns the period of a call, in epoch milliseconds. By default the last two days. */
export function periodOf(fields: Fields, at: number) {
  const seconds = (name: string, usual: number) => (integerField(fields, name, 0) ?? usual) * 1_000;
  return {
    since: seconds('since', Math.floor(at / 1_000) - 2 * 86_400),
    until: seconds('until', Math.floor(at / 1_000)),
  };
}

/** Returns metrics by day. `end_time` is the midnight that ends the day, in Pacific time on the real platforms and in UTC here. */
export const daily = (
  metrics: readonly string[],
  days: readonly string[],
  numberOf: (name: string, day: string) => number | undefined,
) => ({
  data: metrics.map((name) => ({
    name,
    period: 'day',
    values: days.flatMap((day) => {
      const value = numberOf(name, day);
      if (value === undefined) return [];
      const end = new Date(Date.parse(day) + 86_400_000).toISOString().replace('.000Z', '+0000');
      return [{ value, end_time: end }];
    }),
    title: name,
  })),
});
