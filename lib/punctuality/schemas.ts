import * as z from 'zod';
import { Timestamp } from '../api-contract/fields.ts';
import { Platform } from '../platforms/contract/names.ts';

const lateness = (what: string) =>
  z
    .int()
    .nullable()
    .meta({
      description: `${what}, in milliseconds, within 1 % of the exact value; null if \`count\` is 0`,
    });

const figures = {
  count: z.int().meta({ description: 'Number of destinations that went live and count' }),
  p50Ms: lateness('Half of them were at most this late'),
  p90Ms: lateness('90 % of them were at most this late'),
  p95Ms: lateness('95 % of them were at most this late'),
  p99Ms: lateness('99 % of them were at most this late'),
  worstMs: lateness('The latest of them was this late'),
  withinOneSecond: z.number().min(0).max(1).nullable().meta({
    description: 'The share of them that was at most a second late, from 0 to 1; null if `count` is 0',
  }),
};

export const Punctuality = z
  .object({
    from: Timestamp.meta({ description: 'The beginning of the first day, in UTC' }),
    to: Timestamp.meta({ description: 'Now' }),
    ...figures,
    platforms: z.array(z.object({ platform: Platform, ...figures })).meta({
      description: 'The same figures for each platform that has any',
    }),
  })
  .meta({ id: 'Punctuality' });
export type Punctuality = z.infer<typeof Punctuality>;
