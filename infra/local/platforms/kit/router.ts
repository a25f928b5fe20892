import type { IncomingHttpHeaders } from 'node:http';
import type { Handler, NameByPath, Operation } from './types.ts';

/** Defines an operation that reads a form, a JSON object or only the query. */
export function operation(
  name: string | NameByPath,
  method: string,
  pattern: string,
  handler: Handler,
): Operation {
  return { name, method, pattern, body: 'fields', handler };
}

/** Defines an operation that reads the raw body itself, such as an upload. */
export function streamingOperation(
  name: string | NameByPath,
  method: string,
  pattern: string,
  handler: Handler,
): Operation {
  return { name, method, pattern, body: 'stream', handler };
}

export interface Match {
  readonly operation: Operation;
  readonly name: string;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Finds the first operation for a method and a path. A HEAD request does not match a GET operation.
 *
 * @param path without the leading slash, still encoded, such as `graph.instagram.com/v25.0/me`
 */
export type FindOperation = (
  method: string,
  path: string,
  headers?: IncomingHttpHeaders,
  query?: URLSearchParams,
) => Match | undefined;

export function createRouter(operations: readonly Operation[]): FindOperation {
  const candidates = operations.map((one) => ({ operation: one, pattern: one.pattern.split('/') }));
  return (method, path, headers = {}, query = new URLSearchParams()) => {
    const segments = path.split('/');
    for (const { operation: candidate, pattern } of candidates) {
      if (candidate.method !== method) continue;
      const params = matchSegments(pattern, segments);
      if (params === undefined) continue;
      const { name: given } = candidate;
      const name = typeof given === 'string' ? given : given.of(params, headers, query);
      return { operation: candidate, name, params };
    }
    return undefined;
  };
}

/** Returns every name that the operations can have. */
export function operationNames(operations: readonly Operation[]): readonly string[] {
  return operations.flatMap(({ name }) => (typeof name === 'string' ? [name] : name.names));
}

function matchSegments(pattern: readonly string[], segments: readonly string[]) {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [position, expected] of pattern.entries()) {
    const given = segments[position] ?? '';
    if (expected.startsWith(':')) {
      if (given === '') return undefined;
      params[expected.slice(1)] = decode(given);
    } else if (expected !== given) {
      return undefined;
    }
  }
  return params;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
