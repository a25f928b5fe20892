import * as z from 'zod';

export const RedeliverFailedBody = z
  .object({
    since: z.iso
      .datetime({ offset: true, error: 'must be an ISO 8601 date-time, such as 2026-03-01T12:00:00Z' })
      .meta({ description: 'Redelivers events that happened at or after this time' }),
    cursor: z
      .string()
      .max(2_000)
      .optional()
      .meta({ description: 'The `nextCursor` of the response before, with the same `since`' }),
  })
  .meta({ id: 'RedeliverFailed' });
export type RedeliverFailedBody = z.infer<typeof RedeliverFailedBody>;
