import * as z from 'zod';
import { isTimezone, storedTimezone } from '../kernel/time-zone.ts';

const TimeOfDay = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 09:00')
  .meta({ description: 'HH:MM, local time in `timezone`' });

const DayWindow = z.object({ from: TimeOfDay, to: TimeOfDay }).meta({ id: 'DayWindow' });

/** The settings for automatic slots on one account, for one owner. Absent fields get their defaults. */
export const Rhythm = z
  .object({
    gapMinutes: z
      .int()
      .min(1)
      .max(7 * 24 * 60)
      .default(120)
      .meta({ description: 'Minimum time between two automatic posts of this key on the account' }),
    dailyCap: z.int().min(1).max(100).default(3).meta({
      description:
        'Maximum automatic posts of this key on the account per day in `timezone`. If `dayWindow` crosses midnight, a day begins when the window opens, so its evening and the morning after share one cap',
    }),
    dayWindow: DayWindow.default({ from: '09:00', to: '21:00' }).meta({
      description:
        'Times at which automatic posts may go out, including `from` and excluding `to`. If `to` is earlier than `from`, the window crosses midnight. If both are equal, it is the whole day',
    }),
    collisionBufferMinutes: z
      .int()
      .min(0)
      .max(24 * 60)
      .default(15)
      .meta({
        description:
          'Minimum time to every other scheduled post on the account, whoever scheduled it. At least one minute always applies',
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

/** A rhythm as stored. */
export const StoredRhythm = z.object({
  ...Rhythm.shape,
  timezone: z.string().overwrite(storedTimezone).default('UTC'),
});
