import { type LookUp, type Resolved, resolvePublic } from '../../http-client/address-guard/resolve-public.ts';
import { type CheckedUrl, checkWebhookUrl, loopbackAddresses, type PlainHttpHosts } from './url.ts';

export interface WebhookNetwork {
  /** The system's name servers if it is absent. */
  readonly lookUp?: LookUp;
  readonly plainHttpHosts: PlainHttpHosts;
}

/**
 * Where the host of a URL is at this moment: at public addresses alone, or on this machine for plain http.
 *
 * @param url one that `checkWebhookUrl` passed
 * @returns at least one address; or in words why there is none, which names no address
 */
export async function resolveHost(
  { protocol, hostname }: URL,
  { lookUp }: Pick<WebhookNetwork, 'lookUp'> = {},
  timeoutSeconds?: number,
): Promise<Resolved> {
  if (protocol !== 'http:') return resolvePublic(hostname, lookUp, timeoutSeconds);
  const addresses = loopbackAddresses(hostname);
  return addresses ? { addresses } : { problem: `${hostname} may not be reached by plain http` };
}

/**
 * Whether events may be sent to this URL and its host is public at this moment: the check at registration.
 *
 * @returns the URL, to be stored as its `href`; or what is wrong with it, to stand behind `url: `
 */
export async function checkReachableUrl(text: string, network: WebhookNetwork): Promise<CheckedUrl> {
  const checked = checkWebhookUrl(text, network.plainHttpHosts);
  if ('problem' in checked) return checked;
  const resolved = await resolveHost(checked.url, network);
  return 'problem' in resolved ? resolved : checked;
}
