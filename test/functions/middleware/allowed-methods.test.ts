import { expect, it } from 'vitest';
import { allowedMethods } from '../../../functions/middleware/allowed-methods.ts';

const methodsOfPath = {
  '/health': ['GET'],
  '/r/{code}': ['GET', 'HEAD'],
  '/v1/posts': ['GET', 'POST'],
  '/v1/posts/{id}': ['GET', 'PATCH', 'DELETE'],
  '/v1/posts/validate': ['POST'],
};

it.each([
  ['/health', ['GET']],
  ['/api/health', ['GET']],
  ['/v1/posts', ['GET', 'POST']],
  ['/v1/posts/1', ['GET', 'PATCH', 'DELETE']],
  ['/api/v1/posts/1', ['GET', 'PATCH', 'DELETE']],
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
