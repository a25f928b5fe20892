import { describe, expect } from 'vitest';
import { testHostileFiles } from '../../../../lib/media/probe/hostile-files.ts';

describe('a file with', () =>
  testHostileFiles(({ cpuMs }) => {
    // A guard against work that grows faster than the file: usual inspections take a tenth of this.
    expect(cpuMs).toBeLessThan(1_000);
  }));
