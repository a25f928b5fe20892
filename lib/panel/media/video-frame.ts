import type { storePreviewOperation } from '../../media/operations.ts';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { pause } from '../api/retry.ts';
import { workspaceChoice } from '../api/workspace-choice.ts';

/** The longest side of a frame, in pixels. */
const longestSide = 480;
/** The most bytes that the service takes. */
export const mostFrameBytes = 50_000;
const qualities = [0.75, 0.5, 0.3];
/** The first frames of many videos are black. */
const usualSeconds = 1;
const patienceMs = 20_000;

/** The reason why there is no frame. `codec`: the browser cannot decode the video. `unread`: it was not read, or not in time. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
  readonly reason: 'codec' | 'unread';
  constructor(reason: FrameError['reason']) {
    super(`no frame: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Draws a frame of a video as a small JPEG, in the browser.
 *
 * @param source the file, or its address at a host whose answers this origin may read
 * @throws FrameError
 */
export async function drawFrame(source: Blob | string): Promise<Blob> {
  const video = document.createElement('video');
  const local = typeof source === 'string' ? undefined : URL.createObjectURL(source);
  video.muted = true;
  video.playsInline = true;
  video.preload = 'auto';
  if (typeof source === 'string') {
    // Without it, the canvas may not be read.
    video.crossOrigin = 'anonymous';
    // CloudFront allows it only to requests that ask, and the browser may have kept the file from one that did not. The media host
    // knows a file by its path alone.
    // https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_ResponseHeadersPolicyCorsConfig.html
    video.src = `${source}?frame`;
  } else video.src = local ?? '';
  try {
    await eventOf(video, 'loadeddata');
    if (video.videoWidth === 0) throw new FrameError('codec');
    const seconds = Number.isFinite(video.duration) ? Math.min(usualSeconds, video.duration / 2) : 0;
    if (seconds > 0) {
      const seeked = eventOf(video, 'seeked');
      video.currentTime = seconds;
      await seeked;
    }
    return await jpegOf(video);
  } finally {
    // Ends what is still being read.
    video.removeAttribute('src');
    video.load();
    if (local !== undefined) URL.revokeObjectURL(local);
  }
}

/** @throws FrameError */
function eventOf(video: HTMLVideoElement, name: 'loadeddata' | 'seeked'): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new FrameError('unread')), patienceMs);
    const end = (then: () => void) => () => {
      clearTimeout(timer);
      then();
    };
    video.addEventListener(name, end(resolve), { once: true });
    video.addEventListener(
      'error',
      end(() => {
        const { code = 0 } = video.error ?? {};
        const isCodec =
          code === MediaError.MEDIA_ERR_DECODE || code === MediaError.MEDIA_ERR_SRC_NOT_SUPPORTED;
        reject(new FrameError(isCodec ? 'codec' : 'unread'));
      }),
      { once: true },
    );
  });
}

/** @throws FrameError */
async function jpegOf(video: HTMLVideoElement): Promise<Blob> {
  const { videoWidth, videoHeight } = video;
  const scale = Math.min(1, longestSide / Math.max(videoWidth, videoHeight));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(videoWidth * scale));
  canvas.height = Math.max(1, Math.round(videoHeight * scale));
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
  for (const quality of qualities) {
    const frame = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
    if (frame !== null && frame.size <= mostFrameBytes) return frame;
  }
  throw new FrameError('unread');
}

/** Waits between attempts to store a frame of a file that the service is still inspecting. */
const inspectedMs = [2_000, 4_000, 8_000, 16_000, 30_000, 60_000];

/**
 * Stores a frame as the preview of a file, for everybody in the workspace. A file that has one keeps it.
 *
 * @returns the address of the preview
 * @throws ApiError
 */
export async function storeFrame(
  mediaId: string,
  frame: Blob,
  workspaceId = workspaceChoice.current(),
): Promise<string | null> {
  const body = { data: await base64Of(frame) };
  for (let attempt = 0; ; attempt++) {
    try {
      const { media } = await call<typeof storePreviewOperation>(
        'PUT',
        '/v1/media/{id}/preview',
        { path: { id: mediaId }, body },
        { workspaceId, isBackground: true },
      );
      return media.previewUrl;
    } catch (error) {
      const waitMs = inspectedMs[attempt];
      if (!(error instanceof ApiError) || error.code !== 'media_pending' || waitMs === undefined) throw error;
      await pause(waitMs, undefined);
    }
  }
}

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Draws and stores a frame of a file that was just uploaded. Nothing depends on it: whoever sees the file later tries again. */
export async function keepFrameOf(
  mediaId: string,
  file: Blob,
  workspaceId: string | undefined,
): Promise<void> {
  try {
    await storeFrame(mediaId, await drawFrame(file), workspaceId);
  } catch {
    // The browser cannot decode it, or the service has refused the file or the frame.
  }
}

/** A video in the workspace's storage. */
export interface StoredVideo {
  readonly mediaId: string;
  readonly url: string;
}

/** Drawing costs traffic and time, so this tab does it for so many files. */
const mostDrawn = 40;
/** Pictures that were drawn, or are about to be, by the file's id. */
const drawn = new Map<string, Promise<string>>();
let last: Promise<unknown> = Promise.resolve();

/**
 * Draws a frame of a stored video that has none, and stores it: one file at a time, when the browser has nothing else to do, and each
 * file once per tab.
 *
 * @returns an address of the frame in this browser
 * @throws FrameError
 */
export function frameOf({ mediaId, url }: StoredVideo): Promise<string> {
  const known = drawn.get(mediaId);
  if (known !== undefined) return known;
  if (drawn.size >= mostDrawn) return Promise.reject(new FrameError('unread'));
  const workspaceId = workspaceChoice.current();
  const frame = last.then(idle).then(async () => {
    const blob = await drawFrame(url);
    // It is shown, whether or not it can be stored.
    void storeFrame(mediaId, blob, workspaceId).catch(() => undefined);
    return URL.createObjectURL(blob);
  });
  drawn.set(mediaId, frame);
  last = frame.catch(() => undefined);
  return frame;
}

/** Safari has no `requestIdleCallback`. */
const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 5_000 });
    else setTimeout(resolve, 500);
  });
