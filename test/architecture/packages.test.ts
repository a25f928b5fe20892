import { existsSync, globSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Import, readImports } from './import-graph.ts';
import { type Package, packageNameIn, readManifest, readPackages } from './packages.ts';

const root = join(import.meta.dirname, '../..');
const packages = readPackages(root);
const imports = readImports(root, ['bin', 'functions', 'infra', 'lib', 'test']);

const isOwn = ({ from }: Import, { folder }: Package) => from.startsWith(`${folder}/`);

/** True for what only tests load: of the package, or of others. */
const isForTests = ({ from }: Import, { folder }: Package) =>
  /^(?:test\/|testing\/|testing\.ts$|vitest\.config\.ts$)/.test(from.slice(folder.length + 1));

/** The names of the packages that some files import. */
const namesIn = (some: readonly Import[]): string[] => [
  ...new Set(
    some.flatMap(({ to }) => (/^(?:infra|test)\//.test(to) || isBuiltin(to) ? [] : packageNameIn(to))),
  ),
];

describe.each(packages)('the package $name', (each) => {
  const own = imports.filter((one) => isOwn(one, each));
  const declared = Object.keys(each.dependencies);
  const declaredForTests = Object.keys(each.devDependencies);

  it('has a README, tests beside it, and a command that runs them', () => {
    expect(existsSync(join(root, each.folder, 'README.md'))).toBe(true);
    expect(globSync('test/**/*.test.ts', { cwd: join(root, each.folder) })).not.toEqual([]);
    expect(each.scripts['test']).toBe('vitest run');
  });

  it('declares what it imports, and nothing else', () => {
    const code = namesIn(own.filter((one) => !isForTests(one, each)));
    const all = namesIn(own);
    expect(code.filter((name) => !declared.includes(name))).toEqual([]);
    expect(all.filter((name) => ![...declared, ...declaredForTests].includes(name))).toEqual([]);
    expect(declared.filter((name) => !code.includes(name))).toEqual([]);
    // The files of fixtures are read, not imported. Types come with the package that they describe.
    const isImported = (name: string) =>
      all.includes(name) || name === '@herald/fixtures' || name.startsWith('@types/');
    expect(declaredForTests.filter((name) => !isImported(name))).toEqual([]);
  });

  it('exports what others import, and nothing else', () => {
    const used = imports
      .filter((one) => !isOwn(one, each) && packageNameIn(one.to) === each.name)
      .map(({ to }) => `.${to.slice(each.name.length)}`);
    expect(Object.keys(each.exports).sort()).toEqual([...new Set(used)].sort());
    expect(Object.entries(each.exports).filter(([name, file]) => name !== file)).toEqual([]);
  });
});

it('the project and its packages use the same version of each dependency', () => {
  const versions = new Map<string, Set<string>>();
  for (const { dependencies, devDependencies } of [readManifest(join(root, 'package.json')), ...packages]) {
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      versions.set(name, (versions.get(name) ?? new Set()).add(version));
  }
  expect([...versions].filter(([, { size }]) => size > 1)).toEqual([]);
});
