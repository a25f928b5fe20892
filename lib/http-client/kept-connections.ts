import http, { type ClientRequest } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import type { Clock } from '../kernel/clock.ts';

/** Begins a request, on a connection that is kept or on a new one. */
export type BeginRequest = (url: URL, options: RequestOptions) => ClientRequest;

/**
 * Connections that are kept for the next request.
 *
 * @param protocol `http:` or `https:`
 * @param longestIdleMs after which a connection is not used again. A frozen function wakes up with connections that the
 *   other side may have closed long ago, and nobody could tell whether a request on one of them took effect
 */
export function keptConnections(protocol: string, longestIdleMs: number, now: Clock): BeginRequest {
  const { Agent, request } = protocol === 'http:' ? http : https;
  const agent = new Agent({ keepAlive: true });
  const idleSince = new WeakMap<object, number>();
  agent.on('free', (socket: object) => idleSince.set(socket, now()));
  return (url, options) => {
    for (const socket of Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? [])) {
      if (Math.abs(now() - (idleSince.get(socket) ?? 0)) > longestIdleMs) socket.destroy();
    }
    return request(url, { ...options, agent });
  };
}
