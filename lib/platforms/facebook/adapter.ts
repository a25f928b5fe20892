import * as z from 'zod';
import { sha256 } from '../../kernel/ids.ts';
import type { FinishJob, IntendedJob, PlatformAdapter, PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { LivePost } from '../contract/live-post.ts';
import { comparableText } from '../shared/find-listed.ts';
import { type FinishingStep, finishInSteps, SettledSteps, settling } from '../shared/finishing.ts';
import { CommentNotes, commentOnce } from '../shared/first-comment.ts';
import { ifReadable } from '../shared/if-readable.ts';
import { deletingUnlessReadable } from '../shared/removal.ts';
import { sendNoted } from '../shared/send-noted.ts';
import { visibleText } from '../shared/text.ts';
import { absenceRules, draftRules } from './absence.ts';
import { apiRoot, type FacebookClient, facebookClient, videosUrl } from './client.ts';
import { facebook, isDuplicateText, isMissing, isUselessUpload } from './errors.ts';
import { livePostOfVideo, lookUp } from './look-up.ts';
import { feedParameters, readPost, reelParameters, videoParameters } from './map.ts';
import { maxRenewals, Progress, prepare, requireStarted, sendsFile, startOver } from './prepare.ts';
import { withinReelLimit } from './reel-limit.ts';

/**
 * Facebook Pages. Preparation uploads all media unpublished, so that a single call makes the post, and `lookUp` can find
 * the post by the ids of its media. A post without media can be found by its text only.
 *
 * Facebook first accepts a video's last call, then processes the video and may still refuse it. The video counts as
 * live once its status says so; until then the outcome is unknown.
 *
 * A draft counts as live once it exists. It has no permalink, because only the Page's team can open it.
 */
export const facebookAdapter: PlatformAdapter = {
  prepare,

  sendsFile,

  tokenOf(job) {
    const { photos, videoId, sessionId, isDuplicate } = Progress.parse(job.preparation);
    return {
      text: sha256(comparableText(job.content)).slice(0, 16),
      ...(photos.length > 0 && { photos }),
      ...(videoId !== null && { videoId }),
      ...(sessionId !== null && { sessionId }),
      ...(isDuplicate && { isDuplicate }),
    };
  },

  absenceRule(job) {
    const { kind, options } = readPost(job);
    return (options.draft ? draftRules[kind] : undefined) ?? absenceRules[kind];
  },

  lastCallUrl(job, tools) {
    const { kind } = readPost(job);
    if (kind === 'video') return videosUrl(job, tools);
    return `${apiRoot(tools)}/${encodeURIComponent(job.account.platformAccountId)}/${lastCallEdges[kind]}`;
  },

  async goLive(job, tools) {
    const client = facebookClient(job, tools);
    const { kind, options, message } = readPost(job);
    const { photos, videoId, sessionId } = Progress.parse(job.preparation);
    switch (kind) {
      case 'text':
      case 'photos':
        return {
          platformPostId: await client
            .publishFeed(feedParameters(message, options, photos))
            .catch((error: unknown) => refuseFeed(job, error)),
          permalink: null,
        };
      case 'photoStory':
        return { platformPostId: await client.publishPhotoStory(photos[0] ?? ''), permalink: null };
      case 'video':
        await client
          .finishChunked(requireStarted(sessionId), videoParameters(message, options))
          .catch((error: unknown) => refuseVideo(job, client, error));
        return accepted(job, client);
      case 'reel':
        await withinReelLimit(client, tools.now(), () =>
          client
            .finishHosted('video_reels', requireStarted(videoId), reelParameters(message, options))
            .catch((error: unknown) => refuseVideo(job, client, error)),
        );
        return accepted(job, client);
      case 'videoStory':
        await client
          .finishHosted('video_stories', requireStarted(videoId), {})
          .catch((error: unknown) => refuseVideo(job, client, error));
        return accepted(job, client);
    }
  },

  lookUp,

  removePost(post, tools) {
    const client = facebookClient(post, tools);
    const { platformPostId: id, account } = post;
    return deletingUnlessReadable(
      () => client.deletePost(id),
      isMissing,
      (what) => client.readId(what === 'account' ? account.platformAccountId : id),
    );
  },

  finishesByReading(job) {
    const { kind, options } = readPost(job);
    if (kind === 'reel' && options.collaborators?.length) return false;
    // A story is listed a while later, if at all.
    const isStory = kind === 'photoStory' || kind === 'videoStory';
    return !isStory && job.cover === undefined && visibleText(options.firstComment) === undefined;
  },

  finish(job, tools) {
    const client = facebookClient(job, tools);
    const notes = Notes.parse(job.preparation);
    const steps: FinishingStep[] = [
      async (post, waits) => (readPost(job).options.draft ? post : withPermalink(job, client, post, waits)),
      async (post) => {
        if (job.cover && post.platformPostId !== null) await client.setCover(post.platformPostId, job.cover);
        return post;
      },
      (post) => withFirstComment(job, client, notes, post),
      ...invitations(job, client, notes),
    ];
    return finishInSteps(job, steps, () => ({ ...notes }));
  },
};

/** The notes of finishing about the first comment and the invitations. */
const Notes = CommentNotes.extend({
  /** The Pages to which an invitation was about to be sent, and was not certainly refused. */
  invited: z.array(z.string()).catch(() => []),
  settledSteps: SettledSteps.catch(() => ({})),
});
type Notes = z.infer<typeof Notes>;

const lastCallEdges = {
  text: 'feed',
  photos: 'feed',
  photoStory: 'photo_stories',
  reel: 'video_reels',
  videoStory: 'video_stories',
} as const;

/** Notes that Facebook refused the text as a duplicate, so that `lookUp` finds the post that has it. @throws always */
function refuseFeed(job: PublishJob, error: unknown): never {
  if (!isDuplicateText(error)) throw error;
  const { message, status, platformCode, ifAbsent } = error;
  const preparation = { ...job.preparation, isDuplicate: true };
  throw new PlatformError('unknown', message, { status, platformCode, ifAbsent, preparation, cause: error });
}

/**
 * Handles a refused video. If its upload is the reason, no later call with that upload succeeds, so the next try
 * uploads again. First reads the status, because a second upload could make a second post.
 *
 * @throws always
 */
async function refuseVideo(job: PublishJob, client: FacebookClient, error: unknown): Promise<never> {
  if (!isUselessUpload(error)) throw error;
  const { message, status, platformCode } = error;
  const progress = Progress.parse(job.preparation);
  const { options } = readPost(job);
  const video = await client.video(requireStarted(progress.videoId), options.draft).catch(() => undefined);
  switch (video?.state.state) {
    case undefined:
      throw error;
    case 'processing':
    case 'live':
      throw new PlatformError('unknown', message, { status, platformCode, cause: error });
    case 'uploading':
    case 'uploaded':
    case 'failed': {
      const { preparation, waitSeconds: retryAfterSeconds } = startOver(progress, error, maxRenewals);
      const details = { status, platformCode, preparation, retryAfterSeconds, cause: error };
      throw new PlatformError('retry', message, details);
    }
  }
}

/**
 * The time that Facebook usually takes to process a short video. Our judgement: an earlier lookup costs as much as the
 * one that finds it live.
 */
const acceptedVideoSeconds = 15;

/** Reads once whether the accepted video is already live. @throws PlatformError `unknown` if it is not */
async function accepted(job: PublishJob, client: FacebookClient): Promise<LivePost> {
  const { videoId } = Progress.parse(job.preparation);
  const video = await client
    .video(requireStarted(videoId), readPost(job).options.draft)
    .catch((error: unknown) => {
      if (error instanceof PlatformError) return undefined;
      throw error;
    });
  if (video?.state.state === 'live') return livePostOfVideo(job, client, video.permalink);
  throw new PlatformError('unknown', 'Facebook has accepted the video and is processing it.', {
    retryAfterSeconds: acceptedVideoSeconds,
    isProcessing: true,
  });
}

/** The number of waits after which to finish without a permalink and without a warning: only archived stories have one. */
const storyPolls = 3;

async function withPermalink(
  job: IntendedJob,
  client: FacebookClient,
  post: LivePost,
  waits: number,
): Promise<LivePost> {
  const { platformPostId, permalink } = post;
  if (permalink !== null) return post;
  const { kind } = readPost(job);
  try {
    if (kind === 'photoStory' || kind === 'videoStory')
      return await withStoryPermalink(job, client, post, waits);
    if (platformPostId === null) return post;
    if (kind === 'text' || kind === 'photos') {
      return { ...post, permalink: await client.permalink(platformPostId) };
    }
    return { ...post, permalink: (await client.video(platformPostId)).permalink };
  } catch (error) {
    // A new post reads as missing for a short time, although it exists and the token is valid.
    if (isMissing(error)) throw new PlatformError('retry', 'Facebook returned no permalink for the post.');
    throw error;
  }
}

async function withStoryPermalink(
  job: IntendedJob,
  client: FacebookClient,
  post: LivePost,
  waits: number,
): Promise<LivePost> {
  const { photos, videoId } = Progress.parse(job.preparation);
  const story = await client.findStory(videoId ?? photos[0] ?? '');
  if (story) {
    const platformPostId = post.platformPostId ?? story.platformPostId;
    return { ...post, platformPostId, permalink: story.permalink };
  }
  if (waits < storyPolls) throw new PlatformError('retry', 'Facebook does not list the story yet.');
  return post;
}

/**
 * Posts the first comment, without reading the existing comments. To read them, Facebook requires `pages_read_user_content`
 * (https://developers.facebook.com/docs/graph-api/reference/page-post/comments/), which most apps do not have.
 */
async function withFirstComment(
  job: FinishJob,
  client: FacebookClient,
  notes: Notes,
  post: LivePost,
): Promise<LivePost> {
  const { kind, options } = readPost(job);
  const comment = visibleText(options.firstComment);
  if (!comment || post.platformPostId === null) return post;
  try {
    const isVideo = kind === 'video' || kind === 'reel';
    const video = isVideo ? await client.video(post.platformPostId) : undefined;
    const postId = video?.postId ?? post.platformPostId;
    await commentOnce(
      notes,
      {
        name: facebook.name,
        post: () => client.comment(postId, comment),
        isPosted: () =>
          ifReadable(() =>
            client.hasOwnComment(postId, comment).catch((error: unknown) => {
              if (isMissing(error)) return false;
              throw error;
            }),
          ),
      },
      () => job.note({ ...job.preparation, ...notes }),
    );
    return post;
  } catch (error) {
    if (isMissing(error)) throw new PlatformError('retry', 'Facebook did not accept the first comment yet.');
    throw error;
  }
}

/**
 * Returns the steps that invite the Pages of a reel's collaborators, each at most once: Facebook lists invitations by the name of the
 * Page, so nothing shows for certain that one arrived.
 * https://developers.facebook.com/documentation/video-api/guides/reels-publishing ("Invite a collaborator")
 */
function invitations(job: FinishJob, client: FacebookClient, notes: Notes): FinishingStep[] {
  const { kind, options } = readPost(job);
  if (kind !== 'reel') return [];
  return (options.collaborators ?? []).map((pageId) =>
    settling(notes.settledSteps, `collaborator ${pageId}`, async (videoId) => {
      if (notes.invited.includes(pageId))
        throw new PlatformError(
          'rejected',
          `The Page ${pageId} may not have been invited as a collaborator: Facebook did not confirm it.`,
        );
      const note = (isSent: boolean) => {
        notes.invited = notes.invited.filter((id) => id !== pageId).concat(isSent ? [pageId] : []);
        return job.note({ ...job.preparation, ...notes });
      };
      await sendNoted(note, () => client.inviteCollaborator(videoId, pageId)).catch((error: unknown) => {
        // A new reel reads as missing for a short time.
        if (isMissing(error)) throw new PlatformError('retry', `The Page ${pageId} was not invited yet.`);
        throw error;
      });
    }),
  );
}
