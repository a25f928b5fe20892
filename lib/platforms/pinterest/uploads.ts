import type { PlatformHttp } from '../contract/http.ts';

/**
 * The uploads in progress in this process, by the id of the video. Pinterest requires a video in one request, which may
 * last longer than a preparation step: the step ends and is committed, and the next step keeps waiting. The upload is
 * aborted when its worker ends, because a frozen process sends nothing. A later worker does not know the upload and starts a
 * new one.
 */
const inProgress = new WeakMap<PlatformHttp, Map<string, Promise<void>>>();

/**
 * The number of concurrent uploads. Our judgement: more would share the process's bandwidth, and none might be
 * complete in time.
 */
const mostUploads = 3;

/** Returns true if this process has as many uploads in progress as it may. */
export function isBusyUploading(http: PlatformHttp): boolean {
  return (inProgress.get(http)?.size ?? 0) >= mostUploads;
}

/**
 * Starts an upload that may outlast the current step.
 *
 * @param send must reject soon after `ended` fires
 * @param ended the end of the worker
 */
export function beginUpload(
  http: PlatformHttp,
  mediaId: string,
  send: () => Promise<void>,
  ended: AbortSignal | undefined,
): void {
  const sending = send();
  // `awaitUpload` reports a failure. Without this handler, a failure that nobody awaits would end the process.
  sending.catch(() => {});
  const known = inProgress.get(http) ?? new Map<string, Promise<void>>();
  inProgress.set(http, known.set(mediaId, sending));
  ended?.addEventListener('abort', () => known.delete(mediaId), { once: true });
}

/**
 * Waits for an upload, at most `maxMs` milliseconds.
 *
 * @returns `sending` if it is not complete by then; `unknown` if this process did not start it
 * @throws the error of the upload
 */
export async function awaitUpload(
  http: PlatformHttp,
  mediaId: string,
  maxMs: number,
): Promise<'sent' | 'sending' | 'unknown'> {
  const known = inProgress.get(http);
  const sending = known?.get(mediaId);
  if (sending === undefined) return 'unknown';
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'sending'>((resolve) => {
    timer = setTimeout(() => resolve('sending'), Math.max(0, maxMs));
  });
  try {
    const end = await Promise.race([sending.then(() => 'sent' as const), timeout]);
    if (end === 'sent') known?.delete(mediaId);
    return end;
  } catch (error) {
    known?.delete(mediaId);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
