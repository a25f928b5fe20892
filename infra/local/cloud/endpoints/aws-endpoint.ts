/** The AWS endpoint: authenticates each request and passes it to the service that its signature names. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MovableClock } from '../clock.ts';
import { AwsError } from '../engines/errors.ts';
import { jsonReply } from '../engines/json-protocol.ts';
import type { S3Request } from '../engines/s3/request.ts';
import type { S3Service } from '../engines/s3/service.ts';
import type { BufferedService, ServiceReply } from '../engines/service.ts';
import type { AwsCall, Identities, Identity } from '../engines/types.ts';
import { authenticate, findIdentity, nobody } from '../identity/authentication.ts';
import { type ClaimedSignature, readSignature, sha256Hex } from '../identity/sigv4.ts';
import { type ControlServer, createControl } from './control.ts';
import { listen } from './listener.ts';

export interface Services {
  readonly s3: S3Service;
  /** The other services, keyed by their name in the credential scope. */
  readonly buffered: Readonly<Record<string, BufferedService>>;
}

export interface AwsEndpoint {
  readonly url: string;
  readonly control: ControlServer;
  /** Starts to serve; until then every service answers 503. */
  attach(services: Services): void;
  stop(): Promise<void>;
}

/** Listens on the loopback address. @throws Error if the port is in use. */
export async function startAwsEndpoint(options: {
  readonly port: number;
  readonly identities: Identities;
  readonly clock: MovableClock;
  readonly log: (line: string) => void;
  readonly onCall?: ((call: AwsCall) => void) | undefined;
}): Promise<AwsEndpoint> {
  const { identities, clock, log, onCall } = options;
  const control = createControl(clock);
  let services: Services | undefined;

  const listener = await listen(options.port, (incoming, response) => {
    if (control.handle(incoming, response)) return;
    // The SDK compares its clock with this header; after a wrong signature time it corrects its clock and retries.
    response.setHeader('date', new Date(clock.now()).toUTCString());
    if (!services) {
      response.writeHead(503).end();
      return;
    }
    serve(services, incoming, response).catch((error: unknown) => {
      if (!isClientGone(error)) log(`${incoming.method} ${incoming.url} failed: ${describe(error)}`);
      response.destroy();
    });
  });

  async function serve(
    attached: Services,
    incoming: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const signature = readSignature(asSigned(incoming));
    if (signature === undefined || signature === 'malformed') {
      const isS3 = incoming.headers['x-amz-target'] === undefined;
      if (!isS3) return send(response, jsonReply('1.0', 403, unsigned(signature)));
      const request = s3Request(incoming, nobody);
      if (signature === undefined) return attached.s3.handle(request, response);
      return attached.s3.refuse(
        request,
        new AwsError('AuthorizationHeaderMalformed', 'The signature cannot be read.'),
        response,
      );
    }
    if (signature.service === 's3') return serveS3(attached.s3, signature, incoming, response);
    const service = attached.buffered[signature.service];
    if (service) return serveBuffered(service, signature, incoming, response);
    const error = {
      __type: 'UnknownOperationException',
      message: `The local cloud does not implement the service ${signature.service}.`,
    };
    return send(response, jsonReply('1.1', 404, error));
  }

  async function serveS3(
    s3: S3Service,
    signature: ClaimedSignature,
    incoming: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    let request = s3Request(incoming, nobody);
    // A preflight uses a URL that was presigned for another method, so only the bucket's CORS rules can decide it.
    if (incoming.method === 'OPTIONS') return s3.handle(request, response);
    try {
      const identity = findIdentity(signature, 's3', identities, clock);
      const contentHash = signature.presigned
        ? (request.query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD')
        : String(incoming.headers['x-amz-content-sha256'] ?? '');
      const caller = authenticate(identity, asSigned(incoming), signature, contentHash, 's3');
      request = { ...request, caller };
      onCall?.(describeCall('s3', incoming, identity));
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      return s3.refuse(request, error, response);
    }
    return s3.handle(request, response);
  }

  async function serveBuffered(
    service: BufferedService,
    signature: ClaimedSignature,
    incoming: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    try {
      const identity = findIdentity(signature, 'json', identities, clock);
      const body = await readBody(incoming, service.maximumBodyBytes);
      const caller = authenticate(identity, asSigned(incoming), signature, sha256Hex(body), 'json');
      onCall?.(describeCall(signature.service, incoming, identity));
      const { method = 'GET', headers } = incoming;
      const { path, query } = splitUrl(incoming);
      const goneSignal = () => goneSignalOf(response);
      const reply = await service.handle(
        { method, path, query, headers, body, caller, goneSignal },
        response,
      );
      if (reply) send(response, reply);
    } catch (error) {
      if (response.headersSent) throw error;
      if (!(error instanceof AwsError)) log(`${incoming.method} ${incoming.url} failed: ${describe(error)}`);
      send(response, service.errorReply(error instanceof AwsError ? error : internalError()));
    }
  }

  return {
    url: listener.url,
    control,
    attach(opened) {
      services = opened;
    },
    stop: listener.stop,
  };
}

function describeCall(service: string, incoming: IncomingMessage, { principalArn }: Identity): AwsCall {
  const target = incoming.headers['x-amz-target'];
  const action = target === undefined ? incoming.method : String(target).split('.').at(-1);
  return { service, action: action ?? '', principalArn };
}

function asSigned(incoming: IncomingMessage) {
  return { method: incoming.method ?? 'GET', url: incoming.url ?? '/', headers: incoming.headers };
}

function splitUrl(incoming: IncomingMessage): { path: string; query: URLSearchParams } {
  const [path = '/', ...query] = (incoming.url ?? '/').split('?');
  return { path, query: new URLSearchParams(query.join('?')) };
}

function s3Request(incoming: IncomingMessage, caller: S3Request['caller']): S3Request {
  const { method = 'GET', headers } = incoming;
  return { method, headers, caller, body: incoming, ...splitUrl(incoming) };
}

/** @throws AwsError if the body exceeds the limit. */
function readBody(incoming: IncomingMessage, maximumBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    incoming.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes <= maximumBytes) parts.push(part);
      else reject(new AwsError('RequestEntityTooLargeException', 'The request is too large.', 413));
    });
    incoming.on('end', () => resolve(Buffer.concat(parts)));
    incoming.on('error', reject);
  });
}

/** Fires if the client disconnects before it has received the whole response. */
function goneSignalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function send(response: ServerResponse, reply: ServiceReply): void {
  response
    .writeHead(reply.httpStatus, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) })
    .end(reply.body);
}

function unsigned(signature: 'malformed' | undefined) {
  return signature === 'malformed'
    ? { __type: 'IncompleteSignatureException', message: 'The signature cannot be read.' }
    : { __type: 'MissingAuthenticationTokenException', message: 'Missing Authentication Token' };
}

function internalError(): AwsError {
  return new AwsError('InternalFailure', 'The local cloud failed: see its output.', 500);
}

function isClientGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE';
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
