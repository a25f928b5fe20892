/** A viewer's request as an edge sees it, and how a behavior is found for it. */
import type { IncomingMessage } from 'node:http';
import type { CacheBehavior } from '../model.ts';

export interface ViewerRequest {
  readonly method: string;
  /** Still encoded, without the query. */
  readonly uri: string;
  /** Still encoded, without `?`. */
  readonly query: string;
  /** By lower-case name, with repeated ones joined. Without cookies. */
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

/** The first behavior whose pattern matches the path. Upper and lower case differ, as at CloudFront. */
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
