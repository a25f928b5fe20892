import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const home = join(root, 'infra/local');

/** Every file that an import, a re-export or an `import()` of a package's files names, type imports included. */
function importsOf(name: string) {
  const directory = join(home, name);
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const path = join(directory, file);
      const specifiers = readFileSync(path, 'utf8').matchAll(
        /(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]/g,
      );
      return [...specifiers].map(([, specifier = '']) => ({ path, target: join(dirname(path), specifier) }));
    });
}

describe('infra/local', () => {
  it('holds the two packages and nothing else', () => {
    expect(
      readdirSync(home).sort(),
      'infra/local holds packages that know nothing of Herald: put what composes them into bin/dev',
    ).toEqual(['cloud', 'platforms']);
  });

  it.each(['cloud', 'platforms'])('%s imports nothing outside itself', (name) => {
    const imports = importsOf(name);
    expect(imports.length).toBeGreaterThan(50);
    const foreign = imports
      .filter(({ target }) => !target.startsWith(join(home, name, '/')))
      .map(({ path, target }) => `${relative(root, path)} imports ${relative(root, target)}`);
    expect(
      foreign,
      `infra/local/${name} runs without the rest of the project: declare the little interface that it needs itself, ` +
        'and hand in what fulfils it from bin/dev.ts or bin/dev/*',
    ).toEqual([]);
  });
});
