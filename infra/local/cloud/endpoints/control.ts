/** The routes under `/_local/`. They need no signature, so requests from web pages are refused. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { isFromWebPage, webPageRefusal } from '@herald/loopback/web-pages.ts';
import { z } from 'zod';
import type { MovableClock } from '../clock.ts';
import type { ControlReply, ControlRoutes } from '../engines/types.ts';

export interface ControlServer extends ControlRoutes {
  /** Answers a request to a path under `/_local/`. @returns false for any other path. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}

type ControlHandler = Parameters<ControlRoutes['mount']>[1];

/** @param clock the clock that `/_local/clock` shows and moves. */
export function createControl(clock: MovableClock): ControlServer {
  const handlers = new Map<string, ControlHandler>([['/_local/clock', clockRoute(clock)]]);

  async function answer(handler: ControlHandler, url: URL, request: IncomingMessage): Promise<ControlReply> {
    if (isFromWebPage(request.headers)) {
      const { status, error } = webPageRefusal;
      return { status, body: { error } };
    }
    try {
      const hasBody = Number(request.headers['content-length'] ?? 0) > 0;
      const body: unknown = hasBody ? await json(request) : undefined;
      return await handler({ method: request.method ?? 'GET', query: url.searchParams, body });
    } catch (error) {
      return { status: 400, body: { error: error instanceof Error ? error.message : String(error) } };
    }
  }

  return {
    mount: (path, handler) => void handlers.set(path, handler),
    handle(request, response) {
      const url = URL.parse(request.url ?? '/', 'http://127.0.0.1');
      if (!url?.pathname.startsWith('/_local/')) return false;
      const handler = handlers.get(url.pathname);
      const reply = handler
        ? answer(handler, url, request)
        : Promise.resolve({ status: 404, body: { error: `There is no route ${url.pathname}.` } });
      void reply.then(({ status = 200, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
      return true;
    },
  };
}

const advance = z.object({
  advanceSeconds: z
    .number()
    .min(0)
    .max(10 * 366 * 24 * 60 * 60),
});

function clockRoute(clock: MovableClock): ControlHandler {
  return ({ method, body }) => {
    if (method === 'POST') clock.advance(advance.parse(body).advanceSeconds * 1000);
    return { body: { now: new Date(clock.now()).toISOString(), offsetSeconds: clock.offsetMs() / 1000 } };
  };
}
