import { describe, expect, it } from 'vitest';
import { testFuzzedFiles } from '../../../../lib/media/fuzz/fuzzed-files.ts';

// `npm run fuzz:media` inspects more, with other seeds.
describe('2,000 damaged and hostile files', { timeout: 600_000 }, () => {
  testFuzzedFiles({ seed: 16, first: 0, count: 2_000 }, (found) => {
    it('take less than a second each', () => {
      expect(found().maxCpuMs, found().slowest).toBeLessThan(1_000);
    });
  });
});
