import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, type TcpSocketConnectOpts } from 'node:net';
import { secondMs } from '../../kernel/clock.ts';

/**
 * How long a connection is kept for the next request: long enough for a burst, too short to outlive what was checked about
 * the host by much. Most servers wait for 5 s before they close.
 */
const idleMs = 4 * secondMs;

const keptPerOwner = 50;

/** What one connection is for. */
export interface PinnedTarget {
  readonly url: URL;
  /** Those that were checked a moment ago: the socket is opened to one of them, or was. */
  readonly addresses: readonly string[];
  /** Connections are never shared between owners, whatever their URLs. */
  readonly owner: string;
}

export interface PinnedConnections {
  /** Begins a request. With `isFresh`, not on a connection that was kept. */
  begin(target: PinnedTarget, options: http.RequestOptions, isFresh: boolean): http.ClientRequest;
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
 * The connections of one process. Those that stand idle are used again by the same owner, as long as its host resolves
 * to the same addresses; so a used one, too, is to an address that was checked just now.
 */
export function pinnedConnections({ ca }: TlsTrust = {}): PinnedConnections {
  const kept = { keepAlive: true, timeout: idleMs, maxFreeSockets: keptPerOwner };
  const trust = { rejectUnauthorized: true, ...(ca !== undefined && { ca }) };
  const agents = {
    'http:': pinned(new http.Agent(kept)),
    'https:': pinned(new https.Agent({ ...kept, ...trust })),
  };
  const fresh = { 'http:': new http.Agent(), 'https:': new https.Agent(trust) };

  return {
    begin({ url, addresses, owner }, options, isFresh) {
      const protocol = url.protocol === 'https:' ? 'https:' : 'http:';
      const pins: http.RequestOptions & Pinned = {
        ...options,
        agent: (isFresh ? fresh : agents)[protocol],
        lookup: pinnedLookUp(addresses),
        pinnedTo: JSON.stringify([owner, addresses.toSorted()]),
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: secondMs,
      };
      return (protocol === 'https:' ? https : http).request(url, pins);
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

/** The name of a connection decides who may use it again. */
function pinned<PinnedAgent extends http.Agent>(agent: PinnedAgent): PinnedAgent {
  const nameOf = agent.getName.bind(agent);
  agent.getName = (options) => {
    if (!options || !('pinnedTo' in options)) throw new TypeError('a connection of unknown addresses');
    return `${nameOf(options)}:${options.pinnedTo}`;
  };
  return agent;
}
