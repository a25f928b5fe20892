import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '../../../lib/kernel/error-codes.ts';

export interface FakeRequest {
  readonly method: string;
  /** Path without `/api`: `/v1/accounts`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly workspaceId: string | undefined;
  readonly body: unknown;
}

export interface FakeReply {
  readonly status: number;
  /** Sent as JSON; a text as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Closes the connection within the response. */
  readonly isDropped?: boolean;
}

type Handler = (request: FakeRequest) => FakeReply | Promise<FakeReply>;

export const requestId = '7d0c3b2e-5f5e-4a51-9d55-0d9f3e4d7f21';

export const ok = (body: unknown): FakeReply => ({ status: 200, body });

/** An error of the service, in its form. */
export function refusal(
  status: number,
  code: ErrorCode,
  error: string,
  problems?: readonly { readonly param: string; readonly message: string }[],
): FakeReply {
  const details = problems && {
    fields: Object.fromEntries(problems.map(({ param, message }) => [param, [message]])),
    problems: problems.map((each) => ({ ...each, code: 'field_format' })),
  };
  return {
    status,
    body: { error, code, docUrl: `https://api.test/docs/errors#${code}`, ...(details && { details }) },
    headers: { 'x-request-id': requestId },
  };
}

/** Stands in for the API in tests of pages: answers as it is told, and keeps what it was asked. */
export class FakeApi {
  readonly requests: FakeRequest[] = [];
  /** A workspace has no tags, unless a test says otherwise. */
  private readonly handlers = new Map<string, Handler>([
    ['GET /v1/tags', () => ok({ tags: [], nextCursor: null })],
  ]);

  /** @param route method and path: `GET /panel/keys`, `DELETE /panel/keys/{id}` */
  on(route: string, handler: Handler | FakeReply): this {
    this.handlers.set(route, typeof handler === 'function' ? handler : () => handler);
    return this;
  }

  /** Changes or delays the replies of a route that has a handler. */
  around(
    route: string,
    change: (reply: Promise<FakeReply>, request: FakeRequest) => Promise<FakeReply>,
  ): this {
    const handler = this.handlers.get(route);
    if (handler === undefined) throw new Error(`the test has no answer for ${route}`);
    return this.on(route, (request) => change(Promise.resolve(handler(request)), request));
  }

  /** The requests of a route so far. */
  to(route: string): FakeRequest[] {
    return this.requests.filter(({ method, path }) => matches(route, `${method} ${path}`));
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await read(request);
    this.requests.push(asked);
    const { status, body, headers, isDropped } = await this.answer(asked);
    if (isDropped) {
      // Chromium itself sends a request again if a connection ends before the first byte.
      response.writeHead(200, { 'content-length': '100' });
      response.write('{', () => request.socket.destroy());
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
  }

  private answer(asked: FakeRequest): FakeReply | Promise<FakeReply> {
    const name = `${asked.method} ${asked.path}`;
    const route = [...this.handlers.keys()].find((each) => matches(each, name));
    const handler = route === undefined ? undefined : this.handlers.get(route);
    return handler?.(asked) ?? refusal(404, 'route_unknown', `the test has no answer for ${name}`);
  }
}

const matches = (route: string, name: string): boolean =>
  new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`).test(name);

async function read(request: IncomingMessage): Promise<FakeRequest> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://api');
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  const workspaceId = request.headers['x-workspace'];
  return {
    method: request.method ?? 'GET',
    path: pathname.slice('/api'.length),
    query: searchParams,
    workspaceId: typeof workspaceId === 'string' ? workspaceId : undefined,
    body: text === '' ? undefined : JSON.parse(text),
  };
}
