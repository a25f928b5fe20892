import type { FinishJob, FinishStep } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { finishInSteps, LostError, PendingError, settling } from '../shared/finishing.ts';
import { CommentNotes, commentOnce } from '../shared/first-comment.ts';
import { ifReadable } from '../shared/if-readable.ts';
import { readOptions } from '../shared/options.ts';
import { bringCaptions, captionsStep } from './captions.ts';
import { type VideoState, youtubeClient } from './client.ts';
import { addOnce, ExtraNotes, mayBeShort, soon } from './extras.ts';
import { captionsOf, firstCommentOf, privacyOf } from './map.ts';
import { YoutubeOptions } from './options.ts';
import { theVideo } from './progress.ts';

const Notes = CommentNotes.extend(ExtraNotes.shape);

/**
 * Completes a live video: checks that YouTube shows it as requested, adds it to the playlist and its captions to it, posts the first
 * comment and sets the thumbnail, as far as the preparation has not done it. Then it watches the processing to its end, unless that was
 * over before.
 */
export function finish(job: FinishJob, tools: PlatformTools): Promise<FinishStep> {
  const client = youtubeClient(job, tools);
  const options = readOptions(YoutubeOptions, job.options);
  const { cover } = job;
  const { playlistId } = options;
  const firstComment = firstCommentOf(options);
  const captions = captionsOf(options);
  const isShortWithCover = cover !== undefined && mayBeShort(theVideo(job));
  const notes = Notes.parse(job.preparation);
  const commitNotes = () => job.note({ ...job.preparation, ...notes });
  let video: VideoState | undefined;

  return finishInSteps(
    job,
    [
      async (post) => {
        if (post.platformPostId === null) return post;
        video = await client.readVideo(post.platformPostId);
        requireNotFailed(video);
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
      settling(notes.settledSteps, captionsStep(captions), async (videoId) => {
        if (captions.length > 0 || notes.captionTracks.length > 0)
          await soon(() => bringCaptions(notes, client, videoId, captions, commitNotes));
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
      async (post) => {
        requireProcessed(video);
        return post;
      },
    ],
    () => notes,
  );
}

/** The number of waits for a Short with a thumbnail: 45 minutes. Our judgement: YouTube documents no time. */
const shortPolls = 50;

/**
 * The waits for the end of processing: 10, 20, 40 seconds … half an hour, for a day in all. YouTube takes minutes to hours for a long
 * or sharp video. Each look costs one unit.
 */
const watch = { baseSeconds: 10, capSeconds: 1_800, polls: 56 } as const;

/** Ends finishing if YouTube could not process the video: then nobody can watch it. */
function requireNotFailed(video: VideoState | undefined): void {
  if (video?.processing !== 'failed') return;
  throw new LostError(
    `YouTube could not process the video (${video.reason}), after it had become visible: nobody can watch it. Delete it in YouTube Studio.`,
  );
}

/** Waits until YouTube has processed the video, which may be long after it has become visible. */
function requireProcessed(video: VideoState | undefined): void {
  if (video === undefined || video.processing !== 'running') return;
  throw new PendingError('YouTube was still processing the video a day after it had become visible.', {
    maxPolls: watch.polls,
    delaySeconds: (polls) => Math.min(watch.capSeconds, watch.baseSeconds * 2 ** Math.min(polls, 10)),
  });
}

/** Waits until a Short is processed. YouTube ignores its thumbnail before that. */
function requireWholeShort({ processing, isProcessed }: VideoState): void {
  if (isProcessed || processing === 'failed') return;
  throw new PendingError(
    'YouTube was still processing the Short, and may have ignored its thumbnail: check it in YouTube Studio.',
    { maxPolls: shortPolls },
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
