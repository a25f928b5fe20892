import { expect, it } from 'vitest';
import * as z from 'zod';
import { allowedMethods } from '../../../functions/middleware/allowed-methods.ts';
import { isNoRoute } from '../../../lib/api-contract/fields.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { deployedOperations } from '../../../lib/operations.ts';

const id = newId(0);
const methodsOfPath = {
  '/health': ['GET'],
  '/r/{code}': ['GET', 'HEAD'],
  '/v1/posts': ['POST', 'GET'],
  '/v1/posts/{id}': ['GET', 'PATCH', 'DELETE'],
  '/v1/posts/validate': ['POST'],
};

it.each([
  ['/health', ['GET']],
  ['/api/health', ['GET']],
  ['/v1/posts', ['GET', 'POST']],
  [`/v1/posts/${id}`, ['GET', 'PATCH', 'DELETE']],
  [`/api/v1/posts/${id.toUpperCase()}`, ['GET', 'PATCH', 'DELETE']],
  ['/v1/posts/1', undefined],
  ['/v1/posts/bulk-upload', undefined],
  ['/v1/posts/validate', ['POST']],
  ['/r/abc', ['GET', 'HEAD']],
  ['/v1/posts/', undefined],
  ['/v1/posts/1/2', undefined],
  ['/v1', undefined],
  ['/', undefined],
  ['', undefined],
  ['/api', undefined],
  ['/apihealth', undefined],
  ['/api/api/health', undefined],
  ['constructor', undefined],
  ['/__proto__', undefined],
])('the methods of %j are %j', (path, methods) => {
  expect(allowedMethods(methodsOfPath, path)).toEqual(methods);
});

it('takes only ids for the parameters of routes that are ids', () => {
  const parameters = deployedOperations.flatMap(({ path, pathParameters }) =>
    Object.entries(pathParameters instanceof z.ZodObject ? pathParameters.shape : {}).map(
      ([name, schema]) => [path, name, schema as z.ZodType] as const,
    ),
  );
  expect(parameters.length).toBeGreaterThan(20);
  for (const [path, name, schema] of parameters) {
    const needsId = schema.safeParse('x').error?.issues.some(isNoRoute) ?? false;
    const asked = path.replace(/\{\w+\}/g, (parameter) => (parameter === `{${name}}` ? 'x' : newId(0)));
    expect([path, name, allowedMethods({ [path]: ['GET'] }, asked)]).toEqual([
      path,
      name,
      needsId ? undefined : ['GET'],
    ]);
  }
});
