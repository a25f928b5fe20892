import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { type FetchOutcome, fetchMedia, liveMedia, type MeasuredMedia } from '../kit/media/media-intake.ts';
import { isRateWithin } from '../kit/media/mp4.ts';
import type { Answer, Workbench } from '../kit/types.ts';
import { refuseParameter } from '../meta/graph-errors.ts';
import { fetcherOf } from '../meta/platform.ts';
import { readContainerRequest } from './container-request.ts';
import { refuse } from './errors.ts';
import type { Session } from './sessions.ts';
import { type Container, nextId, type State } from './state.ts';

export const dayMilliseconds = 86_400_000;

/** A step that is not a request. A planned fault `error:<error_message>` fails it; `timeout` makes it never end. */
export const processingStep = 'container_processing';

export type Status = 'IN_PROGRESS' | 'FINISHED' | 'ERROR' | 'EXPIRED' | 'PUBLISHED';

export interface Containers {
  /** `POST /<USER>/threads`. Files are fetched in the background. */
  create(call: Call, session: Session): Answer;
  /** @param now epoch milliseconds */
  status(container: Container, now: number): Status;
  failureOf(container: Container): string;
}

/** Opens the containers of all accounts. Restarts the fetches that the end of the process interrupted. */
export function openContainers(workbench: Workbench, state: State): Containers {
  const { background } = workbench;
  const fetcher = fetcherOf(workbench);

  function create(call: Call, { user }: Session): Answer {
    const request = readContainerRequest(call);
    for (const child of request.children) checkChild(child, user.id, call.at);
    const quoted = request.options['quote_post_id'];
    if (quoted !== undefined && state.media.get(quoted) === undefined) {
      refuseParameter(`The post ${quoted} does not exist.`);
    }
    const id = nextId(workbench.ledger, 'container');
    const processing = processingOf(request.videoUrl !== undefined, call.at);
    const isLost = workbench.setting('losesContainers') === true;
    state.containers.put(id, { ...request, id, userId: user.id, createdAt: call.at, isLost, ...processing });
    if ((request.imageUrl ?? request.videoUrl) !== undefined) fetchInBackground(id);
    return json({ id });
  }

  function checkChild(id: string, userId: string, now: number): void {
    const child = state.containers.get(id);
    if (child === undefined || child.userId !== userId || status(child, now) !== 'FINISHED') {
      refuse('24/4279004');
    }
    if (!child.isCarouselItem) refuseParameter(`The child ${id} was not created with is_carousel_item.`);
  }

  function processingOf(isVideo: boolean, now: number): Pick<Container, 'readyAt' | 'failure'> {
    const seconds = Number(workbench.setting(isVideo ? 'videoProcessingSeconds' : 'processingSeconds'));
    const planned = workbench.faults.take(processingStep);
    if (planned?.fault === 'timeout') return { readyAt: null };
    return {
      readyAt: now + seconds * 1000,
      ...(planned !== undefined && { failure: planned.code ?? 'UNKNOWN' }),
    };
  }

  const fetchInBackground = (id: string) => background.run(() => fetchFile(id));

  async function fetchFile(id: string): Promise<void> {
    const { imageUrl, videoUrl = '' } = mustGet(id);
    const outcome = await fetchMedia(imageUrl ?? videoUrl, fetcher);
    if (background.stopping.aborted) return;
    const isStrict = workbench.setting('refusesUnadvisedVideos') === true;
    const failure = problemOf(imageUrl !== undefined, outcome, isStrict);
    state.containers.put(id, {
      ...mustGet(id),
      ...(outcome.ok && { media: liveMedia(outcome.media) }),
      ...(failure !== undefined && { failure }),
    });
  }

  function mustGet(id: string): Container {
    const container = state.containers.get(id);
    if (container === undefined) throw new Error(`no container ${id}`);
    return container;
  }

  function status(container: Container, now: number): Status {
    const { published, createdAt, readyAt, failure, media, imageUrl, videoUrl } = container;
    if (published !== undefined) return 'PUBLISHED';
    if (now >= createdAt + dayMilliseconds) return 'EXPIRED';
    if (readyAt === null || now < readyAt) return 'IN_PROGRESS';
    if (failure !== undefined) return 'ERROR';
    const needsFile = (imageUrl ?? videoUrl) !== undefined;
    return needsFile && media === undefined ? 'IN_PROGRESS' : 'FINISHED';
  }

  for (const { id, imageUrl, videoUrl, media, failure } of state.containers.list({
    since: workbench.clock.now() - dayMilliseconds,
  })) {
    const needsFile = (imageUrl ?? videoUrl) !== undefined;
    if (needsFile && media === undefined && failure === undefined) fetchInBackground(id);
  }

  return {
    create,
    status,
    failureOf: ({ failure = 'UNKNOWN' }) => failure,
  };
}

function problemOf(isImage: boolean, outcome: FetchOutcome, isStrict: boolean): string | undefined {
  if (!outcome.ok) return 'FAILED_DOWNLOADING_VIDEO';
  return isImage ? imageProblem(outcome.media) : videoProblem(outcome.media, isStrict);
}

const mebibyte = 1024 * 1024;

/** Returns the `error_message` of an invalid image, or undefined. `INVALID_ASPEC_RATIO` is Meta's own misspelling. */
function imageProblem({ type, bytes, jpeg, isCutImage }: MeasuredMedia): string | undefined {
  if (!['image/jpeg', 'image/png'].includes(type) || bytes > 8 * mebibyte || isCutImage) return 'UNKNOWN';
  if (type === 'image/png') return undefined;
  if (jpeg === undefined) return 'UNKNOWN';
  const ratio = jpeg.width / jpeg.height;
  return ratio > 10 || ratio < 1 / 10 ? 'INVALID_ASPEC_RATIO' : undefined;
}

const videoCodecs = ['avc1', 'avc3', 'hvc1', 'hev1'];

/**
 * Returns the `error_message` of an invalid video, or undefined.
 *
 * @param isStrict true if a video with an edit list, or with its index (moov) at the end, is invalid, as the specification says
 */
function videoProblem({ mp4, bytes }: MeasuredMedia, isStrict: boolean): string | undefined {
  if (mp4?.video === undefined) return 'FAILED_PROCESSING_VIDEO';
  if (isStrict && (!mp4.moovFirst || mp4.hasEditList)) return 'FAILED_PROCESSING_VIDEO';
  const { durationSeconds, video, audio } = mp4;
  const isSupported = videoCodecs.includes(video.codec) && (video.chroma ?? '4:2:0') === '4:2:0';
  if (!isSupported || video.isInterlaced) return 'FAILED_PROCESSING_VIDEO';
  const ratio = video.width / video.height;
  if (ratio < 0.01 || ratio > 10 || video.width > 1920) return 'INVALID_ASPEC_RATIO';
  if (durationSeconds <= 0 || durationSeconds > 300) return 'INVALID_DURATION';
  if (!isRateWithin(video.framesPerSecond, 23, 60)) return 'INVALID_FRAME_RATE';
  if ((bytes * 8) / durationSeconds > 100_000_000) return 'INVALID_BIT_RATE';
  if (audio === undefined) return undefined;
  if (audio.channels > 2) return 'INVALID_AUDIO_CHANNELS';
  return audio.codec !== 'mp4a' || audio.sampleRate > 48_000 ? 'FAILED_PROCESSING_AUDIO' : undefined;
}
