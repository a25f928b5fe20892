import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { LiveMedia } from '../kit/live-post.ts';
import { type FetchOutcome, fetchMedia, liveMedia, type MeasuredMedia } from '../kit/media/media-intake.ts';
import { isRateWithin } from '../kit/media/mp4.ts';
import type { Answer, Workbench } from '../kit/types.ts';
import { fetcherOf } from '../meta/platform.ts';
import { type ContainerRequest, readContainerRequest } from './container-request.ts';
import { type ErrorCode, refuse, refuseParameter } from './errors.ts';
import type { Session } from './sessions.ts';
import { type Container, nextId, type State } from './state.ts';

export const dayMilliseconds = 86_400_000;

/** A step that is not a request. A planned fault `error:<number>` fails it; `timeout` makes it never end. */
export const processingStep = 'container_processing';

export type StatusCode = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED';

export interface ContainerStatus {
  readonly code: StatusCode;
  readonly text: string;
}

export interface Containers {
  /** `POST /<IG_ID>/media`. Fetches and checks an image during the call, a video in the background. */
  create(call: Call, session: Session): Promise<Answer>;
  /** @param now epoch milliseconds */
  status(container: Container, now: number): ContainerStatus;
}

/** Opens the containers of all accounts. Restarts the fetches of videos that the end of the process interrupted. */
export function openContainers(workbench: Workbench, state: State): Containers {
  const { background } = workbench;
  const fetcher = fetcherOf(workbench);

  async function create(call: Call, { user }: Session): Promise<Answer> {
    const request = readContainerRequest(call.fields);
    const lastDay = { owner: user.igId, since: call.at - dayMilliseconds + 1 };
    if (state.containers.count(lastDay) >= workbench.limit('containers')) refuse('9/2207042');
    for (const child of request.children) checkChild(child, user.igId, call.at);
    const media = request.imageUrl === undefined ? undefined : await fetchImage(request, request.imageUrl);

    const { imageUrl: _, ...kept } = request;
    const id = nextId(workbench.ledger, 'container');
    const processing = processingOf(request, call.at);
    const isLost = workbench.setting('losesContainers') === true;
    const container = { ...kept, id, igId: user.igId, createdAt: call.at, isLost, ...processing };
    state.containers.put(id, { ...container, ...(media !== undefined && { media }) });
    if (request.videoUrl !== undefined) fetchInBackground(id);
    return json({ id });
  }

  function checkChild(id: string, igId: string, now: number): void {
    const child = state.containers.get(id);
    if (child === undefined || child.igId !== igId || status(child, now).code === 'EXPIRED')
      refuse('24/2207008');
    if (!child.isCarouselItem) refuseParameter(`The child ${id} was not created with is_carousel_item.`);
  }

  async function fetchImage({ kind }: ContainerRequest, url: string): Promise<LiveMedia> {
    const outcome = await fetchMedia(url, fetcher);
    const problem = outcome.ok ? imageProblem(outcome.media, kind === 'STORIES') : fetchProblem(outcome);
    if (problem !== undefined) refuse(problem);
    return outcome.ok ? liveMedia(outcome.media) : refuse('2');
  }

  function processingOf({ videoUrl }: ContainerRequest, now: number): Pick<Container, 'readyAt' | 'failure'> {
    const seconds = workbench.setting(
      videoUrl === undefined ? 'imageProcessingSeconds' : 'videoProcessingSeconds',
    );
    const planned = workbench.faults.take(processingStep);
    if (planned?.fault === 'timeout') return { readyAt: null };
    const failure = planned && (planned.code?.split('/').at(-1) ?? '2207085');
    return { readyAt: now + Number(seconds) * 1000, ...(failure !== undefined && { failure }) };
  }

  const fetchInBackground = (id: string) => background.run(() => fetchVideo(id));

  async function fetchVideo(id: string): Promise<void> {
    const { kind, videoUrl = '', coverUrl } = mustGet(id);
    const outcome = await fetchMedia(videoUrl, fetcher);
    const cover = coverUrl === undefined ? undefined : await fetchMedia(coverUrl, fetcher);
    if (background.stopping.aborted) return;
    const problem = fileProblem(
      mustGet(id),
      kind === 'STORIES' || kind === 'VIDEO' ? kind : 'REELS',
      outcome,
      cover,
      workbench.setting('refusesUnadvisedVideos') === true,
    );
    const failure = problem?.split('/').at(-1);
    state.containers.put(id, {
      ...mustGet(id),
      ...(outcome.ok && { media: liveMedia(outcome.media) }),
      ...(cover?.ok && { cover: liveMedia(cover.media) }),
      ...(failure !== undefined && { failure }),
    });
  }

  function mustGet(id: string): Container {
    const container = state.containers.get(id);
    if (container === undefined) throw new Error(`no container ${id}`);
    return container;
  }

  function status(container: Container, now: number): ContainerStatus {
    const code = codeOf(container, now);
    return { code, text: code === 'ERROR' ? `${texts.ERROR} ${failureOf(container)}` : texts[code] };
  }

  function codeOf(container: Container, now: number): StatusCode {
    const { published, createdAt, readyAt, failure, media, kind } = container;
    if (published !== undefined) return 'PUBLISHED';
    if (now >= createdAt + dayMilliseconds) return 'EXPIRED';
    if (readyAt === null || now < readyAt) return 'IN_PROGRESS';
    if (failure !== undefined) return 'ERROR';
    if (kind !== 'CAROUSEL') return media === undefined ? 'IN_PROGRESS' : 'FINISHED';
    const children = childrenOf(container).map((child) => codeOf(child, now));
    if (children.some((code) => code === 'ERROR' || code === 'EXPIRED')) return 'ERROR';
    return children.includes('IN_PROGRESS') ? 'IN_PROGRESS' : 'FINISHED';
  }

  function failureOf(container: Container): string {
    const all = [container, ...childrenOf(container)];
    return all.find(({ failure }) => failure !== undefined)?.failure ?? '2207020';
  }

  const childrenOf = ({ children }: Container) => children.map(mustGet);

  for (const { id, videoUrl, media, failure } of state.containers.list({
    since: workbench.clock.now() - dayMilliseconds,
  })) {
    if (videoUrl !== undefined && media === undefined && failure === undefined) fetchInBackground(id);
  }

  return {
    create,
    status,
  };
}

