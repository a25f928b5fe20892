import type { PlatformHttp, PlatformRequest } from '../../lib/platforms/contract/http.ts';
import type { AnnouncedRequest } from './verification.ts';

/** The error for a request that was not announced, or was announced fewer times. It was not sent. */
export class UnannouncedRequestError extends Error {
  override readonly name = 'UnannouncedRequestError';
}

/** The shortest time between two requests. Our judgement: a check is not urgent, and shares the app's limits. */
const pauseMs = 200;

interface AnnouncedPorts {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/**
 * Makes an HTTP client that sends only announced requests: each entry as often as it allows. So a fault in a check
 * cannot make it do more than a person has agreed to.
 */
export function announcedHttp(
  http: PlatformHttp,
  announced: readonly AnnouncedRequest[],
  { now, sleep }: AnnouncedPorts,
): PlatformHttp {
  const left = announced.map((entry) => ({ entry, count: entry.atMost }));
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    addressOf: (url) => http.addressOf(url),
    connectAhead: (url) => http.connectAhead(url),
    async send(request) {
      const free = left.find(({ entry, count }) => count > 0 && isAnnounced(entry, request));
      if (free === undefined) {
        const path = request.url.replace(/\?.*$/s, '');
        throw new UnannouncedRequestError(
          `a check tried to send a request that was not announced: ${request.method} ${path}`,
        );
      }
      free.count -= 1;
      const waitMs = lastMs + pauseMs - now();
      if (waitMs > 0) await sleep(waitMs);
      lastMs = now();
      return http.send(request);
    },
  };
}

/** Returns true if the method and the URL, without its query, match. */
export function isAnnounced(
  { method, url }: Pick<AnnouncedRequest, 'method' | 'url'>,
  request: Pick<PlatformRequest, 'method' | 'url'>,
): boolean {
  if (method !== request.method) return false;
  const pattern = url
    .split(/(\{[^}]*\}|\*\*)/)
    .map((part, index) => {
      if (index % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      return part === '**' ? '.*' : '[^/?#]+';
    })
    .join('');
  return new RegExp(`^${pattern}$`).test(request.url.replace(/[?#].*$/s, ''));
}
