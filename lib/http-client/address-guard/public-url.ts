import { isIP } from 'node:net';
import { isPublicAddress } from './public-ip.ts';
import { type LookUp, type Resolved, resolvePublic, withoutBrackets } from './resolve-public.ts';

/** The network that a process may reach. */
export interface PublicNetwork {
  /** The look-up of names. Default: the system's name servers. */
  readonly lookUp?: LookUp;
  readonly plainHttpHosts: PlainHttpHosts;
}

/** The hosts of this machine that may be reached with plain http, as `URL` writes them. Empty in AWS. */
export type PlainHttpHosts = ReadonlySet<string>;

export type CheckedUrl = { readonly url: URL } | { readonly problem: string };

const httpsPorts = ['', '8443'];

/** The suffixes of names that public resolvers do not know, and of private networks (RFC 6762, appendix G; RFC 8375). */
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
 * Parses the variable `PLAIN_HTTP_HOSTS`: hosts separated by commas, such as `127.0.0.1,[::1],localhost`. An
 * empty variable allows none.
 *
 * @throws TypeError if a host is not this machine, or is not spelled as `URL` writes it
 */
export function parsePlainHttpHosts(text: string | undefined): PlainHttpHosts {
  const hosts = (text ?? '').split(',').map((host) => host.trim());
  const given = hosts.filter((host) => host !== '');
  const odd = given.find((host) => !loopbackAddresses(host));
  if (odd !== undefined)
    throw new TypeError(`PLAIN_HTTP_HOSTS: plain http is only for hosts of this machine, not ${odd}`);
  return new Set(given);
}

/** Returns the addresses of a host of this machine, without a look-up; `undefined` for every other host and spelling. */
export function loopbackAddresses(hostname: string): readonly string[] | undefined {
  if (hostname === 'localhost') return ['127.0.0.1', '::1'];
  if (hostname === '[::1]') return ['::1'];
  return isIP(hostname) === 4 && hostname.startsWith('127.') ? [hostname] : undefined;
}

/**
 * Checks from its text alone whether requests may be sent to a URL: https to a public host on port 443 or 8443, or
 * plain http to an allowed host on any port. {@link resolveHost} checks the addresses of a name.
 *
 * @param maxCharacters the limit of the text, and of the URL when encoded
 * @returns the URL (store its `href`), or the problem, worded to follow `url: `
 */
export function checkPublicUrl(
  text: string,
  plainHttpHosts: PlainHttpHosts,
  maxCharacters: number,
): CheckedUrl {
  if (text.length > maxCharacters) return { problem: `must have at most ${maxCharacters} characters` };
  // `URL` silently drops or replaces these characters, which could hide where a request goes.
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text))
    return { problem: 'must not contain spaces, control characters or \\' };
  const url = URL.parse(text);
  if (!url) return { problem: 'must be an absolute URL' };
  if (url.href.length > maxCharacters)
    return { problem: `must have at most ${maxCharacters} characters when encoded` };
  const problem = problemOf(text, url, plainHttpHosts);
  return problem === undefined ? { url } : { problem };
}

function problemOf(text: string, url: URL, plainHttpHosts: PlainHttpHosts): string | undefined {
  const { protocol, hostname, port } = url;
  // Checked in the text, because `URL` does not keep an empty user name.
  if (/^[^:/?#]*:\/*[^/?#]*@/.test(text)) return 'must not contain a user name or a password';
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
 * Resolves the host of a URL: to public addresses only, or to this machine for plain http.
 *
 * @param url a URL that passed {@link checkPublicUrl}
 * @returns at least one address, or the problem in words, which contain no address
 */
export async function resolveHost(
  { protocol, hostname }: URL,
  { lookUp }: Pick<PublicNetwork, 'lookUp'> = {},
  timeoutSeconds?: number,
): Promise<Resolved> {
  if (protocol !== 'http:') return resolvePublic(hostname, lookUp, timeoutSeconds);
  const addresses = loopbackAddresses(hostname);
  return addresses ? { addresses } : { problem: `${hostname} may not be reached with plain http; use https` };
}
