import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { absentCall, absentCalls } from '../../../lib/zernio/absent.ts';
import { calls } from '../../../lib/zernio/calls.ts';
import { matchRoute } from '../../../lib/zernio/match.ts';

const clients = createRequire(join(import.meta.dirname, '../../contract/clients/package.json'));
const sdk = readFileSync(
  join(dirname(clients.resolve('@zernio/node')), '../src/generated/sdk.gen.ts'),
  'utf8',
);

/** Every call of the SDK: `GET /v1/posts listPosts`. */
const ofSdk = [...sdk.matchAll(/export const (\w+) = <[^;]*?client\)\.(\w+)<[\s\S]*?url: '([^']+)'/g)].map(
  ([, name = '', method = '', path = '']) => `${method.toUpperCase()} ${path} ${name}`,
);

it('knows every call of the pinned SDK, as one that it serves or one that it does not have', () => {
  const served = calls.map(({ route, name }) => `${route} ${name}`);
  const known = [...served, ...absentCalls.trim().split('\n')];
  expect(ofSdk.length).toBeGreaterThan(700);
  expect(known.toSorted()).toEqual([...new Set(ofSdk)].toSorted());
});

it.each([
  ['GET', '/v1/posts/1', 'GET /v1/posts/{id}'],
  ['GET', '/v1/posts/1/', 'GET /v1/posts/{id}'],
  ['GET', '/v1/posts/health', 'GET /v1/posts/health'],
  ['POST', '/v1/posts/1', undefined],
  ['GET', '/v1/posts/1/2', undefined],
  ['GET', '/v1//1', undefined],
])('%s %s is for %s', (method, path, expected) => {
  const routes = ['GET /v1/posts/{id}', 'GET /v1/posts/health', 'GET /v1/{noun}/x'].map((route) => ({
    route,
  }));
  expect(matchRoute(routes, method, path)?.found.route).toBe(expected);
});

it('names what Herald does not have', () => {
  expect(absentCall('GET', '/v1/ads')).toBe('listAds');
  expect(absentCall('GET', '/v1/nonsense')).toBeUndefined();
  expect(absentCall('GET', '/v1/constructor')).toBeUndefined();
});

it('describes every call that it serves in docs/from-zernio.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/from-zernio.md'), 'utf8');
  /** Groups of calls that the page describes together. */
  const groups: readonly RegExp[] = [
    /comment-automations/,
    /\/webhooks\//,
    /\/profiles/,
    /\/api-keys/,
    /\/queue\/slots/,
  ];
  const missing = calls.filter(
    ({ name, route }) => !page.includes(name) && !groups.some((group) => group.test(route)),
  );
  expect(missing.map(({ name }) => name)).toEqual([]);
});
