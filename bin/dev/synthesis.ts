import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The sources of templates and bundles, without those that only the local run uses. */
const sources = [
  'bin/app.ts',
  'bin/settings-file.ts',
  'functions',
  'infra',
  'lib',
  'package.json',
  'package-lock.json',
  'cdk.json',
  'tsconfig.json',
];
const notSources = new Set(['infra/local']);

const fingerprintFile = '.sources';

/** The number of assemblies to keep, so that returning to earlier sources, such as another branch, needs no synthesis. */
const keptAssemblies = 3;

/**
 * Copies the assembly of the current sources into a folder. It is synthesized only if neither the folder nor the last few syntheses
 * have it. They are in `.build/assemblies`, so the local run, tests and benches share them; each has its own copy, which stays
 * unchanged while it runs.
 *
 * @param root the project's folder, absolute.
 * @param directory the assembly's folder. It is replaced as a whole, and only by a complete assembly.
 * @throws Error with the app's error output if it cannot be synthesized.
 */
export async function synthesize(root: string, directory: string): Promise<{ readonly isFresh: boolean }> {
  const fingerprint = fingerprintOf(root);
  const known = join(directory, fingerprintFile);
  if (existsSync(known) && readFileSync(known, 'utf8') === fingerprint) return { isFresh: false };

  const assemblies = join(root, '.build/assemblies');
  const assembly = join(assemblies, fingerprint);
  const isFresh = !existsSync(assembly);
  if (isFresh) {
    const synthesized = await runApp(root, `${assembly}.${randomUUID()}.partial`);
    if (fingerprintOf(root) !== fingerprint) {
      // A source has changed meanwhile.
      rmSync(synthesized, { recursive: true });
      return synthesize(root, directory);
    }
    keep(synthesized, assembly);
  }
  const now = new Date();
  utimesSync(assembly, now, now);
  removeOldest(assemblies);

  const partial = `${directory}.${process.pid}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(dirname(directory), { recursive: true });
  cpSync(assembly, partial, { recursive: true, mode: constants.COPYFILE_FICLONE });
  writeFileSync(join(partial, fingerprintFile), fingerprint);
  rmSync(directory, { recursive: true, force: true });
  renameSync(partial, directory);
  return { isFresh };
}

/** Returns the folder, which then contains an assembly. */
async function runApp(root: string, directory: string): Promise<string> {
  mkdirSync(dirname(directory), { recursive: true });
  const app = spawn(process.execPath, [join(root, 'bin/app.ts')], {
    cwd: root,
    env: {
      ...process.env,
      // CDK's validation of the templates takes longer than all the rest, and only warns.
      CDK_VALIDATION: 'false',
      CDK_OUTDIR: directory,
      // The domains, account and limits of a deployment are not those of this machine.
      HERALD_CONFIG: '',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [exitCode]] = await Promise.all([text(app.stderr), once(app, 'exit')]);
  if (exitCode !== 0 || !existsSync(join(directory, 'manifest.json'))) {
    rmSync(directory, { recursive: true, force: true });
    throw new Error(`the app cannot be synthesized: ${said.trim() || `it ended with ${exitCode}`}`);
  }
  return directory;
}

/** Gives an assembly its final name, unless another process has synthesized the same one. */
function keep(synthesized: string, assembly: string): void {
  try {
    renameSync(synthesized, assembly);
  } catch (error) {
    rmSync(synthesized, { recursive: true, force: true });
    if (!existsSync(assembly)) throw error;
  }
}

/** Removes all assemblies except the most recently used ones, and leftovers of killed processes. */
function removeOldest(assemblies: string): void {
  const usedAt = (name: string) => statSync(join(assemblies, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const names = readdirSync(assemblies);
  const complete = names.filter((name) => !name.endsWith('.partial'));
  const old = complete.toSorted((one, other) => usedAt(other) - usedAt(one)).slice(keptAssemblies);
  const abandoned = names.filter(
    (name) => name.endsWith('.partial') && usedAt(name) < Date.now() - abandonedMs,
  );
  for (const name of [...old, ...abandoned]) rmSync(join(assemblies, name), { recursive: true, force: true });
}

/** The age at which a partial assembly counts as abandoned. Synthesis never takes this long. */
const abandonedMs = 3_600_000;

/**
 * Returns a digest of the sources of templates and bundles. Compares contents, because a checkout changes every file's
 * modification time.
 *
 * @param others files that count too
 */
export function fingerprintOf(root: string, others: readonly string[] = []): string {
  const hash = createHash('sha256').update(process.version);
  const add = (path: string) => {
    hash.update(`${path}\0`);
    hash.update(readFileSync(join(root, path)));
  };
  const visit = (path: string) => {
    const entries = readdirSync(join(root, path), { withFileTypes: true });
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const inner = `${path}/${entry.name}`;
      if (notSources.has(inner)) continue;
      if (entry.isDirectory()) visit(inner);
      else if (entry.isFile()) add(inner);
    }
  };
  for (const path of [...sources, ...others]) {
    if (!existsSync(join(root, path))) continue;
    if (path.includes('.')) add(path);
    else visit(path);
  }
  return hash.digest('hex');
}
