import { NodeHttpHandler } from '@smithy/node-http-handler';

/** Where AWS answers, and as whom it is called. What is absent the SDK finds in the environment. */
export interface AwsAccess {
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/**
 * What every AWS client is made with. The SDK sets no time limits of its own; without them one hung socket eats a
 * function's whole time, and without `throwOnRequestTimeout` the request's limit would only log.
 */
export function awsClientOptions(access: AwsAccess = {}) {
  return {
    ...access,
    maxAttempts: 4,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: 1_000,
      requestTimeout: 3_000,
      throwOnRequestTimeout: true,
    }),
  };
}
