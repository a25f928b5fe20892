import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';

const Versions = z.record(z.string(), z.string()).default({});

const Manifest = z.object({
  name: z.string(),
  private: z.literal(true),
  scripts: Versions,
  exports: z.record(z.string(), z.string()).default({}),
  dependencies: Versions,
  devDependencies: Versions,
  optionalDependencies: Versions,
});
export type Manifest = z.infer<typeof Manifest>;

/** A package of the local run, with its manifest. */
export interface Package extends Manifest {
  /** Relative to the project's root, such as `infra/local/cloud`. */
  readonly folder: string;
}

export const readManifest = (path: string): Manifest =>
  Manifest.parse(JSON.parse(readFileSync(path, 'utf8')));

/**
 * Returns the packages of the local run.
 *
 * @param root the project's root
 */
export function readPackages(root: string): readonly Package[] {
  return globSync('infra/local/*/package.json', { cwd: root })
    .sort()
    .map((path) => ({ folder: dirname(path), ...readManifest(join(root, path)) }));
}

/** Returns the package's name in an import: `@herald/local-cloud` for `@herald/local-cloud/cloud.ts`. */
export function packageNameIn(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
