/**
 * Finds the route of an HTTP API for a request.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html
 */
import type { HttpApiResource } from '../model.ts';

export type Route = HttpApiResource['routes'][number];

export interface RouteMatch {
  readonly route: Route;
  /** The parameters, percent-decoded if possible. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

interface CompiledRoute {
  readonly route: Route;
  readonly method: string;
  readonly segments: readonly Segment[];
}

type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'parameter' | 'greedy'; readonly name: string };

/**
 * Returns a function that finds the route for a method and a path (as sent, without the query). The most specific one
 * wins: literal segments before `{parameter}`s, those before `{proxy+}`, a method before `ANY`, `$default` last.
 */
export function createRouter(
  routes: readonly Route[],
): (method: string, path: string) => RouteMatch | undefined {
  const ordered = routes
    .filter(({ routeKey }) => routeKey !== '$default')
    .map(compile)
    .sort(mostSpecificFirst);
  const fallback = routes.find(({ routeKey }) => routeKey === '$default');

  return (method, path) => {
    const parts = path.split('/').slice(1);
    for (const { route, method: expected, segments } of ordered) {
      if (expected !== 'ANY' && expected !== method) continue;
      const pathParameters = matchSegments(segments, parts);
      if (pathParameters !== undefined) return { route, pathParameters };
    }
    return fallback === undefined ? undefined : { route: fallback, pathParameters: {} };
  };
}

function compile(route: Route): CompiledRoute {
  const [method = '', path = ''] = route.routeKey.split(' ');
  const segments = path
    .split('/')
    .slice(1)
    .map((text): Segment => {
      const [, name, plus] = /^\{([^}+]+)(\+?)\}$/.exec(text) ?? [];
      if (name === undefined) return { kind: 'literal', text };
      return { kind: plus === '+' ? 'greedy' : 'parameter', name };
    });
  return { route, method, segments };
}

function mostSpecificFirst(one: CompiledRoute, other: CompiledRoute): number {
  return rank(one) < rank(other) ? -1 : 1;
}

/** Returns a sort key: the route that API Gateway prefers comes first. */
function rank({ method, segments }: CompiledRoute): string {
  const kinds = segments.map(({ kind }) => ({ literal: 0, parameter: 1, greedy: 2 })[kind]);
  return `${kinds.includes(2) ? 1 : 0}${kinds.join('')} ${method === 'ANY' ? 1 : 0}`;
}

function matchSegments(
  segments: readonly Segment[],
  parts: readonly string[],
): Record<string, string> | undefined {
  const isGreedy = segments.at(-1)?.kind === 'greedy';
  if (isGreedy ? parts.length < segments.length : parts.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const part = segment.kind === 'greedy' ? parts.slice(index).join('/') : (parts[index] ?? '');
    if (segment.kind === 'literal' ? segment.text !== part : part === '') return undefined;
    if (segment.kind !== 'literal') parameters[segment.name] = percentDecode(part);
  }
  return parameters;
}

/** Decodes percent-encoding. Returns invalid encodings unchanged, so that the function decides about them. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
