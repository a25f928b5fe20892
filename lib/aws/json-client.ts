import { Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as SecureAgent } from 'node:https';
import aws4 from 'aws4';

/**
 * What a call that failed tells of its effect, which decides whether a write may be repeated:
 * `throttled`, `unreachable` — nothing was done;
 * `unclear` — it may have taken effect: no answer in time, a connection that broke, a fault of the service;
 * `refused` — nothing was done, and nothing will be: the request, its rights or its signature are wrong.
 */
export type AwsFailure = 'throttled' | 'unreachable' | 'unclear' | 'refused';

export class AwsCallError extends Error {
  override readonly name = 'AwsCallError';
  readonly failure: AwsFailure;

  constructor(failure: AwsFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

export interface JsonClientOptions {
  /** As in the credential scope: `dynamodb`. */
  readonly service: string;
  /** What its targets begin with: `DynamoDB_20120810`. */
  readonly targetPrefix: string;
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string | undefined;
  };
}

/**
 * One call, once.
 *
 * @param timeoutMs after which it is given up and its connection with it
 * @throws AwsCallError
 */
export type AwsCall = (
  operation: string,
  input: object,
  timeoutMs: number,
) => Promise<Readonly<Record<string, unknown>>>;

/**
 * A connection that was idle for longer is not used again: the other side may have closed it while the function was
 * frozen, and nobody could tell whether a write on it took effect. AWS's own SDK for Java allows a minute.
 */
const longestIdleMs = 30_000;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html */
const throttles = /(Throughput|RequestLimit)Exceeded|Throttling/;

/** Codes of errors that come before a connection stands: nothing was sent. */
const unsent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * Calls an AWS service that speaks JSON, over connections that are kept. It stands in for the SDK where its 200 kB are
 * too much to load: no retries, no waiters, no marshalling.
 */
export function createJsonClient(options: JsonClientOptions): AwsCall {
  const { service, region, targetPrefix, credentials } = options;
  const { protocol, hostname, host, port, pathname: path } = new URL(options.endpoint);
  const isSecure = protocol === 'https:';
  const agent = isSecure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
  const request = isSecure ? requestHttps : requestHttp;
  // Without its name for TLS, Node.js asks once more whether the host is an IP address: by a regular expression whose
  // compilation takes some milliseconds of every cold start.
  const place = { agent, hostname, port, path, method, servername: hostname };
  let lastUsedAt = 0;

  return (operation, input, timeoutMs) => {
    const now = Date.now();
    if (Math.abs(now - lastUsedAt) > longestIdleMs) closeIdle(agent);
    lastUsedAt = now;
    return new Promise((resolve, reject) => {
      // Looks the host up and connects, where it has to, while the request is signed.
      const sent = request(place);
      const timer = setTimeout(() => {
        reject(new AwsCallError('unclear', `${operation}: no answer within ${Math.round(timeoutMs)} ms`));
        sent.destroy();
      }, timeoutMs);
      const fail = (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        const failure = unsent.has(error.code ?? '') ? 'unreachable' : 'unclear';
        reject(new AwsCallError(failure, `${operation}: ${error.code ?? error.message}`));
      };
      sent.on('error', fail);
      sent.on('response', (response) => {
        readText(response, fail, (text) => {
          clearTimeout(timer);
          try {
            resolve(readAnswer(operation, response.statusCode ?? 0, text));
          } catch (error) {
            reject(error);
          }
        });
      });
      const body = JSON.stringify(input);
      const target = `${targetPrefix}.${operation}`;
      const unsigned = { service, region, method, path, headers: headersOf(host, target), body };
      const { headers } = aws4.sign(unsigned, credentials);
      for (const [name, value] of Object.entries(headers)) sent.setHeader(name, value);
      sent.end(body);
    });
  };
}

const method = 'POST';

const headersOf = (host: string, target: string) => ({
  Host: host,
  'Content-Type': 'application/x-amz-json-1.0',
  'X-Amz-Target': target,
});

function closeIdle(agent: Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}

function readText(
  response: IncomingMessage,
  fail: (error: Error) => void,
  done: (text: string) => void,
): void {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
  });
  response.on('error', fail);
  response.on('end', () => done(text));
}

function readAnswer(operation: string, status: number, text: string): Readonly<Record<string, unknown>> {
  const answer = parseObject(text);
  if (status === 200 && answer) return answer;
  // `com.amazonaws.dynamodb.v20120810#ThrottlingException`
  const type = String(answer?.['__type'] ?? '').replace(/^.*#/, '');
  const message = `${operation}: ${status} ${type}`.trim();
  if (throttles.test(type)) throw new AwsCallError('throttled', message);
  if (status < 400 || status >= 500) throw new AwsCallError('unclear', message);
  // Ours to mend: AWS says which right or which field it is.
  throw new AwsCallError('refused', `${message}: ${answer?.['message'] ?? answer?.['Message'] ?? ''}`);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
