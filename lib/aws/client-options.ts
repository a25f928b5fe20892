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

/**
 * Returns the options of every AWS client. The SDK sets no time limits itself, so one hung socket could use up a function's whole
 * time. Without `throwOnRequestTimeout` a request over its limit is only logged.
 *
 * @param requestTimeoutMs the maximum time until the response begins
 */
export function awsClientOptions({ limits, ...access }: AwsAccess = {}, requestTimeoutMs = 3_000) {
  return {
    ...access,
    maxAttempts: 4,
    logger: quiet,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: 1_000,
      requestTimeout: requestTimeoutMs,
      throwOnRequestTimeout: true,
      ...limits,
    }),
  };
}
