import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { PanelEdge } from '../wire/settings.ts';

/** A request that came through the panel's CloudFront, which reports the client's address and host. */
export interface PanelRequest {
  readonly viewerAddress: string;
  /** The panel's origin, as the browser used it: `https://panel.example.com`. */
  readonly origin: string;
}

type Headers = APIGatewayProxyEventV2['headers'];

/**
 * Recognizes requests of the panel. CloudFront adds the origin secret to them, and overwrites the other two headers if a viewer
 * sends them. Without the secret the headers are ignored.
 *
 * @returns `undefined` for a request that was sent to the API's own host
 * @throws Error if CloudFront sends the secret without the viewer: then the deployment is wrong
 */
export function panelRequest(headers: Headers, edge: PanelEdge): PanelRequest | undefined {
  if (!hasSecret(headers['x-origin-secret'], edge.originSecretDigest)) return undefined;
  const viewerAddress = headers['x-viewer-address'] ?? '';
  const host = headers['x-viewer-host'] ?? '';
  const url = URL.parse(`https://${host}`);
  if (isIP(viewerAddress) === 0 || url === null || !isHostAlone(url))
    throw new Error(
      'the panel’s CloudFront distribution did not send the viewer’s address and host: check x-viewer-address and x-viewer-host in its function',
    );
  if (edge.plainHttpHosts.has(url.hostname)) url.protocol = 'http:';
  return { viewerAddress, origin: url.origin };
}

/** Compares in constant time. Nothing matches an empty digest. */
function hasSecret(sent: string | undefined, digest: string): boolean {
  if (sent === undefined || digest === '') return false;
  return timingSafeEqual(createHash('sha256').update(sent, 'utf8').digest(), Buffer.from(digest, 'hex'));
}

const isHostAlone = ({ username, password, pathname, search, hash, hostname }: URL): boolean =>
  hostname !== '' && `${username}${password}${search}${hash}` === '' && pathname === '/';

/**
 * Returns true if a page of the panel itself sent the request. Browsers add `Sec-Fetch-Site` to every request, and `Origin` to
 * every one that may change something; pages cannot set either: https://www.w3.org/TR/fetch-metadata/,
 * https://fetch.spec.whatwg.org/#origin-header
 */
export function isFromPanel(method: string, headers: Headers, { origin }: PanelRequest): boolean {
  if (headers['sec-fetch-site'] !== 'same-origin') return false;
  if (method === 'GET' || method === 'HEAD')
    return headers['origin'] === undefined || headers['origin'] === origin;
  return headers['origin'] === origin;
}

/** Returns the client's IP address; for panel requests, the one that CloudFront reports. */
export const addressOf = (event: APIGatewayProxyEventV2, panel: PanelRequest | undefined): string =>
  panel?.viewerAddress ?? event.requestContext.http.sourceIp;
