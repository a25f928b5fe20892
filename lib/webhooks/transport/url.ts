import {
  type CheckedUrl,
  checkPublicUrl,
  type PlainHttpHosts,
  type PublicNetwork,
  resolveHost,
} from '../../http-client/address-guard/public-url.ts';
import { webhookLimits } from '../schemas.ts';

/**
 * Checks that events may be sent to this URL, from its text alone: see {@link checkPublicUrl}.
 *
 * @returns the URL with the `href` to store, or the problem, worded to follow `url: `
 */
export function checkWebhookUrl(text: string, plainHttpHosts: PlainHttpHosts): CheckedUrl {
  return checkPublicUrl(text, plainHttpHosts, webhookLimits.urlCharacters);
}

/**
 * Normalizes a URL, to detect two endpoints with the same URL. `URL` already normalizes the case of the host, the
 * standard port, dot segments and IDN. This also decodes unnecessary escapes and removes an empty query.
 */
export function normalWebhookUrl(url: URL): string {
  const normal = new URL(url);
  normal.pathname = normalizeEscapes(normal.pathname);
  normal.search = normalizeEscapes(normal.search);
  normal.hash = '';
  return normal.href;
}

/** Decodes escaped letters, digits and `-._~`, and writes other escapes in upper case (RFC 3986, 6.2.2). */
function normalizeEscapes(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : escaped.toUpperCase();
  });
}

/**
 * Checks at registration that events may be sent to this URL, and that its host resolves to public addresses.
 *
 * @returns the URL with the `href` to store, or the problem, worded to follow `url: `
 */
export async function checkReachableUrl(text: string, network: PublicNetwork): Promise<CheckedUrl> {
  const checked = checkWebhookUrl(text, network.plainHttpHosts);
  if ('problem' in checked) return checked;
  const resolved = await resolveHost(checked.url, network);
  return 'problem' in resolved ? { problem: resolved.problem } : checked;
}
