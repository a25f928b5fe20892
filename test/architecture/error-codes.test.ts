import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { errorTexts } from '../../lib/api-contract/errors/texts.ts';
import { type ErrorCode, errorCodes } from '../../lib/kernel/error-codes.ts';

const root = join(import.meta.dirname, '../..');
const tables = [
  'lib/kernel/error-codes.ts',
  'lib/api-contract/errors/texts.ts',
  'lib/targets/outcome-codes.ts',
];
const sources = globSync('{lib,functions}/**/*.ts', { cwd: root })
  .filter((path) => !tables.includes(path) && !path.startsWith('lib/api-contract/errors/'))
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');

const codes = Object.keys(errorCodes) as ErrorCode[];

it.each(codes)('%s is the code of an error that the service makes', (code) => {
  expect(sources).toMatch(new RegExp(`'${code}'`));
});

it.each(codes)('%s has a meaning and a remedy that are sentences', (code) => {
  const { meaning, remedy } = errorTexts[code];
  for (const text of [meaning, remedy]) expect(text).toMatch(/^[A-Z`].+\.$/s);
});

it('codes are words in lower case that a URL can contain', () => {
  for (const code of codes) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
});
