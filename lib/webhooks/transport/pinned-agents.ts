import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, type TcpSocketConnectOpts } from 'node:net';
import { secondMs } from '../../kernel/clock.ts';

/**
 * How long a connection is kept for the next event: long enough for a burst, too short to outlive what was checked about
 * the host by much. Most servers wait for 5 s before they close.
 */
const idleMs = 4 * secondMs;

const keptPerEndpoint = 50;

/** What one connection is for. */
export interface ConnectionTarget {
  readonly url: URL;
  /** Those that were checked a moment ago: the socket is opened to one of them, or was. */
  readonly addresses: readonly string[];
  /** Whose it is: connections are never shared between endpoints, whatever their URLs. */
  readonly webhookId: string;
}

export interface Connections {
  /**
   * Begins a POST. With `isFresh`, not on a connection that was kept.
   *
   * @param headers lower-case names
   */
  begin(
    target: ConnectionTarget,
    headers: Readonly<Record<string, string>>,
    isFresh: boolean,
  ): http.ClientRequest;
  close(): void;
}

interface TlsTrust {
  /** PEM, in place of the public authorities. */
  readonly ca?: string;
}

/** Options of a request that its agent and its socket read, beside those that are declared. */
interface Pinned extends Pick<TcpSocketConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'> {
  /** What tells connections apart beside host and port. */
  readonly pinnedTo: string;
}

/**
 * The connections of one process. Those that stand idle are used again by the same endpoint, as long as its host resolves
 * to the same addresses; so a used one, too, is to an address that this attempt has checked.
 */
export function createConnections({ ca }: TlsTrust = {}): Connections {
  const kept = { keepAlive: true, timeout: idleMs, maxFreeSockets: keptPerEndpoint };
  const trust = { rejectUnauthorized: true, ...(ca !== undefined && { ca }) };
  const agents = {
    'http:': new PinnedHttpAgent(kept),
    'https:': new PinnedHttpsAgent({ ...kept, ...trust }),
  };
  const fresh = { 'http:': new http.Agent(), 'https:': new https.Agent(trust) };

  return {
    begin({ url, addresses, webhookId }, headers, isFresh) {
      const protocol = url.protocol === 'https:' ? 'https:' : 'http:';
      const options: http.RequestOptions & Pinned = {
        method: 'POST',
        headers,
        agent: (isFresh ? fresh : agents)[protocol],
        lookup: pinnedLookUp(addresses),
        pinnedTo: JSON.stringify([webhookId, addresses.toSorted()]),
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: secondMs,
      };
      return (protocol === 'https:' ? https : http).request(url, options);
    },
    close() {
      for (const agent of [...Object.values(agents), ...Object.values(fresh)]) agent.destroy();
    },
  };
}

/**
 * Answers with the checked addresses, whatever name is asked for. Not called for a host that is an address: that was
 * checked as it stands. IPv4 first, for functions outside of a network of their own have no IPv6.
 */
function pinnedLookUp(addresses: readonly string[]): LookupFunction {
  const all = addresses
    .map((address) => ({ address, family: isIP(address) }))
    .sort((a, b) => a.family - b.family);
  return (_hostname, { all: wantsAll }, callback) => {
    const [first] = all;
    if (wantsAll || !first) callback(null, all);
    else callback(null, first.address, first.family);
  };
}

class PinnedHttpAgent extends http.Agent {
  override getName(options?: Parameters<http.Agent['getName']>[0]): string {
    return `${super.getName(options)}:${pinnedTo(options)}`;
  }
}

class PinnedHttpsAgent extends https.Agent {
  override getName(options?: https.RequestOptions): string {
    return `${super.getName(options)}:${pinnedTo(options)}`;
  }
}

function pinnedTo(options: object = {}): string {
  if ('pinnedTo' in options && typeof options.pinnedTo === 'string') return options.pinnedTo;
  throw new TypeError('a connection of unknown addresses');
}
