import * as z from 'zod';

/** One call to the platform: method and address without its query, the answer's status, how long it took. */
export const PlatformCall = z.object({
  call: z.string(),
  /** Null where no answer came. */
  status: z.int().nullable(),
  milliseconds: z.int(),
});
export type PlatformCall = z.infer<typeof PlatformCall>;

export const TimelineEvent = z.enum([
  'preparing',
  'prepared',
  'waiting',
  'going live',
  'outcome unknown',
  'nothing went live',
  'published',
  'finished',
  'trying again',
  'failed',
]);
export type TimelineEvent = z.infer<typeof TimelineEvent>;

/** One step of a target, committed together with what it changed. Never a token. */
export const TimelineEntry = z.object({
  at: z.string(),
  event: TimelineEvent,
  /** The fencing token of the worker that took the step. */
  attempt: z.int(),
  calls: z.array(PlatformCall),
  /** Why, in the platform's words or ours. */
  reason: z.string().optional(),
  /** When the target is looked at next. */
  nextAt: z.string().optional(),
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

/**
 * How much of a target's history is kept, and of one step's calls. The oldest entries go first. The bytes leave room
 * beside the largest destination in the 400 KB of an item.
 */
const mostEntries = 60;
const mostCalls = 10;
const mostBytes = 30_000;

export function appendEntry(timeline: readonly TimelineEntry[], entry: TimelineEntry): TimelineEntry[] {
  const entries = [...timeline, { ...entry, calls: entry.calls.slice(-mostCalls) }];
  let bytes = 0;
  const tooOld = entries.findLastIndex((kept, index) => {
    bytes += Buffer.byteLength(JSON.stringify(kept));
    return index < entries.length - 1 && (bytes > mostBytes || entries.length - index > mostEntries);
  });
  return entries.slice(tooOld + 1);
}
