import { expect, it } from 'vitest';
import { PlatformError, type Remedy } from '../../../../lib/platforms/contract/errors.ts';
import { ifReadable } from '../../../../lib/platforms/shared/if-readable.ts';

const failing = (remedy: Remedy) => () => Promise.reject(new PlatformError(remedy, 'Words of the platform'));

it('returns what the platform shows', async () => {
  expect(await ifReadable(async () => 'a post')).toBe('a post');
});

it.each<Remedy>(['restricted', 'rejected'])('returns nothing if the read is %s', async (remedy) => {
  expect(await ifReadable(failing(remedy))).toBeUndefined();
});

it.each<Remedy>(['retry', 'unknown', 'reauthorise'])('fails if the remedy is %s', async (remedy) => {
  await expect(ifReadable(failing(remedy))).rejects.toMatchObject({ remedy });
});

it('returns nothing if the token lacks the permission to read', async () => {
  const missing = new PlatformError('reauthorise', 'Words of the platform', { concerns: 'feature' });
  expect(await ifReadable(() => Promise.reject(missing))).toBeUndefined();
});

it('fails after any other error', async () => {
  await expect(ifReadable(() => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
});
