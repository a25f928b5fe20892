import aws4 from 'aws4';
import { type Answer, exchange } from '../http-client/exchange.ts';
import { keptConnections } from '../http-client/kept-connections.ts';
import { secondMs, systemClock } from '../kernel/clock.ts';

/**
 * The effect of a failed call, which determines if a write may be repeated:
 * - `throttled`, `unreachable`: nothing was done;
 * - `unclear`: it may have taken effect: no response in time, a broken connection, a fault of the service;
 * - `refused`: nothing was done and a retry will not help: the request, its rights or its signature are wrong.
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
  /** The service name in the credential scope, such as `dynamodb`. */
  readonly service: string;
  /** The first part of `X-Amz-Target`, such as `DynamoDB_20120810`. */
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
 * Makes one call, without retries.
 *
 * @param timeoutMs the time after which the call fails and its connection is closed
 * @throws AwsCallError
 */
export type AwsCall = (
  operation: string,
  input: object,
  timeoutMs: number,
) => Promise<Readonly<Record<string, unknown>>>;

/** The longest time that an idle connection is kept: half of the 60 s after which AWS's own SDK for Java closes it. */
const longestIdleMs = 30_000;

/** The throttling errors: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html */
const throttles = /(Throughput|RequestLimit)Exceeded|Throttling/;

/**
 * Creates a client of an AWS service that speaks JSON, over kept connections. It replaces the SDK in functions that
 * cannot afford to load its 200 kB. It has no retries, no waiters and no marshalling.
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
        // The look-up and the connection run while the request is signed. `servername` is set because Node.js otherwise
        // tests whether the host is an IP address, with a regular expression that takes milliseconds to compile on
        // every cold start.
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
    if ('answer' in exchanged) return readResponse(operation, exchanged.answer);
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

function readResponse(operation: string, { status, body }: Answer): Readonly<Record<string, unknown>> {
  const answer = parseObject(body.toString());
  if (status === 200 && answer) return answer;
  // `com.amazonaws.dynamodb.v20120810#ThrottlingException`
  const type = String(answer?.['__type'] ?? '').replace(/^.*#/, '');
  const message = `${operation}: ${status} ${type}`.trim();
  if (throttles.test(type)) throw new AwsCallError('throttled', message);
  if (status < 400 || status >= 500) throw new AwsCallError('unclear', message);
  // An error of ours: AWS names the missing right or the wrong field.
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
