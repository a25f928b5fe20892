import type { SQSClientConfig } from '@aws-sdk/client-sqs';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/** Endpoint, region and credentials for AWS calls. The SDK reads what is absent from the environment. */
export interface AwsAccess {
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Limits of a request in milliseconds, instead of the usual ones. */
  readonly limits?: { readonly connectionTimeout: number; readonly requestTimeout: number };
}

const ignore = (): void => {};

/**
 * A logger without `info` and `error`. For these, the SDK copies the input and the output of each call, also for a logger that
 * does nothing, which took a thirtieth of the processor time of a worker.
 */
const quiet = { warn: ignore, debug: ignore } as unknown as NonNullable<SQSClientConfig['logger']>;

/**
 * Options that every AWS client is created with. The SDK sets no time limits itself, so one hung socket could use up a
 * function's whole time. Without `throwOnRequestTimeout` a request over its limit is only logged.
 *
 * @param requestTimeoutMs how long a request may take until its response begins
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
