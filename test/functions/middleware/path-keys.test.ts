import { describe, expect, it } from 'vitest';
import { pathKeys } from '../../../functions/middleware/api.ts';
import { deployedOperations } from '../../../lib/operations.ts';

const parametersOf = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

describe('the log keys of a path', () => {
  it('name the thing by its id', () => {
    expect(pathKeys('/v1/posts/{id}/targets/{accountId}', { id: 'p1', accountId: 'a1' })).toEqual({
      postId: 'p1',
      accountId: 'a1',
    });
    expect(pathKeys('/v1/connect/{platform}', { platform: 'tiktok' })).toEqual({ platform: 'tiktok' });
  });

  const withSecrets = deployedOperations
    .map(({ path }) => ({ path, names: parametersOf(path) }))
    .filter(({ names }) => names.some((name) => !/^(id|\w+Id|platform)$/.test(name)));

  it('is tried with every path that has anything but ids and a platform', () => {
    expect(withSecrets.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/v1/connect/attempts/{state}',
        '/v1/connect/attempts/{state}/claim',
        '/platforms/data-deletion/{code}',
        '/r/{code}',
      ]),
    );
  });

  it.each(withSecrets)('have no secret of $path', ({ path, names }) => {
    const values = Object.fromEntries(names.map((name) => [name, `secret-${name}`]));
    expect(JSON.stringify(pathKeys(path, values))).not.toContain('secret-');
  });
});
