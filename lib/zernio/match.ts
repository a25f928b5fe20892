/** Something that a request can be for. */
export interface Routed {
  /** The method and the path, such as `GET /v1/posts/{postId}`. */
  readonly route: string;
}

export interface Match<Found extends Routed> {
  readonly found: Found;
  readonly path: Readonly<Record<string, string>>;
}

/**
 * Finds the route of a request. Where several fit, the one wins whose first different segment is not a parameter: `/v1/posts/x` before
 * `/v1/posts/{id}`.
 *
 * @param path with decoded segments, such as `/v1/posts/1234`
 */
export function matchRoute<Found extends Routed>(
  routes: readonly Found[],
  method: string,
  path: string,
): Match<Found> | undefined {
  const segments = path.replace(/\/$/, '').split('/');
  const fitting = routes.flatMap((found): (Match<Found> & { readonly rank: string })[] => {
    const [ofMethod = '', template = ''] = found.route.split(' ');
    const parts = template.split('/');
    if (ofMethod !== method || parts.length !== segments.length) return [];
    const given: [string, string][] = [];
    for (const [index, part] of parts.entries()) {
      const segment = segments[index] ?? '';
      const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
      if (name === undefined ? part !== segment : segment === '') return [];
      if (name !== undefined) given.push([name, segment]);
    }
    const rank = parts.map((part) => (part.startsWith('{') ? '1' : '0')).join('');
    return [{ found, path: Object.fromEntries(given), rank }];
  });
  const [best] = fitting.toSorted((one, other) => (one.rank < other.rank ? -1 : 1));
  return best && { found: best.found, path: best.path };
}
