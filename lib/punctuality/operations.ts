import * as z from 'zod';
import { Timestamp } from '../api-contract/fields.ts';
import { operation } from '../api-contract/operation.ts';
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
  atFirstTry: z.number().min(0).max(1).nullable().meta({
    description:
      'The share of them that went live at the first try, from 0 to 1: a platform that works well has nearly 1. Null if there are none, or an earlier release has counted them',
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

const maxDays = 90;
const daysProblem = `must be a whole number from 1 to ${maxDays}`;

export const readPunctualityOperation = operation({
  id: 'getPunctuality',
  handler: 'workspace/read-punctuality',
  verb: 'workspace.read-punctuality',
  method: 'GET',
  path: '/v1/workspace/punctuality',
  summary: 'Read how punctually posts went live',
  description:
    'The delay of all destinations that went live in the last days: the time from `scheduledFor` to the call that made them live (`timing.lateMs` of a destination). Left out are destinations without a chosen time, which go live at once, those that a person has retried or has said to be live, and those that waited past their time for a limit of the platform or for a pause. A destination is counted within moments of going live; in rare failures it may be counted twice. A destination counts on the day of its call, in UTC.',
  query: z.object({
    days: z
      .string()
      .regex(/^\d{1,2}$/, daysProblem)
      .transform(Number)
      .refine((days) => days >= 1 && days <= maxDays, daysProblem)
      .default(7)
      .meta({
        type: 'integer',
        minimum: 1,
        maximum: maxDays,
        description: 'Number of days, including today',
      }),
  }),
  replies: { 200: { description: 'The figures', body: z.object({ punctuality: Punctuality }) } },
  rights: { reads: { Query: ['PUNCTUALITY#'] } },
});
