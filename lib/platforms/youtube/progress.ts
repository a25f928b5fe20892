import * as z from 'zod';
import type { MediaSource, PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import { ExtraNotes } from './extras.ts';
import { KnownSettings } from './map.ts';

/**
 * The preparation as the steps store it. An account that lets Herald change videos gets its file ahead, as a private video
 * (`uploadId`), and the last call makes it public. For any other account, the last call sends the last bytes.
 */
export const Progress = ExtraNotes.extend({
  /**
   * The URL of the private upload's session, which names the upload. Null if the last byte makes the video live. Not in `sessionUri`:
   * release 0.1.0 takes a session that is complete for a post that is live, and begins an upload of its own if there is none.
   */
  uploadId: z.string().nullable().catch(null),
  /** The URL of the session of which the last byte makes the video live. */
  sessionUri: z.string().nullable().catch(null),
  /** The number of bytes that YouTube is known to have. */
  offset: z.int().catch(0),
  /** The number of sessions that were started. Each counts against the daily number of uploads. */
  sessions: z.int().catch(0),
  /** The size of the whole file, by which a session is asked for its video. */
  sizeBytes: z.int().nullable().catch(null),
  /** The private video, once YouTube has named it. */
  videoId: z.string().nullable().catch(null),
  /** True if subscribers are notified of the video, and a digest of its metadata, as YouTube has them. */
  notifies: z.boolean().catch(true),
  metadata: z.string().nullable().catch(null),
  /** The rest of the video's status, as YouTube showed it last. */
  settings: KnownSettings.catch({}),
  isProcessed: z.boolean().catch(false),
  /** The number of looks at the processing, and of tries to set a playlist or thumbnail. */
  looks: z.int().catch(0),
  tries: z.int().catch(0),
  /** The number of calls in a row for which YouTube did not know the video. */
  misses: z.int().catch(0),
  /** The playlist to which the video was added, or was about to be added. */
  playlistId: z.string().nullable().catch(null),
});
export type Progress = z.infer<typeof Progress>;

/** Returns the job's video. @throws PlatformError `rejected` if the first file is not a video */
export function theVideo({ media }: Pick<PublishJob, 'media'>): MediaSource {
  const [video] = media;
  if (video?.type === 'video') return video;
  throw new PlatformError('rejected', 'YouTube needs exactly one video.');
}
