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
  /** The allowed cost of a thousand such posts. Absent for posts with media, whose uploads and status checks cost more. */
  readonly dollarsPerThousand?: number;
}

/** Seconds after the post's time. */
const afterTakeovers = -17;

export const measuredPosts: readonly MeasuredPost[] = [
  {
    name: 'text',
    platforms: ['facebook', 'linkedin', 'threads'],
    // Before the schedule for Threads' preparation, the schedules for the other go-live wakes, and the post's time.
    stops: [107, 62, 4, afterTakeovers],
    dollarsPerThousand: 0.1,
  },
  {
    name: 'image',
    platforms: ['facebook', 'instagram', 'linkedin'],
    file: { fixture: 'image.jpg', type: 'image' },
    // Before the schedule for LinkedIn's preparation, the schedules for the other preparations, and the post's time.
    stops: [132, 122, 4, afterTakeovers],
  },
  {
    name: 'video',
    platforms: ['facebook', 'instagram', 'youtube'],
    file: { fixture: 'video.mp4', type: 'video' },
    // Before the schedules for Facebook's and Instagram's preparation, for YouTube's, for go-live, and the post's time.
    // Then after the platforms have processed the video.
    stops: [662, 183, 62, 4, afterTakeovers, -60],
  },
];
