import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';
import { Punctuality } from './schemas.ts';

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
    'The delay of all destinations that went live in the last days: the time from `scheduledFor` to the call that made them live (`timing.lateMs` of a destination). A post without a chosen time is due when it is created. Destinations that Herald did not delay are left out: those that a person has retried, and those that waited past their time for a limit of the platform or for a pause. A destination counts on the day of its call, in UTC.',
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
