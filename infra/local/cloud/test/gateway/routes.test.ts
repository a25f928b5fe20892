import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRouter } from '../../gateway/routes.ts';

const find = createRouter(
  [
    '$default',
    'ANY /{proxy+}',
    'GET /v1/{proxy+}',
    'GET /v1/posts/{id}',
    'GET /v1/posts/validate',
    'ANY /v1/posts',
    'POST /v1/posts',
    'GET /v1/{noun}/{id}/timeline',
  ].map((routeKey) => ({ routeKey, functionArn: `to ${routeKey}` })),
);

describe('the most specific route', () => {
  it.each([
    ['POST', '/v1/posts', 'POST /v1/posts', {}],
    ['DELETE', '/v1/posts', 'ANY /v1/posts', {}],
    ['GET', '/v1/posts/validate', 'GET /v1/posts/validate', {}],
    ['GET', '/v1/posts/p1', 'GET /v1/posts/{id}', { id: 'p1' }],
    ['GET', '/v1/posts/a%2Fb%20c', 'GET /v1/posts/{id}', { id: 'a/b c' }],
    ['GET', '/v1/posts/%E0%A4%A', 'GET /v1/posts/{id}', { id: '%E0%A4%A' }],
    ['GET', '/v1/posts/p1/timeline', 'GET /v1/{noun}/{id}/timeline', { noun: 'posts', id: 'p1' }],
    ['GET', '/v1/posts/p1/other', 'GET /v1/{proxy+}', { proxy: 'posts/p1/other' }],
    ['HEAD', '/v1/posts/p1', 'ANY /{proxy+}', { proxy: 'v1/posts/p1' }],
    ['GET', '/v1/posts/', 'GET /v1/{proxy+}', { proxy: 'posts/' }],
    ['GET', '/v1/', 'ANY /{proxy+}', { proxy: 'v1/' }],
    ['GET', '/', '$default', {}],
    ['BREW', '/', '$default', {}],
  ])('%s %s', (method, path, routeKey, pathParameters) => {
    const match = find(method, path);
    expect(match?.route.routeKey).toBe(routeKey);
    expect(match?.pathParameters).toEqual(pathParameters);
  });

  it('is undefined if no route matches', () => {
    expect(createRouter([{ routeKey: 'GET /a', functionArn: 'f' }])('GET', '/b')).toBeUndefined();
  });

  it('is found for any path', () => {
    fc.assert(fc.property(fc.string(), (path) => find('GET', `/${path}`) !== undefined));
  });
});
