import * as z from 'zod';
import { isTimezone } from '../kernel/time-zone.ts';

const TimeOfDay = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 09:00')
  .meta({ description: 'HH:MM on the clocks of `timezone`' });

/** By what automatic slots on a channel go, for one key. What is absent has its default. */
export const Rhythm = z
  .object({
    gapMinutes: z
      .int()
      .min(1)
      .max(7 * 24 * 60)
      .default(120)
      .meta({ description: 'Least time between two automatic posts of this key on the channel' }),
    dailyCap: z
      .int()
      .min(1)
      .max(100)
      .default(3)
      .meta({ description: 'Most automatic posts of this key on the channel on one day in `timezone`' }),
    dayWindow: z.object({ from: TimeOfDay, to: TimeOfDay }).default({ from: '09:00', to: '21:00' }).meta({
      description:
        'When automatic posts may go out: from `from` on and before `to`. `to` may be earlier than `from`: then the window crosses midnight. Where both are the same it is the whole day',
    }),
    collisionBufferMinutes: z
      .int()
      .min(0)
      .max(24 * 60)
      .default(15)
      .meta({
        description:
          'Least time to every other scheduled post on the channel, whatever made it. Whatever it is, no two are less than a minute apart',
      }),
    timezone: z
      .string()
      .max(64)
      .refine(isTimezone, 'must be an IANA time zone, such as Europe/Istanbul')
      .default('UTC')
      .meta({ description: 'IANA time zone' }),
  })
  .meta({ id: 'Rhythm' });
export type Rhythm = z.infer<typeof Rhythm>;
