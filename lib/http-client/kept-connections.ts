import http, { type ClientRequest } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import type { Clock } from '../kernel/clock.ts';

/** Begins a request, on a kept connection or a new one. */
export type BeginRequest = (url: URL, options: RequestOptions) => ClientRequest;

/**
 * Creates a function that begins requests and keeps their connections for later requests.
 *
 * @param protocol `http:` or `https:`
 * @param longestIdleMs idle connections older than this are closed, not reused. After a freeze, a function's connections
 *   may have been closed by the other side, and a request that fails on one may or may not have taken effect
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
