import * as z from 'zod';
import { Platform } from '../platforms/contract/names.ts';

/** A target that is tried again because the platform or Herald fails. Times are timestamps. */
export const PutOff = z.object({
  workspaceId: z.string(),
  postId: z.string(),
  accountId: z.string(),
  platform: Platform,
  /** The first failure of the present series. */
  since: z.string(),
  /** The time at which it should have gone live; absent if the platform asks for a wait, so that its lateness is no surprise. */
  lateSince: z.string().optional(),
  /** An outcome code. */
  code: z.string(),
  reason: z.string(),
});
export type PutOff = z.infer<typeof PutOff>;

/**
 * Trouble of a platform. `outage`: many destinations are put off and none of them goes live. `late`: at least one, for longer than a
 * short fault lasts.
 */
export const Incident = z.object({
  platform: Platform,
  kind: z.enum(['outage', 'late']),
  /** The time of the first failure. */
  since: z.string(),
});
export type Incident = z.infer<typeof Incident>;

/** The sweep's notes about destinations that are put off, on all platforms. The table has one. */
export const Watch = z.object({
  checkedAt: z.string(),
  /** A sample: at most {@link sampleSize} of each platform. */
  putOff: z.array(PutOff),
  /** The latest time at which a destination went live that had been put off. */
  recoveries: z.array(z.object({ platform: Platform, at: z.string() })),
  incidents: z.array(Incident),
});
export type Watch = z.infer<typeof Watch>;

/** The number of destinations that are noted, so that the item stays small: of a platform, and of one of its accounts. */
export const sampleSize = { ofPlatform: 25, ofAccount: 4 };