const texts: Readonly<Record<StatusCode, string>> = {
  IN_PROGRESS: 'In Progress: Media is still being processed.',
  FINISHED: 'Finished: Media has been uploaded and it is ready to be published.',
  PUBLISHED: 'Published: Media has been published.',
  EXPIRED: 'Expired: Media was not published within 24 hours of its creation.',
  ERROR: 'Error: Media upload has failed with error code',
};

function fetchProblem(outcome: FetchOutcome): ErrorCode | undefined {
  if (outcome.ok) return undefined;
  if (outcome.problem === 'stopped') return '2';
  return outcome.problem === 'timeout' ? '-2/2207003' : '9004/2207052';
}

/** Returns the error of a video and its cover, or of their fetch; undefined if there is none. */
function fileProblem(
  { thumbOffsetMilliseconds = 0 }: Container,
  kind: VideoKind,
  video: FetchOutcome,
  cover: FetchOutcome | undefined,
  isStrict: boolean,
): ErrorCode | undefined {
  if (!video.ok) return fetchProblem(video);
  const problem = videoProblem(kind, video.media, isStrict);
  if (problem !== undefined) return problem;
  if (thumbOffsetMilliseconds > (video.media.mp4?.durationSeconds ?? 0) * 1000) return '1/2207057';
  if (cover === undefined) return undefined;
  return cover.ok ? imageProblem(cover.media, true) : fetchProblem(cover);
}

const mebibyte = 1024 * 1024;
const megabyte = 1_000_000;

/** Returns the error of an invalid image, or undefined. @param anyRatio for stories and covers, which may have any ratio */
function imageProblem(media: MeasuredMedia, anyRatio = false): ErrorCode | undefined {
  if (!media.type.startsWith('image/')) return '9004/2207052';
  if (media.bytes > 8 * mebibyte) return '36000/2207004';
  if (media.jpeg === undefined || media.jpeg.multiPicture) return '36001/2207005';
  const ratio = media.jpeg.width / media.jpeg.height;
  if (!anyRatio && (ratio < 4 / 5 || ratio > 1.91)) return '36003/2207009';
  return undefined;
}

const videoLimits = {
  REELS: { seconds: 15 * 60, bytes: 300 * megabyte },
  VIDEO: { seconds: 15 * 60, bytes: 300 * megabyte },
  STORIES: { seconds: 60, bytes: 100 * megabyte },
} as const;

type VideoKind = keyof typeof videoLimits;

/**
 * Returns the error of an invalid video, or undefined.
 *
 * @param isStrict true if a video with an edit list, or with its index (moov) at the end, is invalid, as the specification says.
 *   Reels with edit lists have been published, and such files have been refused.
 */
function videoProblem(kind: VideoKind, media: MeasuredMedia, isStrict: boolean): ErrorCode | undefined {
  if (!media.type.startsWith('video/')) return '9004/2207052';
  if (isStrict && media.mp4 && (!media.mp4.moovFirst || media.mp4.hasEditList)) return '352/2207026';
  return isSupportedVideo(kind, media) ? undefined : '352/2207026';
}

function isSupportedVideo(kind: VideoKind, { mp4, bytes }: MeasuredMedia): boolean {
  if (mp4?.video === undefined) return false;
  const { video, audio, durationSeconds } = mp4;
  const limit = videoLimits[kind];
  const ratio = video.width / video.height;
  return (
    ['avc1', 'avc3', 'hvc1', 'hev1'].includes(video.codec) &&
    (video.chroma ?? '4:2:0') === '4:2:0' &&
    video.isInterlaced !== true &&
    (audio === undefined || (audio.codec === 'mp4a' && audio.sampleRate <= 48_000 && audio.channels <= 2)) &&
    durationSeconds >= 3 &&
    durationSeconds <= limit.seconds &&
    bytes <= limit.bytes &&
    (bytes * 8) / durationSeconds <= 25 * megabyte &&
    isRateWithin(video.framesPerSecond, 23, 60) &&
    video.width <= 1920 &&
    ratio >= 0.01 &&
    ratio <= 10
  );
}
