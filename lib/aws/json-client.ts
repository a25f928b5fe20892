import aws4 from 'aws4';
import { type Answer, exchange } from '../http-client/exchange.ts';
import { keptConnections } from '../http-client/kept-connections.ts';
import { secondMs, systemClock } from '../kernel/clock.ts';

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

/** AWS's own SDK for Java allows a minute. */
const longestIdleMs = 30_000;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html */
const throttles = /(Throughput|RequestLimit)Exceeded|Throttling/;

/**
 * Calls an AWS service that speaks JSON, over connections that are kept. It stands in for the SDK where its 200 kB are
 * too much to load: no retries, no waiters, no marshalling.
 */
export function createJsonClient(options: JsonClientOptions): AwsCall {
  const { service, region, targetPrefix, credentials } = options;
  const url = new URL(options.endpoint);
  const { protocol, hostname, host, pathname: path } = url;
  const begin = keptConnections(protocol, longestIdleMs, systemClock);

  return async (operation, input, timeoutMs) => {
    const body = JSON.stringify(input);
    const exchanged = await exchange({
      start: () => {
        // Looks the host up and connects, if it has to, while the request is signed. Without its name for TLS, Node.js
        // asks once more whether the host is an IP address: by a regular expression whose compilation takes some
        // milliseconds of every cold start.
        const request = begin(url, { method, servername: hostname });
        const target = `${targetPrefix}.${operation}`;
        const unsigned = { service, region, method, path, headers: headersOf(host, target), body };
        const { headers } = aws4.sign(unsigned, credentials);
        for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
        return request;
      },
      body,
      limits: { totalSeconds: Math.round(timeoutMs) / secondMs },
    });
    if ('answer' in exchanged) return readAnswer(operation, exchanged.answer);
    const { reached, code, message } = exchanged.failure;
    throw new AwsCallError(
      reached === 'unsent' ? 'unreachable' : 'unclear',
      `${operation}: ${code ?? message}`,
    );
  };
}

const method = 'POST';

const headersOf = (host: string, target: string) => ({
  Host: host,
  'Content-Type': 'application/x-amz-json-1.0',
  'X-Amz-Target': target,
});

function readAnswer(operation: string, { status, body }: Answer): Readonly<Record<string, unknown>> {
  const answer = parseObject(body.toString());
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
