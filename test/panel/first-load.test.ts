import { expect, it } from 'vitest';
import { firstLoadBytes } from '../../infra/site.ts';
import { panelSite } from './support/site.ts';

it('the first page needs at most 180 kB, compressed', async () => {
  const sizes = firstLoadBytes(await panelSite());
  const total = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(50_000);
  expect(total).toBeLessThanOrEqual(180_000);
});
