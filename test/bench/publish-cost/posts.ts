import type { Feature } from './shares.ts';

/** The most that the engine may use for a post. Absent: no bound. */
export interface EngineBounds {
  readonly dollarsPerThousand: number;
  readonly writeUnits?: number;
  readonly readUnits?: number;
  readonly invocations?: number;
}

/** A kind of post whose cost is measured. */
export interface MeasuredPost {
  readonly name: 'text' | 'image' | 'video';
  readonly platforms: readonly string[];
  readonly file?: { readonly fixture: string; readonly type: 'image' | 'video' };
  /**
   * The moments to which the bench moves the clock, in seconds before the post's time. Each is just before an event; the
   * last is after the takeover messages of the workers, which cost a read each.
   */
  readonly stops: readonly number[];
  readonly bounds?: EngineBounds;
}

/**
 * Budget of each feature for a thousand posts of any kind, in dollars. Each is a little more than its write and read units, and
 * for webhooks its invocations.
 */
export const featureBudgets: Readonly<Record<Feature, number>> = {
  audit: 0.0015,
  punctuality: 0.002,
  rates: 0.002,
  listsByTime: 0.0055,
  pauses: 0.003,
  places: 0.012,
  webhooks: 0.006,
  search: 0.02,
  retention: 0.006,
  logs: 0.02,
};

/**
 * Budget of the event feed for a thousand posts with text, in dollars: five events in two or three transactions. Each is two items, and a write in a transaction
 * costs twice as much.
 */
export const eventFeedBudget = 0.025;

/** Seconds after the post's time. */
const afterTakeovers = -17;

/**
 * A moment at which the sweep runs for the last time before the post's time. One in four posts is due within 15 seconds of a sweep,
 * which then sends a message more, to check on it.
 */
const lastSweep = 20;

export const measuredPosts: readonly MeasuredPost[] = [
  {
    name: 'text',
    platforms: ['facebook', 'linkedin', 'threads'],
    // Before the schedule for Threads' preparation, the schedules for the other go-live wakes, and the post's time.
    stops: [137, 92, lastSweep, 4, afterTakeovers],
    bounds: { dollarsPerThousand: 0.08, writeUnits: 60, readUnits: 24, invocations: 14 },
  },
  {
    name: 'image',
    platforms: ['facebook', 'instagram', 'linkedin'],
    file: { fixture: 'image.jpg', type: 'image' },
    // Before the schedule for LinkedIn's preparation, the schedules for the other preparations, and the post's time.
    stops: [162, 152, lastSweep, 4, afterTakeovers],
    bounds: { dollarsPerThousand: 0.12 },
  },
  {
    name: 'video',
    platforms: ['facebook', 'instagram', 'youtube'],
    file: { fixture: 'video.mp4', type: 'video' },
    // Before the schedules for Facebook's and Instagram's preparation, for YouTube's, for go-live, and the post's time.
    // Then after the platforms have processed the video.
    stops: [692, 213, 92, lastSweep, 4, afterTakeovers, -60],
    bounds: { dollarsPerThousand: 0.15 },
  },
];
