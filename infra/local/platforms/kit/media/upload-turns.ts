import type { Readable } from 'node:stream';

/** Runs the work of one request to an upload session; see `createUploadTurns`. */
export type TakeTurn = <T>(sessionId: string, body: Readable, work: () => Promise<T>) => Promise<T>;

/**
 * Runs one request at a time per upload session. A new request means that the client has given up its earlier connection, so the
 * earlier one is destroyed; the new one starts when the earlier work has ended. Otherwise an offset that was already reported to
 * the client could still grow.
 */
export function createUploadTurns(): TakeTurn {
  const holders = new Map<string, { body: Readable; ended: Promise<unknown> }>();

  return async (sessionId, body, work) => {
    const earlier = holders.get(sessionId);
    earlier?.body.destroy();
    const result = (earlier?.ended ?? Promise.resolve()).then(work);
    const turn = { body, ended: result.catch(() => undefined) };
    holders.set(sessionId, turn);
    try {
      return await result;
    } finally {
      if (holders.get(sessionId) === turn) holders.delete(sessionId);
    }
  };
}
