/** The HTTP API: passes each request as an event to the route's function, and replies with the function's result. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TokenBucket } from '../engines/token-bucket.ts';
import type { CorsRule, HttpApiResource } from '../model.ts';
import type { InvokeOutcome } from '../runtime/execution-environment.ts';
import { type GatewayRequest, splitTarget, toGatewayEvent } from './event.ts';
import {
  gatewayReply,
  type HttpReply,
  internalServerError,
  preflightReply,
  toHttpReply,
  withCors,
} from './reply.ts';
import { createRouter } from './routes.ts';

export interface GatewayOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** After this time the client gets a 503; the function continues. */
  readonly integrationLimitMs?: number;
  /** The time limit for a request's headers. The limit for the whole request is three times as long. */
  readonly headersLimitMs?: number;
  /**
   * Gives a token to each request to the stage. Absent: there is no limit.
   * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
   */
  readonly bucket?: TokenBucket;
}

export interface GatewayService {
  readonly api: HttpApiResource;
  readonly accountId: string;
  readonly invoke: (
    functionArn: string,
    event: unknown,
    options: { readonly traceHeader: string },
  ) => Promise<InvokeOutcome>;
}

export interface Gateway {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Starts to serve; until then every request gets a 503. */
  serve(service: GatewayService): void;
  /** Accepts no more connections. Pending requests are still answered. */
  close(): void;
  /** Closes all connections. */
  stop(): Promise<void>;
}

/** API Gateway's own limits: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const integrationLimitMs = 30_000;
const bodyLimitBytes = 10 * 1024 * 1024;
/** The limit for the request line and all header values together. */
const headLimitBytes = 10_240;

const serviceUnavailable = gatewayReply(503, 'Service Unavailable');

/**
 * Listens on the loopback address.
 *
 * @throws Error if the port is in use.
 */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const headersLimitMs = options.headersLimitMs ?? 10_000;
  const server = createServer({
    // Far above the limit, because the parser's own refusal resets the connection while the client is still sending.
    maxHeaderSize: 100 * headLimitBytes,
    headersTimeout: headersLimitMs,
    requestTimeout: 3 * headersLimitMs,
    connectionsCheckingInterval: headersLimitMs / 10,
    keepAliveTimeout: 60_000,
  });
  let answer: (request: GatewayRequest) => Promise<HttpReply> = async () => serviceUnavailable;
  const unanswered = new WeakMap<Duplex, number>();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket, method = '', url = '' } = request;
    // If an invalid request follows on the same socket, its reply must not precede this request's reply.
    unanswered.set(socket, (unanswered.get(socket) ?? 0) + 1);
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    if (headBytes(request) > headLimitBytes)
      return write(response, gatewayReply(431, 'Request Header Fields Too Large'));
    const body = await readBody(request);
    if (body === undefined) return write(response, gatewayReply(413, 'Request Entity Too Large'));
    const reply = await answer({
      method,
      target: url,
      httpVersion: request.httpVersion,
      rawHeaders: request.rawHeaders,
      body,
      peerAddress: (socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
      port: socket.localPort ?? 0,
    });
    write(response, reply);
  }

  server.on('request', (request, response) => {
    handle(request, response).catch(() =>
      response.headersSent ? response.destroy() : write(response, internalServerError),
    );
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || (unanswered.get(socket) ?? 0) > 0)
      socket.destroy();
    else socket.end(rawReply(error.code));
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`port ${options.port} is in use: stop the other program or set PORT`);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    serve(service) {
      answer = createAnswer(
        service,
        options.now,
        options.integrationLimitMs ?? integrationLimitMs,
        options.bucket,
      );
    },
    close() {
      server.close();
      server.closeIdleConnections();
    },
    async stop() {
      const closed = server.listening ? once(server, 'close') : undefined;
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function createAnswer(
  { api, accountId, invoke }: GatewayService,
  now: () => number,
  limitMs: number,
  bucket: TokenBucket | undefined,
): (request: GatewayRequest) => Promise<HttpReply> {
  const findRoute = createRouter(api.routes);

  return async (request) => {
    const { path } = splitTarget(request.target);
    const origin = headerValue(request, 'origin');
    if (bucket?.take() === false) return applyCors(gatewayReply(429, 'Too Many Requests'), api.cors, origin);
    const isPreflight = request.method === 'OPTIONS' && headerValue(request, 'access-control-request-method');
    if (api.cors !== undefined && origin !== undefined && isPreflight)
      return preflightReply(api.cors, origin);
    const match = findRoute(request.method, path);
    if (match === undefined) return applyCors(gatewayReply(404, 'Not Found'), api.cors, origin);
    const requestId = randomBytes(11).toString('base64');
    const traceHeader = `Root=1-${Math.floor(now() / 1000).toString(16)}-${randomBytes(12).toString('hex')}`;
    const event = toGatewayEvent(request, match, { requestId, traceHeader, accountId, now: now() });
    const outcome = await within(invoke(match.route.functionArn, event, { traceHeader }), limitMs);
    const reply = toReply(outcome);
    return applyCors(
      { ...reply, headers: [...reply.headers, ['apigw-requestid', requestId]] },
      api.cors,
      origin,
    );
  };
}

function toReply(outcome: InvokeOutcome | undefined): HttpReply {
  if (outcome === undefined) return serviceUnavailable;
  if (outcome.ok) return toHttpReply(outcome.result);
  if (outcome.error.errorType === 'RequestTooLargeException')
    return gatewayReply(413, 'Request Entity Too Large');
  const isThrottled = outcome.error.errorType === 'TooManyRequestsException';
  return isThrottled ? serviceUnavailable : internalServerError;
}

function applyCors(reply: HttpReply, cors: CorsRule | undefined, origin: string | undefined): HttpReply {
  return cors === undefined || origin === undefined ? reply : withCors(reply, cors, origin);
}

async function within<Result>(result: Promise<Result>, limitMs: number): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((settle) => {
    timer = setTimeout(() => settle(undefined), limitMs);
  });
  return Promise.race([result, limit]).finally(() => clearTimeout(timer));
}

