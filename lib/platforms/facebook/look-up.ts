import type { IntendedJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { Finding } from '../contract/last-call.ts';
import type { LivePost } from '../contract/live-post.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { clockSlackMs, findListed, type Recognition } from '../shared/find-listed.ts';
import { ifReadable } from '../shared/if-readable.ts';
import { type FacebookClient, facebookClient } from './client.ts';
import { createdMs, type ListedPost, likenessOf, readPost } from './map.ts';
import { Progress, requireStarted } from './prepare.ts';

const videoPollSeconds = 30;

/** Looks up the outcome of a last call: photos and videos by their ids, texts in the list of the Page's posts. */
export function lookUp(job: IntendedJob, tools: PlatformTools): Promise<Finding> {
  const client = facebookClient(job, tools);
  switch (readPost(job).kind) {
    case 'text':
    case 'photos':
      return lookUpFeed(job, client);
    case 'photoStory':
      return lookUpPhotoStory(job, client);
    case 'video':
    case 'reel':
    case 'videoStory':
      return lookUpVideo(job, client);
  }
}

/** Returns the progress that the call published. The records of earlier releases have it in the preparation only. */
function publishedBy({ preparation, call }: IntendedJob): Progress {
  return Progress.parse({ ...preparation, ...call.token });
}

async function lookUpFeed(job: IntendedJob, client: FacebookClient): Promise<Finding> {
  const { call } = job;
  const { photos, isDuplicate } = publishedBy(job);
  const { message, options } = readPost(job);
  const recognition: Recognition<ListedPost> = {
    idOf: ({ id }) => id,
    createdMs,
    likeness: (post) => likenessOf(post, { message, link: options.link, photos }),
  };
  // Facebook documents no list of drafts, and a published post with the same text is not the draft.
  const post = options.draft
    ? undefined
    : await ifReadable(() => findListed(client.listPosts(call.sinceMs - clockSlackMs), call, recognition));
  if (post) return { state: 'live', post: livePostOf(post) };
  const repeated = isDuplicate && (await ifReadable(() => findRepeated(job, client, recognition)));
  if (!repeated) return { state: 'unseen' };
  return {
    state: 'absent',
    proof: `Facebook refused the text, because the Page's post ${repeated.id} has it`,
    preparation: {},
  };
}

function livePostOf(post: ListedPost): LivePost {
  return { platformPostId: post.id, permalink: post.permalink_url ?? null, publishedMs: createdMs(post) };
}

/**
 * Finds the post that made Facebook refuse a text as identical. Counts only a post that the call did not make: one that
 * is older, or belongs to another target. Searches the newest posts only.
 */
async function findRepeated(
  { call }: IntendedJob,
  client: FacebookClient,
  { likeness }: Recognition<ListedPost>,
): Promise<ListedPost | undefined> {
  for await (const page of client.listPosts()) {
    for (const post of page) {
      const isOlder = createdMs(post) < call.sinceMs - clockSlackMs;
      if (likeness(post) && (isOlder || (await call.isTaken(post.id)))) return post;
    }
    break;
  }
  return undefined;
}

async function lookUpPhotoStory(job: IntendedJob, client: FacebookClient): Promise<Finding> {
  const [photo = ''] = publishedBy(job).photos;
  const story = await ifReadable(() => client.findStory(photo));
  return story ? { state: 'live', post: story } : { state: 'unseen' };
}

async function lookUpVideo(job: IntendedJob, client: FacebookClient): Promise<Finding> {
  const { videoId, renewals } = publishedBy(job);
  const { options } = readPost(job);
  const video = await ifReadable(() => client.video(requireStarted(videoId), options.draft));
  switch (video?.state.state) {
    case 'live': {
      const { permalink, publishedMs } = video;
      return { state: 'live', post: { ...(await livePostOfVideo(job, client, permalink)), publishedMs } };
    }
    case 'failed': {
      const failure = `Facebook could not process the video: ${video.state.reason}`;
      return { state: 'absent', proof: failure, preparation: { renewals, failure } };
    }
    case 'processing':
      return { state: 'processing', waitSeconds: videoPollSeconds };
    case 'uploaded':
    case 'uploading':
    case undefined:
      return { state: 'unseen' };
  }
}

/** Returns the live post of a video. A video's post id is its video id; a story has a separate post id. */
export async function livePostOfVideo(
  job: Pick<IntendedJob, 'content' | 'media' | 'options' | 'preparation'>,
  client: FacebookClient,
  permalink: string | null,
): Promise<LivePost> {
  const { videoId } = Progress.parse(job.preparation);
  const { kind, options } = readPost(job);
  if (kind !== 'videoStory') return { platformPostId: videoId, permalink: options.draft ? null : permalink };
  // If the list cannot be read, the story is live without an id, and `finish` looks for it again.
  const story = await client.findStory(requireStarted(videoId)).catch((error: unknown) => {
    if (error instanceof PlatformError) return undefined;
    throw error;
  });
  return { platformPostId: story?.platformPostId ?? null, permalink: story?.permalink ?? null };
}
