import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction, type TcpSocketConnectOpts } from 'node:net';
import { secondMs } from '../../kernel/clock.ts';
import type { TlsTrust } from '../kept-connections.ts';

/**
 * The time for which an idle connection is kept: long enough for a burst of requests, but short, because a kept
 * connection can outlive the check of its host. Most servers close idle connections after 5 s.
 */
const idleMs = 4 * secondMs;

/** The number of idle connections kept per host, owner and set of addresses. */
const maxIdle = 50;

/** The destination and the owner of a connection. */
export interface PinnedTarget {
  readonly url: URL;
  /** The host's addresses, checked a moment ago. The socket connects, or is already connected, to one of them. */
  readonly addresses: readonly string[];
  /** The owner of the connection. Connections are never shared between owners, whatever their URLs. */
  readonly owner: string;
}

export interface PinnedConnections {
  /** Begins a request. With `isFresh`, always on a new connection. */
  begin(target: PinnedTarget, options: http.RequestOptions, isFresh: boolean): http.ClientRequest;
  close(): void;
}

/** The options that the agent and the socket of a request read, but that Node's types do not declare. */
interface Pinned extends Pick<TcpSocketConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'> {
  /** The addresses and the owner. Connections are shared only if these are equal, in addition to host and port. */
  readonly pinnedTo: string;
}

/**
 * Manages the outgoing connections of one process. An idle connection is reused only by its owner, and only if the host
 * still resolves to the same addresses. A reused connection therefore also leads to an address that was just checked.
 */
export function pinnedConnections({ ca }: TlsTrust = {}): PinnedConnections {
  const kept = { keepAlive: true, timeout: idleMs, maxFreeSockets: maxIdle };
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
 * Makes a look-up that returns the checked addresses for every name. Node.js does not call it if the host is an IP
 * address, which was checked directly. IPv4 comes first, because Lambda functions outside a VPC have no IPv6.
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

/** Adds `pinnedTo` to the name under which the agent keeps a connection. The agent reuses connections by this name. */
function pinned<PinnedAgent extends http.Agent>(agent: PinnedAgent): PinnedAgent {
  const nameOf = agent.getName.bind(agent);
  agent.getName = (options) => {
    if (!options || !('pinnedTo' in options)) throw new TypeError('the request has no pinned addresses');
    return `${nameOf(options)}:${options.pinnedTo}`;
  };
  return agent;
}