/** The body, or undefined if it is too large. The rest is then read and dropped. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((settle, fail) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    if (Number(request.headers['content-length'] ?? 0) > bodyLimitBytes) settle(undefined);
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bodyLimitBytes) chunks.push(chunk);
      else chunks.length = 0;
      if (bytes > bodyLimitBytes) settle(undefined);
    });
    request.once('end', () => settle(Buffer.concat(chunks)));
    request.once('error', fail);
    request.once('close', () => fail(new Error('the client disconnected')));
  });
}

function write(response: ServerResponse, { status, headers, body }: HttpReply): void {
  const hasBody = status !== 204 && status !== 304;
  const length = hasBody ? ['content-length', String(body.length)] : [];
  response.writeHead(status, [...headers.flat(), ...length]);
  response.end(hasBody ? body : undefined);
}

/** After a parser error there is only a socket, no response object. */
function rawReply(errorCode: string | undefined): string {
  const [status, message] =
    errorCode === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'Request Header Fields Too Large']
      : errorCode === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'Request Timeout']
        : ['400 Bad Request', 'Bad Request'];
  const body = JSON.stringify({ message });
  return `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
}

function headBytes({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): number {
  const requestLine = `${method} ${url} HTTP/${httpVersion}\r\n`;
  const values = rawHeaders.filter((_, index) => index % 2 === 1);
  return values.reduce((bytes, value) => bytes + Buffer.byteLength(value), Buffer.byteLength(requestLine));
}

function headerValue({ rawHeaders }: GatewayRequest, name: string): string | undefined {
  const index = rawHeaders.findIndex(
    (header, position) => position % 2 === 0 && header.toLowerCase() === name,
  );
  return index < 0 ? undefined : rawHeaders[index + 1];
}
