import { Readable } from 'node:stream';
import { fetchMedia, liveMedia, type MeasuredMedia, measureMedia } from '../kit/media/media-intake.ts';
import { isRateWithin } from '../kit/media/mp4.ts';
import type { Workbench } from '../kit/types.ts';
import { fetcherOf } from '../meta/platform.ts';
import type { ErrorCode } from './errors.ts';
import type { Publishing } from './publishing.ts';
import type { State, Video, VideoKind } from './state.ts';

/** The files of videos, uploaded in chunks or fetched in the background from a hosted address. */
export interface VideoFiles {
  /** Appends a chunk after the stored bytes. @returns the video with the chunk added */
  append(video: Video, chunk: Buffer): Promise<Video>;
  fetch(videoId: string, fileUrl: string): void;
  setCover(video: Video, file: { readonly type: string; readonly bytes: Buffer }): Promise<void>;
}

/** Opens the files and restarts the fetches that the end of the process interrupted. */
export function openVideoFiles(workbench: Workbench, state: State, publishing: Publishing): VideoFiles {
  const { background } = workbench;
  const files = workbench.openFiles('videos');
  const fetcher = fetcherOf(workbench);

  async function append(video: Video, chunk: Buffer): Promise<Video> {
    // If the process was killed before it recorded a chunk, the file is longer than recorded.
    await files.append(video.id, video.storedBytes, [chunk]);
    const stored = { ...video, storedBytes: video.storedBytes + chunk.length };
    if (stored.storedBytes < (video.fileBytes ?? 0)) {
      state.videos.put(video.id, stored);
      return stored;
    }
    const media = await measureMedia(files.read(video.id), 'video/mp4');
    const whole = { ...stored, ...judged(video.kind, media) };
    state.videos.put(video.id, whole);
    await files.remove(video.id);
    return whole;
  }

  const fetch = (videoId: string, fileUrl: string) => background.run(() => fetchFile(videoId, fileUrl));

  async function fetchFile(videoId: string, fileUrl: string): Promise<void> {
    const outcome = await fetchMedia(fileUrl, fetcher);
    const video = state.videos.get(videoId);
    if (background.stopping.aborted || video === undefined) return;
    const result = outcome.ok
      ? { storedBytes: outcome.media.bytes, ...judged(video.kind, outcome.media) }
      : { failure: '6000/1363019' };
    state.videos.put(videoId, { ...video, ...result });
  }

  async function setCover(video: Video, file: { readonly type: string; readonly bytes: Buffer }) {
    const cover = liveMedia(await measureMedia(Readable.from([file.bytes]), file.type));
    state.videos.put(video.id, { ...video, cover });
    publishing.settle(workbench.clock.now());
    const live = workbench.ledger.posts.get(video.id);
    if (live !== undefined) workbench.ledger.posts.put(video.id, { ...live, cover });
  }

  for (const { id, fileUrl, media, failure } of state.videos.list()) {
    if (fileUrl !== undefined && media === undefined && failure === undefined) fetch(id, fileUrl);
  }

  return { append, fetch, setCover };
}

/** Records the file or its failure. Facebook accepts a file that breaks the rules and fails it only in processing. */
function judged(kind: VideoKind, media: MeasuredMedia): Pick<Video, 'media' | 'failure'> {
  const failure = videoProblem(kind, media);
  return { media: liveMedia(media), ...(failure !== undefined && { failure }) };
}

const limits = {
  video: { min: 1, max: 4 * 3600 },
  reel: { min: 3, max: 90 },
  story: { min: 3, max: 60 },
} as const;

const reelCodecs = ['avc1', 'avc3', 'hvc1', 'hev1', 'vp09', 'av01'];

/** Returns the error code with which processing fails, or undefined. Resolution is not checked, to keep test fixtures small. */
function videoProblem(kind: VideoKind, { mp4 }: MeasuredMedia): ErrorCode | undefined {
  if (mp4?.video === undefined) return '352/1349125';
  const { durationSeconds, video } = mp4;
  if (durationSeconds < limits[kind].min || durationSeconds > limits[kind].max) return '100/1363128';
  if (kind === 'video') return undefined;
  const { audio } = mp4;
  const isSupported =
    reelCodecs.includes(video.codec) &&
    (video.chroma ?? '4:2:0') === '4:2:0' &&
    !video.isInterlaced &&
    (audio === undefined || (audio.codec === 'mp4a' && audio.channels <= 2));
  if (!isSupported) return '352/1349125';
  const ratio = video.width / video.height;
  if (ratio < 9 / 16 || ratio > 16 / 9) return '100/1363040';
  return isRateWithin(video.framesPerSecond, 24, 60) ? undefined : '100/1363129';
}
