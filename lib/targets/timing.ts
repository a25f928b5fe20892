import * as z from 'zod';
import { Timestamp } from '../api-contract/fields.ts';
import { lateMsOf } from './punctuality.ts';
import type { TargetSummary } from './schemas.ts';

export const TargetTiming = z
  .object({
    scheduledFor: Timestamp.nullable().meta({
      description: 'Due time. A retry is due at the time of its request',
    }),
    calledAt: Timestamp.nullable().meta({
      description:
        'When Herald began the call that made it live; null until it is live. If the response was lost and the platform was asked later: when Herald had recorded that it was about to make the call, a moment before it began',
    }),
    liveAt: Timestamp.nullable().meta({
      description:
        'Time at which the platform reported it as live; null until then. If the response was lost and the platform was asked later: the time at which the post was created, according to the platform',
    }),
    lateMs: z.int().nullable().meta({
      description:
        'From `scheduledFor` to `calledAt`, in milliseconds, 0 or more; null until it is live, and if nobody chose its time: see `afterRequestMs`',
    }),
    afterRequestMs: z.int().nullable().meta({
      description:
        'The same for a destination that goes live at once: from the request, to publish or to try again, to `calledAt`. It includes the preparation; null until it is live, and if its time was chosen',
    }),
  })
  .meta({ id: 'TargetTiming' });
export type TargetTiming = z.infer<typeof TargetTiming>;

export function toTiming({ scheduledFor, isImmediate, calledAt, publishedAt }: TargetSummary): TargetTiming {
  const passedMs =
    scheduledFor !== undefined && calledAt !== undefined ? lateMsOf(scheduledFor, calledAt) : null;
  return {
    scheduledFor: scheduledFor ?? null,
    calledAt: calledAt ?? null,
    liveAt: publishedAt ?? null,
    lateMs: isImmediate ? null : passedMs,
    afterRequestMs: isImmediate ? passedMs : null,
  };
}
