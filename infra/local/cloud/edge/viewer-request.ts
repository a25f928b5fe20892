/** A viewer's request as an edge sees it, and the choice of its behavior. */
import type { IncomingMessage } from 'node:http';
import type { CacheBehavior } from '../model.ts';

export interface ViewerRequest {
  readonly method: string;
  /** The path, still encoded, without the query. */
  readonly uri: string;
  /** The query, still encoded, without `?`. */
  readonly query: string;
  /** The headers by lower-case name, with repeated ones joined. Without cookies. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `Cookie` header. */
  readonly cookie: string | undefined;
  readonly address: string;
}

export function readViewerRequest(incoming: IncomingMessage): ViewerRequest {
  const [uri = '/', ...query] = (incoming.url ?? '/').split('?');
  const { cookie, ...headers } = incoming.headers;
  return {
    method: incoming.method ?? 'GET',
    uri,
    query: query.join('?'),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(', ') : `${value}`,
      ]),
    ),
    cookie,
    address: (incoming.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
  };
}

/** Returns the first behavior with a pattern that matches the path. Matching is case-sensitive, as at CloudFront. */
export function behaviorFor(behaviors: readonly CacheBehavior[], uri: string): CacheBehavior {
  const found = behaviors.find(({ pathPattern }) => matches(pathPattern, uri));
  if (found === undefined) throw new Error('the distribution has no default behavior');
  return found;
}

function matches(pattern: string, uri: string): boolean {
  const withSlash = pattern.startsWith('/') || pattern.startsWith('*') ? pattern : `/${pattern}`;
  const parts = withSlash.split(/([*?])/).map((part) => {
    if (part === '*') return '.*';
    return part === '?' ? '.' : part.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, 's').test(uri);
}
