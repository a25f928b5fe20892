import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** The code that decides what a seed does. */
const patterns = [
  'lib/**/*.ts',
  'functions/**/*.ts',
  'infra/functions/**/*.ts',
  'infra/local/platforms/**/*.ts',
  'test/simulation/**/*.ts',
];
const notCode = ['infra/local/platforms/test/**', 'infra/local/platforms/testing/**'];

/** A hash of the code under test and of the simulation, without test files. */
export function codeFingerprint(): string {
  const files = globSync(patterns, { cwd: root, exclude: notCode })
    .filter((file) => !file.endsWith('.test.ts'))
    .sort();
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex').slice(0, 16);
}
