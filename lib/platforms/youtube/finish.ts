import * as z from 'zod';
import type { FinishJob, FinishStep, MediaSource } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { finishInSteps, PendingError, SettledSteps, settling } from '../shared/finishing.ts';
import { CommentNotes, commentOnce } from '../shared/first-comment.ts';
import { ifReadable } from '../shared/if-readable.ts';
import { readOptions } from '../shared/options.ts';
import { sendNoted } from '../shared/send-noted.ts';
import { type VideoState, youtubeClient } from './client.ts';
import { isVideoMissing } from './errors.ts';
import { firstCommentOf, privacyOf } from './map.ts';
import { YoutubeOptions } from './options.ts';
import { theVideo } from './prepare.ts';

const Notes = CommentNotes.extend({
  /** True if a call to add the video to the playlist was about to be made, and was not certainly refused. */
  isAddSent: z.boolean().catch(false),
  settledSteps: SettledSteps.catch(() => ({})),
});

/**
 * Completes a live video: checks that YouTube could process it and shows it as requested, adds it to the playlist, posts
 * the first comment and sets the thumbnail. The thumbnail comes last, because that of a Short waits for processing.
 */
export function finish(job: FinishJob, tools: PlatformTools): Promise<FinishStep> {
  const client = youtubeClient(job, tools);
  const options = readOptions(YoutubeOptions, job.options);
  const { cover } = job;
  const { playlistId } = options;
  const firstComment = firstCommentOf(options);
  const isShortWithCover = cover !== undefined && mayBeShort(theVideo(job));
  const notes = Notes.parse(job.preparation);
  const commitNotes = () => job.note({ ...job.preparation, ...notes });
  let video: VideoState | undefined;

  return finishInSteps(
    job,
    [
      async (post, waits) => {
        if (post.platformPostId === null) return post;
        video = await client.readVideo(post.platformPostId);
        requireProcessed(video, waits);
        return post;
      },
      async (post) => {
        requirePrivacy(options, video);
        return post;
      },
      settling(notes.settledSteps, 'playlist', async (videoId) => {
        if (playlistId !== undefined)
          await soon(() => addOnce(notes, client, playlistId, videoId, commitNotes));
      }),
      settling(notes.settledSteps, 'comment', async (videoId) => {
        if (firstComment === undefined) return;
        const { platformAccountId: channelId } = job.account;
        const comment = {
          name: 'YouTube',
          post: () => client.comment(channelId, videoId, firstComment),
          isPosted: () => ifReadable(() => client.hasComment(channelId, videoId, firstComment)),
        };
        await soon(() => commentOnce(notes, comment, commitNotes));
      }),
      async (post) => {
        if (isShortWithCover && video) requireWholeShort(video);
        return post;
      },
      settling(notes.settledSteps, 'thumbnail', async (videoId) => {
        if (cover) await client.setThumbnail(videoId, cover);
      }),
    ],
    () => notes,
  );
}

/**
 * Adds a video to a playlist, at most once. YouTube would add it a second time, even if the playlist has it already. So
 * a call of unknown outcome is never repeated, whatever the list shows, because it may lag.
 *
 * @param notes the notes of earlier attempts; mutated
 * @param commitNotes commits the notes before the call, so that they survive a crash
 * @throws PlatformError as YouTube does; `retry` while a call of unknown outcome is not confirmed
 */
async function addOnce(
  notes: Pick<z.infer<typeof Notes>, 'isAddSent'>,
  client: Pick<ReturnType<typeof youtubeClient>, 'addToPlaylist' | 'isInPlaylist'>,
  playlistId: string,
  videoId: string,
  commitNotes: () => Promise<void>,
): Promise<void> {
  if (await client.isInPlaylist(playlistId, videoId)) return;
  if (notes.isAddSent) {
    throw new PlatformError(
      'retry',
      `The video may be missing from the playlist ${playlistId}: YouTube did not confirm that it was added, and does not show it there.`,
    );
  }
  const note = (isSent: boolean) => {
    notes.isAddSent = isSent;
    return commitNotes();
  };
  await sendNoted(note, () => client.addToPlaylist(playlistId, videoId));
}

/** Makes a call. Fails with `retry` if YouTube does not know the video yet; such a call has no effect. */
async function soon<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!isVideoMissing(error)) throw error;
    throw new PlatformError('retry', error.message, { cause: error });
  }
}

/**
 * The number and length of the waits for processing. Unreadable files fail within seconds, and that failure becomes a
 * warning. Complete processing takes minutes to hours, which is too long to wait.
 */
const processingPolls = 1;
const processingSeconds = 10;
/** The number of waits for a Short with a thumbnail: 45 minutes. Our judgement: YouTube documents no time. */
const shortPolls = 50;

function requireProcessed({ processing, reason }: VideoState, waits: number): void {
  if (processing === 'failed') {
    throw new PlatformError('rejected', `YouTube could not process the video (${reason}).`);
  }
  if (processing === 'running' && waits < processingPolls) {
    throw new PlatformError('retry', 'YouTube is processing the video.', {
      retryAfterSeconds: processingSeconds,
    });
  }
}

/** Waits until a Short is processed. YouTube ignores its thumbnail before that. */
function requireWholeShort({ processing, isProcessed }: VideoState): void {
  if (isProcessed || processing === 'failed') return;
  throw new PendingError(
    'YouTube was still processing the Short, and may have ignored its thumbnail: check it in YouTube Studio.',
    shortPolls,
  );
}

/** Checks the video's privacy. A creator's own settings can make uploads private (Revision History, 2 November 2026). */
function requirePrivacy(options: YoutubeOptions, video: VideoState | undefined): void {
  const wanted = privacyOf(options);
  const { privacyStatus: actual = wanted } = video ?? {};
  if (actual === wanted) return;
  throw new PlatformError(
    'rejected',
    `YouTube published the video as ${actual}, not as ${wanted}: the settings of the channel may force that. Change it in YouTube Studio.`,
  );
}

/**
 * Returns true if YouTube may show a video as a Short: square or upright, and at most three minutes long. No field of
 * the API says so. True if the shape of the file is not known. https://support.google.com/youtube/answer/15424877
 */
function mayBeShort({ widthPixels = 0, heightPixels = 0, durationSeconds = 0 }: MediaSource): boolean {
  const isWide = widthPixels > heightPixels && heightPixels > 0;
  return !isWide && durationSeconds <= 181;
}
