/** The HTTP API: passes each request as an event to the route's function, and replies with the function's result. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TokenBucket } from '../engines/token-bucket.ts';
import { createAnswer, type GatewayService, serviceUnavailable } from './answer.ts';
import type { GatewayRequest } from './event.ts';
import { gatewayReply, type HttpReply, internalServerError } from './reply.ts';

export interface GatewayOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Returns epoch milliseconds. */
  readonly now: () => number;
  /** The time after which the client gets a 503; the function continues. */
  readonly integrationLimitMs?: number;
  /** The time limit for a request's headers. The limit for the whole request is three times as long. */
  readonly headersLimitMs?: number;
  /**
   * Gives a token to each request to the stage. Absent: there is no limit.
   * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
   */
  readonly bucket?: TokenBucket;
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
      const { now, bucket } = options;
      answer = createAnswer(service, {
        now,
        bucket,
        limitMs: options.integrationLimitMs ?? integrationLimitMs,
      });
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

/** Reads the body; returns undefined if it is too large. The rest is then read and dropped. */
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

/** Returns a reply for the bare socket, because there is no response object after a parser error. */
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
