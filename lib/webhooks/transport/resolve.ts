import { type LookUp, type Resolved, resolvePublic } from '../../http-client/address-guard/resolve-public.ts';
import { type CheckedUrl, checkWebhookUrl, loopbackAddresses, type PlainHttpHosts } from './url.ts';

export interface WebhookNetwork {
  /** Default: the system's name servers. */
  readonly lookUp?: LookUp;
  readonly plainHttpHosts: PlainHttpHosts;
}

/**
 * Resolves the host of a URL: to public addresses only, or to this machine for plain http.
 *
 * @param url a URL that passed `checkWebhookUrl`
 * @returns at least one address, or the problem in words, which contain no address
 */
export async function resolveHost(
  { protocol, hostname }: URL,
  { lookUp }: Pick<WebhookNetwork, 'lookUp'> = {},
  timeoutSeconds?: number,
): Promise<Resolved> {
  if (protocol !== 'http:') return resolvePublic(hostname, lookUp, timeoutSeconds);
  const addresses = loopbackAddresses(hostname);
  return addresses ? { addresses } : { problem: `${hostname} may not be reached with plain http; use https` };
}

/**
 * The check at registration: whether events may be sent to this URL, and whether its host resolves to public addresses.
 *
 * @returns the URL, whose `href` is to be stored, or the problem, worded to follow `url: `
 */
export async function checkReachableUrl(text: string, network: WebhookNetwork): Promise<CheckedUrl> {
  const checked = checkWebhookUrl(text, network.plainHttpHosts);
  if ('problem' in checked) return checked;
  const resolved = await resolveHost(checked.url, network);
  return 'problem' in resolved ? resolved : checked;
}
