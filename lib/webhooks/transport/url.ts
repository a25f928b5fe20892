import { isIP } from 'node:net';
import { isPublicAddress } from '../../http-client/address-guard/public-ip.ts';
import { withoutBrackets } from '../../http-client/address-guard/resolve-public.ts';
import { webhookLimits } from '../schemas.ts';

/** Hosts of this machine to which plain http may go, as `URL` writes them; empty in AWS. */
export type PlainHttpHosts = ReadonlySet<string>;

export type CheckedUrl = { readonly url: URL } | { readonly problem: string };

const httpsPorts = ['', '8443'];

/** Names that no public resolver knows, with those that private networks use (RFC 6762, appendix G; RFC 8375). */
const insideSuffixes = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'home.arpa',
];

/**
 * Reads what stands in the variable `WEBHOOK_PLAIN_HTTP_HOSTS`: hosts separated by commas, such as
 * `127.0.0.1,[::1],localhost`. Nothing in it exempts none.
 *
 * @throws TypeError where a host is not one of this machine, or not spelled as `URL` writes it
 */
export function parsePlainHttpHosts(text: string | undefined): PlainHttpHosts {
  const hosts = (text ?? '').split(',').map((host) => host.trim());
  const given = hosts.filter((host) => host !== '');
  const odd = given.find((host) => !loopbackAddresses(host));
  if (odd !== undefined) throw new TypeError(`plain http goes to hosts of this machine only, not to ${odd}`);
  return new Set(given);
}

/** Where a host of this machine is, without asking a resolver; undefined for every other host and spelling. */
export function loopbackAddresses(hostname: string): readonly string[] | undefined {
  if (hostname === 'localhost') return ['127.0.0.1', '::1'];
  if (hostname === '[::1]') return ['::1'];
  return isIP(hostname) === 4 && hostname.startsWith('127.') ? [hostname] : undefined;
}

/**
 * Whether events may be sent to this URL, as far as its text tells: https to a public host on port 443 or 8443, or plain
 * http to one of the exempted hosts on any port. What a name resolves to is for `resolve.ts`.
 *
 * @returns the URL, to be stored as its `href`; or what is wrong with it, to stand behind `url: `
 */
export function checkWebhookUrl(text: string, plainHttpHosts: PlainHttpHosts): CheckedUrl {
  const most = webhookLimits.urlCharacters;
  if (text.length > most) return { problem: `must have at most ${most} characters` };
  // `URL` drops or turns what browsers forgive; here it hides where a request goes.
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text)) return { problem: 'must not hold spaces, control characters or \\' };
  const url = URL.parse(text);
  if (!url) return { problem: 'must be an absolute URL' };
  if (url.href.length > most) return { problem: `must have at most ${most} characters when encoded` };
  const problem = problemOf(text, url, plainHttpHosts);
  return problem === undefined ? { url } : { problem };
}

function problemOf(text: string, url: URL, plainHttpHosts: PlainHttpHosts): string | undefined {
  const { protocol, hostname, port } = url;
  // An empty user name leaves no trace in `URL`.
  if (/^[^:/?#]*:\/*[^/?#]*@/.test(text)) return 'must not hold a user name or a password';
  if (text.includes('#')) return 'must not have a fragment (#…)';
  if (protocol === 'http:' && plainHttpHosts.has(hostname)) return port === '0' ? notAPort : undefined;
  if (protocol !== 'https:') return 'must begin with https://';
  if (!httpsPorts.includes(port)) return 'must have port 443 or 8443';
  return problemOfHost(hostname);
}

const notAPort = 'must have a port that exists';

function problemOfHost(hostname: string): string | undefined {
  const address = withoutBrackets(hostname);
  if (isIP(address)) return isPublicAddress(address) ? undefined : 'must be at a public address';
  if (hostname.endsWith('.')) return 'must not have a dot at the end of the host';
  if (insideSuffixes.some((suffix) => hostname === suffix || hostname.endsWith(`.${suffix}`))) {
    return 'must be at a public host, not one of a private network';
  }
  const labels = hostname.split('.');
  if (labels.length < 2) return 'must have a full host name, such as hooks.example.com';
  const isName = hostname.length <= 253 && labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label));
  return isName ? undefined : 'must have a valid host name';
}

/**
 * What two spellings of the same address have in common, for keeping endpoints unique: over what `URL` evens out (case
 * of the host, standard port, dot segments, IDN), escapes that need none and an empty query.
 */
export function normalWebhookUrl(url: URL): string {
  const normal = new URL(url);
  normal.pathname = evenEscapes(normal.pathname);
  normal.search = evenEscapes(normal.search);
  normal.hash = '';
  return normal.href;
}

/** Escaped letters, digits and `-._~` mean themselves; in other escapes case does not matter (RFC 3986, 6.2.2). */
function evenEscapes(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[A-Za-z0-9\-._~]/.test(character) ? character : escaped.toUpperCase();
  });
}
