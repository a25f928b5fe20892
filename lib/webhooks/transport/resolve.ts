import {
  type CheckedUrl,
  type PublicNetwork,
  resolveHost,
} from '../../http-client/address-guard/public-url.ts';
import { checkWebhookUrl } from './url.ts';

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
