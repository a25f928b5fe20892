import type { IncomingMessage } from 'node:http';

/** Runs the work of one request to an upload session; see `createUploadTurns`. */
export type TakeTurn = <T>(sessionId: string, request: IncomingMessage, work: () => Promise<T>) => Promise<T>;

/**
 * Lets one request at a time work on an upload session, the newest first of all: a client that asks anew has given
 * up its earlier connection, so that one is cut, and once its bytes have settled the newer one sees what was kept.
 * An offset that was answered can therefore not grow behind the client's back.
 */
export function createUploadTurns(): TakeTurn {
  const holders = new Map<string, { request: IncomingMessage; ended: Promise<unknown> }>();

  return async (sessionId, request, work) => {
    const earlier = holders.get(sessionId);
    earlier?.request.destroy();
    const result = (earlier?.ended ?? Promise.resolve()).then(work);
    const turn = { request, ended: result.catch(() => undefined) };
    holders.set(sessionId, turn);
    try {
      return await result;
    } finally {
      if (holders.get(sessionId) === turn) holders.delete(sessionId);
    }
  };
}
