import * as z from 'zod';

/** One call to the platform: method and URL without its query, status of the reply, duration. */
export const PlatformCall = z.object({
  call: z.string(),
  /** Null if there was no reply. */
  status: z.int().nullable(),
  milliseconds: z.int(),
});
export type PlatformCall = z.infer<typeof PlatformCall>;

/** A file as it was published. */
export const PublishedFile = z.object({
  mediaId: z.uuid(),
  /** SHA-256 in hexadecimal; absent for files that arrived before it was recorded. */
  sha256: z.string().optional(),
  /** The id of the rendition that was published in its place, whose digest this is. */
  renditionId: z.string().optional(),
});
export type PublishedFile = z.infer<typeof PublishedFile>;

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
  'paused',
  'resumed',
]);
export type TimelineEvent = z.infer<typeof TimelineEvent>;

/** The events that release 0.1.0 could not read. */
export const LaterTimelineEvent = z.enum([
  'discarded',
  'not discarded',
  'files ready',
  'part published',
  'removal requested',
  'removing',
  'part removed',
  'removed',
  'not removed',
]);
export type LaterTimelineEvent = z.infer<typeof LaterTimelineEvent>;

/** One step of a target, committed together with its effect. Never contains a token. */
export const TimelineEntry = z.object({
  at: z.string(),
  event: TimelineEvent,
  /** The event itself, if release 0.1.0 could not read it. `event` is then one that it knows. */
  laterEvent: LaterTimelineEvent.optional(),
  /** The fencing token of the worker that took the step. */
  attempt: z.int(),
  /**
   * The number of the try to which the step belongs, see {@link triesOf}. Absent for the first, and in entries of earlier
   * releases.
   */
  tryNumber: z.int().optional(),
  calls: z.array(PlatformCall),
  /** The reason, from the platform or from Herald. */
  reason: z.string().optional(),
  /** The time at which work on the target continues. */
  nextAt: z.string().optional(),
  /** The files of a target that goes live: media first, then the cover. */
  files: z.array(PublishedFile).optional(),
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

/**
 * Limits for a target's history and for the calls of one step. The oldest entries are dropped first. The byte limit fits
 * next to the largest destination in an item of 400 KB.
 */
const maxEntries = 60;
const maxCalls = 10;
const maxBytes = 30_000;

export function appendEntry(timeline: readonly TimelineEntry[], entry: TimelineEntry): TimelineEntry[] {
  const tryNumber = triesOf([...timeline, entry]).at(-1) ?? 1;
  const calls = entry.calls.slice(-maxCalls);
  const entries = [...timeline, { ...entry, ...(tryNumber > 1 && { tryNumber }), calls }];
  let bytes = 0;
  const tooOld = entries.findLastIndex((kept, index) => {
    bytes += Buffer.byteLength(JSON.stringify(kept));
    return index < entries.length - 1 && (bytes > maxBytes || entries.length - index > maxEntries);
  });
  return entries.slice(tooOld + 1);
}

/** The steps after which the next one begins another try. */
const endsOfTries: readonly TimelineEvent[] = ['trying again', 'nothing went live', 'failed'];

/**
 * Counts the tries of a target, from 1. A worker that only waits or looks up begins none, so a target without trouble has one
 * try, however often it is woken. Pure.
 *
 * @returns the try of each step, counted from the oldest step left if an earlier release dropped older ones
 */
export function triesOf(timeline: readonly TimelineEntry[]): number[] {
  let next = 1;
  return timeline.map(({ event, tryNumber = next }) => {
    // A later entry may be about a try that has ended, such as that of an upload that was discarded.
    next = Math.max(next, endsOfTries.includes(event) ? tryNumber + 1 : tryNumber);
    return tryNumber;
  });
}
