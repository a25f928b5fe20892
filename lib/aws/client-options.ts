import { NodeHttpHandler } from '@smithy/node-http-handler';

/**
 * What every AWS client is made with. The SDK sets no time limits of its own; without them one hung socket eats a
 * function's whole time, and without `throwOnRequestTimeout` the request's limit would only log.
 */
export function awsClientOptions() {
  return {
    maxAttempts: 4,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: 1_000,
      requestTimeout: 3_000,
      throwOnRequestTimeout: true,
    }),
  };
}
