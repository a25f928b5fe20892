/**
 * The methods of the path that a request has, with or without the prefix `/api`; `undefined` if no route has this path.
 *
 * A path without parameters is preferred to one with parameters, as in API Gateway:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html
 *
 * @param methodsOfPath the methods by path, such as `/v1/posts/{id}`
 */
export function allowedMethods(
  methodsOfPath: Readonly<Record<string, readonly string[]>>,
  path: string,
): readonly string[] | undefined {
  const own = path.replace(/^\/api(?=\/)/, '');
  if (Object.hasOwn(methodsOfPath, own)) return methodsOfPath[own];
  const segments = own.split('/');
  const matching = Object.keys(methodsOfPath).filter((template) => matches(template.split('/'), segments));
  const [best] = matching.toSorted((left, right) => parameters(left) - parameters(right));
  return best === undefined ? undefined : methodsOfPath[best];
}

/** A parameter matches one segment that is not empty. */
function matches(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, index) =>
      part.startsWith('{') ? segments[index] !== '' : part === segments[index],
    )
  );
}

const parameters = (template: string): number => template.split('{').length - 1;
