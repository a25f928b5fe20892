import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';

/** A package whose files are deployed as they are: because it is not JavaScript alone, or must be replaceable. */
export interface CopiedPackage {
  readonly name: string;
  /** The files that it needs to run, as patterns. Its manifest and licence are always copied. */
  readonly files: readonly string[];
}

const Manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
});
export type PackageManifest = z.infer<typeof Manifest>;

/** Reads the manifest of a package. @param folder absolute @throws Error if the package does not say its licence */
export function readPackageManifest(folder: string): PackageManifest {
  const found = Manifest.safeParse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  if (!found.success) throw new Error(`${folder}/package.json has no name, version or licence`);
  return found.data;
}

const licenceFiles = ['package.json', 'LICEN[CS]E*', 'COPYING*', 'README.md'];

/** The files of a dependency, which is not named in a function's definition. */
const codeFiles = ['**/*.{js,cjs,json}'];

/**
 * Returns the files of packages and of the packages that they depend on, without optional ones: a native build for the machine that
 * makes the bundle would be of no use in the function.
 *
 * @param root the project's root
 * @returns paths relative to the root, such as `node_modules/sharp/package.json`
 * @throws Error if a package, or a file of it, is missing
 */
export function filesOfPackages(packages: readonly CopiedPackage[], root: string): readonly string[] {
  const found = new Map<string, readonly string[]>();
  const waiting = packages.map((each) => ({ ...each, from: '.' }));
  for (const { name, files, from } of waiting) {
    const folder = folderOf(name, from, root);
    if (found.has(folder)) continue;
    const listed = files.map((pattern) => {
      const paths = globSync(pattern, { cwd: join(root, folder), exclude: ['**/node_modules/**'] });
      if (paths.length === 0) throw new Error(`the package ${name} has no file ${pattern}`);
      return paths;
    });
    const licences = licenceFiles.flatMap((pattern) => globSync(pattern, { cwd: join(root, folder) }));
    found.set(
      folder,
      [...new Set([...listed.flat(), ...licences])].map((path) => join(folder, path)),
    );
    const { dependencies } = readPackageManifest(join(root, folder));
    for (const dependency of Object.keys(dependencies))
      if (!packages.some((named) => named.name === dependency))
        waiting.push({ name: dependency, files: codeFiles, from: folder });
  }
  return [...found.values()].flat().sort();
}

/** Returns the folder in which Node.js finds a package, relative to the root. */
function folderOf(name: string, from: string, root: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(root, candidate, 'package.json'))) return candidate;
    if (folder === '.') throw new Error(`the package ${name} is not installed`);
  }
}
