import http from 'node:http';
import https from 'node:https';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { urlToHttpOptions } from 'node:url';
import { type Clock, secondMs } from '../kernel/clock.ts';
import type { BeginRequest, TlsTrust } from './kept-connections.ts';

/** Connections that carry one request each, for requests with an effect that must be known. */
export interface FreshConnections {
  /**
   * Opens a connection to the URL's origin, with its TLS handshake, and holds it for `beginOnOpened`. Resolves once it
   * is open or could not be opened; never rejects.
   */
  openAhead(url: URL): Promise<void>;
  /** Begins a request on a connection that was opened ahead; without one, on a new connection. */
  readonly beginOnOpened: BeginRequest;
  /** Begins a request on a new connection. */
  readonly beginOnNew: BeginRequest;
}

/**
 * The longest time to hold a connection. Our judgement: servers wait longer for its first request. Node.js and nginx
 * wait a minute.
 */
const longestHeldMs = 4 * secondMs;

/** The longest time for a connection to open. Our judgement: a slower one may never open, so a request opens another one. */
const longestOpeningMs = secondMs;

interface Opened {
  readonly origin: string;
  readonly openedMs: number;
  readonly socket: Socket;
  isReady: boolean;
  /** Stops holding the connection. */
  readonly release: () => void;
}

/**
 * Makes connections that carry one request each.
 *
 * @param now decides whether a held connection is too old, also after a freeze, because timers do not run then
 */
export function freshConnections(now: Clock, trust: TlsTrust = {}): FreshConnections {
  const held = new Set<Opened>();

  const take = (origin: string): Socket | undefined => {
    const usable = [...held].filter(({ socket, openedMs, isReady, ...opened }) => {
      const ageMs = Math.abs(now() - openedMs);
      return (
        opened.origin === origin && !socket.destroyed && ageMs < (isReady ? longestHeldMs : longestOpeningMs)
      );
    });
    const taken = usable.find(({ isReady }) => isReady) ?? usable[0];
    taken?.release();
    return taken?.socket;
  };

  const beginOnNew: BeginRequest = (url, options) =>
    moduleOf(url).request(url, { ...options, ...trust, agent: false });

  return {
    openAhead: (url) =>
      new Promise((resolve) => {
        const socket = open(url, trust);
        const close = () => socket.destroy();
        const timer = setTimeout(close, longestHeldMs).unref();
        const readyEvent = url.protocol === 'https:' ? 'secureConnect' : 'connect';
        const ready = () => {
          opened.isReady = true;
          // An unused connection does not keep the process alive.
          socket.unref();
          resolve();
        };
        const release = () => {
          held.delete(opened);
          clearTimeout(timer);
          socket.off(readyEvent, ready).off('data', close).off('end', close).off('close', release);
          socket.ref();
          resolve();
        };
        const opened: Opened = { origin: url.origin, openedMs: now(), socket, isReady: false, release };
        held.add(opened);
        // A server that sends something now has closed the connection, or is about to.
        socket.on(readyEvent, ready).on('data', close).on('end', close).on('close', release);
        socket.on('error', () => {});
      }),

    beginOnOpened(url, options) {
      const socket = take(url.origin);
      return socket
        ? moduleOf(url).request(url, { ...options, createConnection: () => socket })
        : beginOnNew(url, options);
    },

    beginOnNew,
  };
}

const moduleOf = ({ protocol }: URL) => (protocol === 'http:' ? http : https);

function open(url: URL, trust: TlsTrust): Socket {
  const host = urlToHttpOptions(url).hostname ?? '';
  const isPlain = url.protocol === 'http:';
  const port = Number(url.port) || (isPlain ? 80 : 443);
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const socket = isPlain
    ? connectTcp({ host, port })
    : connectTls({ host, port, ...servername, ALPNProtocols: ['http/1.1'], ...trust });
  // Agents set this too. Otherwise the system may delay the last bytes of a request.
  return socket.setNoDelay(true);
}
