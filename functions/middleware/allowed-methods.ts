import { canonicalId, isId } from '../../lib/kernel/ids.ts';

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The parameters of paths that are ids: `PathId`, as a test checks. */
const idParameters = ['{id}', '{accountId}', '{deliveryId}'];

/**
 * Returns the methods of a request's path, with or without the prefix `/api`; `undefined` if no route has this path.
 *
 * @param methodsOfPath the methods by path, such as `/v1/posts/{id}`
 */
export function allowedMethods(
  methodsOfPath: Readonly<Record<string, readonly string[]>>,
  path: string,
): readonly string[] | undefined {
  const segments = path.replace(/^\/api(?=\/)/, '').split('/');
  const methods = Object.entries(methodsOfPath)
    .filter(([template]) => matches(template.split('/'), segments))
    .flatMap(([, ofTemplate]) => ofTemplate);
  return methods.length === 0 ? undefined : order.filter((method) => methods.includes(method));
}

/** Returns true if the template matches. A parameter matches one segment that is not empty, and an id one that is a UUID. */
function matches(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length && template.every((part, index) => takes(part, segments[index] ?? ''))
  );
}

function takes(part: string, segment: string): boolean {
  if (idParameters.includes(part)) return isId(canonicalId(segment));
  return part.startsWith('{') ? segment !== '' : part === segment;
}
