/** Control addresses need no credential, so they must not serve web pages that the developer happens to visit. */

import type { IncomingHttpHeaders } from 'node:http';

/** The answer of a control address to a web page. */
export const webPageRefusal = {
  status: 403,
  error:
    'Web pages may not use this address: send no Origin and no Sec-Fetch-Site header, and a loopback address as Host.',
};

/**
 * Returns true if a request comes from a web page, even one at another port of this machine. Programs send none of these headers,
 * and `Sec-Fetch-Site: none` means that a person typed the address.
 *
 * - A browser sends `Origin` with each POST and each cross-origin fetch (https://fetch.spec.whatwg.org/#origin-header).
 * - It sends `Sec-Fetch-Site` with every request to a loopback address, also for images and links
 *   (https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header).
 * - After DNS rebinding the page's own name is the `Host`; a page cannot change it.
 */
export function isFromWebPage(headers: IncomingHttpHeaders): boolean {
  return (
    headers.origin !== undefined ||
    (headers['sec-fetch-site'] ?? 'none') !== 'none' ||
    !isLoopbackHost(headers)
  );
}

/** Returns true if the `Host` is this machine. */
export function isLoopbackHost({ host }: IncomingHttpHeaders): boolean {
  const name = URL.parse(`http://${host}`)?.hostname ?? '';
  return ['127.0.0.1', 'localhost', '[::1]'].includes(name);
}
