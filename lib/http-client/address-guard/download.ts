import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { secondMs } from '../../kernel/clock.ts';
import { failureInWords } from '../failure-in-words.ts';
import type { PinnedConnections } from './pinned-connections.ts';
import { checkPublicUrl, type PublicNetwork, resolveHost } from './public-url.ts';

/** The limits of one download. Each hop of a redirect has its own `connectSeconds` and `answerSeconds`. */
export interface DownloadLimits {
  readonly urlCharacters: number;
  readonly redirects: number;
  /** The time until the connection is made: look-up, TCP and TLS together. */
  readonly connectSeconds: number;
  /** The time until the headers of the response have arrived. */
  readonly answerSeconds: number;
}

/** The reason why a file cannot be read. In words without addresses, for the owner of the URL. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  /** True if the same request may succeed later. */
  readonly isTemporary: boolean;
  /** The header `Retry-After`, as the server sent it. */
  readonly retryAfter: string | undefined;

  constructor(message: string, options: { isTemporary?: boolean; retryAfter?: string | undefined } = {}) {
    super(message);
    this.isTemporary = options.isTemporary ?? false;
    this.retryAfter = options.retryAfter;
  }
}

/** A response with status 200 and an unread body. Destroy the body if it is not read to its end. */
export interface Download {
  readonly body: IncomingMessage;
  readonly headers: IncomingHttpHeaders;
}

export interface LocatedDownload extends Download {
  /** The address that answered, after redirects. */
  readonly url: string;
}

interface DownloadRequest {
  readonly url: string;
  /** Connections are not shared with other owners. */
  readonly owner: string;
  readonly userAgent: string;
  /** Ends the download when it fires, until the headers have arrived. */
  readonly signal?: AbortSignal;
}

/** The redirects that a GET follows (RFC 9110, section 15.4). */
const redirects = new Set([301, 302, 303, 307, 308]);

/** The statuses below 500 that say nothing about the file: RFC 9110, 15.5.9; RFC 8470; RFC 6585. */
const temporary = new Set([408, 425, 429]);

/**
 * GETs a file at a public address. Follows redirects, and checks the text and the addresses of each URL like those of
 * the first; the socket connects to an address that was just checked. Sends no cookies and no `Referer`.
 *
 * @throws DownloadError if there is no response with status 200
 */
export async function openDownload(
  connections: PinnedConnections,
  network: PublicNetwork,
  request: DownloadRequest,
  limits: DownloadLimits,
): Promise<LocatedDownload> {
  let text = request.url;
  for (let hops = 0; ; hops += 1) {
    const where = hops === 0 ? 'the URL' : 'it redirects to a URL that';
    const checked = checkPublicUrl(text, network.plainHttpHosts, limits.urlCharacters);
    if ('problem' in checked) throw new DownloadError(`${where} ${checked.problem}`);
    const { url } = checked;
    const resolved = await resolveHost(url, network, limits.connectSeconds);
    if ('problem' in resolved) throw new DownloadError(resolved.problem, resolved);
    if (request.signal?.aborted) throw tooSlow();
    const headers = {
      accept: '*/*',
      // A compressed body has another length, and could be far larger than its header says.
      'accept-encoding': 'identity',
      'user-agent': request.userAgent,
    };
    const target = { url, ...resolved, owner: request.owner };
    const begin = () => connections.begin(target, { method: 'GET', headers }, true);
    const response = await answerOf(begin, limits, request.signal);
    const { statusCode = 0 } = response;
    if (statusCode === 200) return { url: url.href, body: response, headers: response.headers };
    // The body of another status is of no use, and may never end.
    response.destroy();
    const { location } = response.headers;
    if (!redirects.has(statusCode) || location === undefined) throw refusal(response);
    if (hops === limits.redirects)
      throw new DownloadError(`it redirects more than ${limits.redirects} times`);
    text = followed(location, url);
  }
}

/**
 * Returns the target of a redirect. It may have a fragment, which is for browsers (RFC 9110, section 10.2.2).
 *
 * @throws DownloadError
 */
function followed(location: string, from: URL): string {
  const [target = ''] = location.split('#');
  // Resolved in the text only if it is relative, so that the check sees an absolute one as it was written.
  if (/^[a-z][a-z\d+.-]*:/i.test(target)) return target;
  const url = URL.parse(target, from.href);
  if (!url) throw new DownloadError('it redirects to something that is not a URL');
  url.hash = '';
  return url.href;
}

function refusal({ statusCode = 0, headers }: IncomingMessage): DownloadError {
  const isTemporary = statusCode >= 500 || temporary.has(statusCode);
  return new DownloadError(`the server responded ${statusCode}`, {
    isTemporary,
    retryAfter: headers['retry-after'],
  });
}

const tooSlow = () => new DownloadError('it takes too long', { isTemporary: true });

/** Waits for the headers of a response. @throws DownloadError */
function answerOf(
  begin: () => ReturnType<PinnedConnections['begin']>,
  { connectSeconds, answerSeconds }: DownloadLimits,
  signal: AbortSignal | undefined,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = begin();
    const timers: NodeJS.Timeout[] = [];
    const end = (settle: () => void) => {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      settle();
    };
    const failWith = (error: DownloadError) =>
      end(() => {
        reject(error);
        request.destroy();
      });
    const fail = (message: string) => failWith(new DownloadError(message, { isTemporary: true }));
    const abort = () => failWith(tooSlow());
    signal?.addEventListener('abort', abort, { once: true });
    let isConnected = false;
    request.on('socket', (socket) => {
      const connected = () => {
        isConnected = true;
      };
      socket.once('encrypted' in socket ? 'secureConnect' : 'connect', connected);
    });
    timers.push(
      setTimeout(
        () => isConnected || fail(`no connection within ${connectSeconds} s`),
        connectSeconds * secondMs,
      ),
      setTimeout(() => fail(`no response within ${answerSeconds} s`), answerSeconds * secondMs),
    );
    request.on('response', (response) => end(() => resolve(response)));
    request.on('error', (error) => fail(connectionFailure(error)));
    request.end();
  });
}

/** Explains in words without addresses why a connection failed. */
export function connectionFailure(error: unknown): string {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return failureInWords({
    code,
    message: code === undefined ? 'the connection failed' : `the connection failed (${code})`,
  });
}
