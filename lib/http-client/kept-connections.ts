import http, { type ClientRequest } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { type Clock, secondMs } from '../kernel/clock.ts';

export interface TlsTrust {
  /** The certificate authorities as PEM, instead of the public ones. */
  readonly ca?: string;
}

/** Begins a request, without ending it. */
export type BeginRequest = (url: URL, options: RequestOptions) => ClientRequest;

/** The time for a request to arrive before the server closes the connection. The timers of Node.js leave as much. */
const arrivalMs = secondMs;

/**
 * Creates a function that begins requests and keeps their connections for later requests.
 *
 * @param protocol `http:` or `https:`
 * @param longestIdleMs the age at which idle connections are closed, not reused; those that the server announces to close
 *   earlier, with its header `Keep-Alive: timeout`, are closed earlier too. After a freeze, a function's connections may
 *   have been closed by the other side, and a request that fails on one may or may not have taken effect
 */
export function keptConnections(
  protocol: string,
  longestIdleMs: number,
  now: Clock,
  trust: TlsTrust = {},
): BeginRequest {
  const { Agent, request } = protocol === 'http:' ? http : https;
  const agent = new Agent({ keepAlive: true, ...trust });
  const idleSince = new WeakMap<object, number>();
  const limits = new WeakMap<object, number>();
  agent.on('free', (socket: object) => idleSince.set(socket, now()));
  return (url, options) => {
    for (const socket of Object.values(agent.freeSockets).flatMap((sockets) => sockets ?? [])) {
      const idleMs = Math.abs(now() - (idleSince.get(socket) ?? 0));
      if (idleMs >= (limits.get(socket) ?? longestIdleMs)) socket.destroy();
    }
    const begun = request(url, { ...options, agent });
    begun.once('response', ({ headers, socket }) => {
      const seconds = /\btimeout=(\d{1,6})/i.exec(String(headers['keep-alive']))?.[1];
      if (seconds === undefined) return;
      limits.set(socket, Math.min(longestIdleMs, Number(seconds) * secondMs - arrivalMs));
    });
    return begun;
  };
}
