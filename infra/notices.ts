import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPackageManifest } from './copied-packages.ts';

/** Licences that allow a library to be part of a bundle, if its notice is kept. */
const permissive: readonly string[] = [
  'MIT',
  'MIT-0',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  '0BSD',
  'MPL-2.0',
];

/** The files with which a function is deployed. */
export interface DeployedFiles {
  readonly name: string;
  /** The sources of its bundle, relative to the root. */
  readonly bundled: readonly string[];
  /** Files that are copied unchanged, relative to the root. */
  readonly copied: readonly string[];
}

/**
 * Returns the notices of all third-party libraries of a deployment: name, version, licence, the functions that have it, and the texts
 * of the licences.
 *
 * @throws Error if a library is bundled whose licence asks for more than a notice. Such a library must be copied as files of
 *   its own, so that it can be replaced
 */
export function noticesOf(functions: readonly DeployedFiles[], root: string): string {
  const uses = new Map<string, Set<string>>();
  for (const { name, bundled, copied } of functions) {
    for (const folder of foldersOf(bundled)) {
      const { license, ...found } = readPackageManifest(join(root, folder));
      if (!permissive.includes(license))
        throw new Error(`${found.name} must not be bundled into ${name}: its licence is ${license}`);
      use(folder, name);
    }
    for (const folder of foldersOf(copied)) use(folder, `${name} (as files of its own)`);
  }
  function use(folder: string, name: string): void {
    uses.set(folder, (uses.get(folder) ?? new Set()).add(name));
  }
  const notices = [...uses].map(([folder, names]) => noticeOf(join(root, folder), [...names].sort())).sort();
  return `${heading}\n${notices.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

const heading = `Herald contains the libraries below. Those that are files of their own lie in the folder node_modules of the function, and can be
replaced there by other versions.
`;

/** Returns the folders of the packages that files belong to. */
function foldersOf(files: readonly string[]): ReadonlySet<string> {
  return new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
}

function noticeOf(folder: string, names: readonly string[]): string {
  const { name, version, license } = readPackageManifest(folder);
  const texts = globSync('{LICEN[CS]E,COPYING,NOTICE}*', { cwd: folder }).sort();
  const text = texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n');
  return `${name} ${version}\nLicence: ${license}\nIn: ${names.join(', ')}\n\n${text}\n`;
}
