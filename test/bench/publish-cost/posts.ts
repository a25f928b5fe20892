/** A post whose cost is measured. */
export interface MeasuredPost {
  readonly name: 'text' | 'image' | 'video';
  readonly platforms: readonly string[];
  readonly file?: { readonly fixture: string; readonly type: 'image' | 'video' };
  /** Where the clock stops on its way to the post's time, in seconds before it: ahead of what happens by then. */
  readonly stops: readonly number[];
  /** What a thousand such posts may cost. Media come on top: uploads, and looks at the platforms' processing. */
  readonly dollarsPerThousand?: number;
}

export const measuredPosts: readonly MeasuredPost[] = [
  {
    name: 'text',
    platforms: ['facebook', 'linkedin', 'threads'],
    // The schedule of Threads' preparation, those of the others' time, the time.
    stops: [107, 62, 4],
    dollarsPerThousand: 0.1,
  },
  {
    name: 'image',
    platforms: ['facebook', 'instagram', 'linkedin'],
    file: { fixture: 'image.jpg', type: 'image' },
    // The schedules of LinkedIn's preparation and of the others', the time.
    stops: [132, 122, 4],
  },
  {
    name: 'video',
    platforms: ['facebook', 'instagram', 'youtube'],
    file: { fixture: 'video.mp4', type: 'video' },
    // The schedules of Facebook's and Instagram's preparation, of YouTube's, those of the time, the time.
    stops: [662, 183, 62, 4],
  },
];
