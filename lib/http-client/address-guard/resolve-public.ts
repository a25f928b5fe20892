import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { secondMs } from '../../kernel/clock.ts';
import { isPublicAddress } from './public-ip.ts';

/**
 * Looks up all addresses of a name, IPv4 and IPv6.
 *
 * @throws an error with a `code` of `node:dns`, such as `ENOTFOUND`
 */
export type LookUp = (hostname: string) => Promise<readonly string[]>;

export type Resolved =
  | { readonly addresses: readonly string[] }
  /** @property isTemporary true if the name servers did not answer */
  | { readonly problem: string; readonly isTemporary?: true };

const lookUpSeconds = 5;

/**
 * Makes a look-up at the system's name servers. It does not use `getaddrinfo`, which would also try the network's
 * search domains, and would occupy one of the process's four threads for as long as a name server is slow.
 *
 * @param servers `address:port`, instead of the system's name servers
 * @param timeoutMs the time for an answer, after which the query is sent once more
 */
export function createLookUp(servers?: readonly string[], timeoutMs = 2 * secondMs): LookUp {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    const families = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
    if (addresses.length > 0) return addresses;
    const failures = families.flatMap((family) => (family.status === 'rejected' ? [family.reason] : []));
    throw failures.find((failure) => !isAbsent(failure)) ?? failures[0];
  };
}

const systemLookUp = createLookUp();

/**
 * Resolves a host once and requires every address to be public. Connect the socket to one of the returned addresses,
 * without another look-up: a second look-up may return other addresses (DNS rebinding).
 *
 * @param hostname as `URL` writes it
 * @param lookUp default: the system's name servers
 * @returns at least one address, or the problem in words, which contain no address
 */
export async function resolvePublic(
  hostname: string,
  lookUp: LookUp = systemLookUp,
  timeoutSeconds: number = lookUpSeconds,
): Promise<Resolved> {
  const literal = withoutBrackets(hostname);
  if (isIP(literal)) return onlyPublic(hostname, [literal]);
  try {
    return onlyPublic(hostname, await within(timeoutSeconds, lookUp(hostname)));
  } catch (error) {
    if (isAbsent(error)) return { problem: `${hostname} does not resolve` };
    return {
      problem: `${hostname} could not be resolved: its name servers do not answer`,
      isTemporary: true,
    };
  }
}

/** Returns the host as sockets expect it: an IPv6 address without brackets. */
export function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function onlyPublic(hostname: string, addresses: readonly string[]): Resolved {
  if (addresses.length === 0) return { problem: `${hostname} does not resolve` };
  if (addresses.every(isPublicAddress)) return { addresses };
  return { problem: `${hostname} is not at a public address` };
}

async function within<T>(seconds: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('look-up timed out')), seconds * secondMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function isAbsent(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')
  );
}
