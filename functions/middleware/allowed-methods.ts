const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Returns the methods of a request's path, with or without the prefix `/api`; `undefined` if no route has this path.
 *
 * Several routes may match: `GET /v1/posts/validate` goes to `GET /v1/posts/{id}`, although `/v1/posts/validate` has only `POST`,
 * because API Gateway chooses among the routes with the request's method:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html
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

/** Returns true if the template matches. A parameter matches one segment that is not empty. */
function matches(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, index) =>
      part.startsWith('{') ? segments[index] !== '' : part === segments[index],
    )
  );
}
