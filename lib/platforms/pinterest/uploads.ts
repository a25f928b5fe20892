import type { PlatformHttp } from '../contract/http.ts';

/**
 * The uploads in progress in this process, by the id of the video. Pinterest requires a video in one request, which may
 * last longer than a preparation step: the step ends and is committed, and the next step keeps waiting. A step in
 * another process does not know the upload and starts a new one.
 */
const inProgress = new WeakMap<PlatformHttp, Map<string, Promise<void>>>();

/** Starts an upload that may outlast the current step. */
export function beginUpload(http: PlatformHttp, mediaId: string, send: () => Promise<void>): void {
  const sending = send();
  // `awaitUpload` reports a failure. Without this handler, a failure that nobody awaits would end the process.
  sending.catch(() => {});
  const known = inProgress.get(http) ?? new Map<string, Promise<void>>();
  inProgress.set(http, known.set(mediaId, sending));
}

/**
 * Waits for an upload, at most `maxMs` milliseconds.
 *
 * @returns `sending` if it is not complete by then; `unknown` if this process did not start it
 * @throws what the upload threw
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
