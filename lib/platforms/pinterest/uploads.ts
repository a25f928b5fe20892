import type { PlatformHttp } from '../contract/http.ts';

/**
 * Uploads under way in this process, by the id of the video. Pinterest takes a video in one request, which may last
 * longer than a step of the preparation: the step ends, is committed, and the next one goes on waiting. In another
 * process nothing is known of it, and the video is uploaded anew.
 */
const underWay = new WeakMap<PlatformHttp, Map<string, Promise<void>>>();

/** Begins an upload that may outlive the present step. */
export function beginUpload(http: PlatformHttp, mediaId: string, send: () => Promise<void>): void {
  const sending = send();
  // Who waits for it is told; where nobody does, nobody needs to know.
  sending.catch(() => {});
  const known = underWay.get(http) ?? new Map<string, Promise<void>>();
  underWay.set(http, known.set(mediaId, sending));
}

/**
 * Waits for an upload, so long at most.
 *
 * @returns `unknown` where this process has not begun it
 * @throws what the upload threw
 */
export async function awaitUpload(
  http: PlatformHttp,
  mediaId: string,
  mostMs: number,
): Promise<'sent' | 'sending' | 'unknown'> {
  const known = underWay.get(http);
  const sending = known?.get(mediaId);
  if (sending === undefined) return 'unknown';
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<'sending'>((resolve) => {
    timer = setTimeout(() => resolve('sending'), Math.max(0, mostMs));
  });
  try {
    const end = await Promise.race([sending.then(() => 'sent' as const), patience]);
    if (end === 'sent') known?.delete(mediaId);
    return end;
  } catch (error) {
    known?.delete(mediaId);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
