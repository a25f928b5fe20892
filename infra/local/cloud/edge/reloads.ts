/**
 * Makes open pages reload themselves while a developer changes them. The script comes from the pages' own origin, so their
 * Content-Security-Policy allows it. It is never deployed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Reloads {
  /** Answers a request of the script. @returns false for any other */
  handle(incoming: IncomingMessage, response: ServerResponse): boolean;
  /** Adds the script if the reply is a page. */
  addTo<Reply extends PageReply>(reply: Reply): Reply;
  reload(): void;
  stop(): void;
}

interface PageReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const scriptPath = '/_local/reload.js';
const eventsPath = '/_local/reloads';

const script = `new EventSource('${eventsPath}').addEventListener('reload', () => location.reload());\n`;

export function createReloads(): Reloads {
  const open = new Set<ServerResponse>();
  return {
    handle({ url }, response) {
      if (url === scriptPath) {
        response
          .writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store' })
          .end(script);
        return true;
      }
      if (url !== eventsPath) return false;
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      response.write(': connected\n\n');
      open.add(response);
      response.once('close', () => open.delete(response));
      return true;
    },
    addTo(reply) {
      if (!Buffer.isBuffer(reply.body) || !/^text\/html\b/.test(reply.headers['content-type'] ?? ''))
        return reply;
      const tag = Buffer.from(`<script src="${scriptPath}"></script>\n`);
      return { ...reply, body: Buffer.concat([reply.body, tag]) };
    },
    reload() {
      for (const response of open) response.write('event: reload\ndata:\n\n');
    },
    stop() {
      for (const response of open) response.end();
    },
  };
}
