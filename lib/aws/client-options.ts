import type { SQSClientConfig } from '@aws-sdk/client-sqs';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/** Endpoint, region and credentials for AWS calls. The SDK reads absent ones from the environment. */
export interface AwsAccess {
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Time limits of a request in milliseconds, instead of the usual ones. */
  readonly limits?: { readonly connectionTimeout: number; readonly requestTimeout: number };
}

const ignore = (): void => {};

/**
 * A logger without `info` and `error`. If a logger has these, even empty ones, the SDK copies the input and the output of each
 * call for them, which took a thirtieth of a worker's processor time.
 */
const quiet = { warn: ignore, debug: ignore } as unknown as NonNullable<SQSClientConfig['logger']>;

/** The attempts of a request, and their time limits in milliseconds. */
const usual = { attempts: 4, connectionTimeout: 1_000, requestTimeout: 3_000 };

/** The longest wait before a repetition after a timeout, in milliseconds, doubled each time. See `StandardRetryStrategy` of the SDK. */
const firstWaitMs = 100;

/**
 * Returns the longest time that a request may take if AWS does not answer, in milliseconds.
 *
 * @param requestTimeoutMs as for {@link awsClientOptions}
 */
export function longestRequestMs(requestTimeoutMs = usual.requestTimeout, attempts = usual.attempts): number {
  const waitsMs = firstWaitMs * (2 ** (attempts - 1) - 1);
  return attempts * (usual.connectionTimeout + requestTimeoutMs) + waitsMs;
}

/**
 * Returns the options of every AWS client. The SDK sets no time limits itself, so one hung socket could use up a function's whole
 * time. Without `throwOnRequestTimeout` a request over its limit is only logged.
 *
 * @param requestTimeoutMs the maximum time until the response begins
 */
export function awsClientOptions(
  { limits, ...access }: AwsAccess = {},
  requestTimeoutMs = usual.requestTimeout,
) {
  return {
    ...access,
    maxAttempts: usual.attempts,
    logger: quiet,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: usual.connectionTimeout,
      requestTimeout: requestTimeoutMs,
      throwOnRequestTimeout: true,
      ...limits,
    }),
  };
}
