import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { publicBaseUrl } from './settings.ts';
import type { Wire } from './start.ts';

/**
 * Has the session of a request checked at the identity provider.
 *
 * @param origin the panel's origin, as the browser used it
 * @throws if there is no answer. The check may go on all the same
 */
export type RequestSessionCheck = (
  request: Pick<APIGatewayProxyEventV2, 'headers' | 'cookies'>,
  origin: string,
) => Promise<void>;

/** An issuer has four seconds to answer. Functions of the API run for ten, and need some of them for the request itself. */
const timeoutMs = 6_000;

/** The headers by which the panel's CloudFront vouches for a request. */
const edgeHeaders = ['x-origin-secret', 'x-viewer-address', 'x-viewer-host'] as const;

/**
 * Asks the one function that may use refresh tokens, with the headers of the request. So no other function needs the rights for that.
 */
export const requestSessionCheck: Wire<RequestSessionCheck> = (environment) => {
  const url = `${publicBaseUrl(environment)}/panel/session/check`;
  return async ({ headers, cookies = [] }, origin) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const send = () =>
      fetch(url, {
        method: 'POST',
        headers: {
          ...Object.fromEntries(edgeHeaders.map((name) => [name, headers[name] ?? ''])),
          cookie: cookies.join('; '),
          'sec-fetch-site': 'same-origin',
          origin,
        },
        redirect: 'manual',
        signal,
      });
    const response = await send().catch((error: unknown) => {
      if (signal.aborted) throw error;
      // Lambda freezes idle instances, so a connection that was kept may be gone. A check can be asked for twice.
      return send();
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the check of a session answered ${response.status}`);
  };
};
