import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The sources of templates and bundles, without those that only the local run uses. */
const sources = [
  'bin/app.ts',
  'bin/settings-file.ts',
  'functions',
  'infra',
  'lib',
  'package-lock.json',
  'cdk.json',
  'tsconfig.json',
];
const notSources = new Set(['infra/local']);

const fingerprintFile = '.sources';

/**
 * Synthesizes the assembly of the current sources. An assembly of the same sources is reused, which takes milliseconds
 * instead of seconds.
 *
 * @param root the project's folder, absolute.
 * @param directory the assembly's folder. It is replaced as a whole, and only by a complete assembly.
 * @throws Error with the app's error output if it cannot be synthesized.
 */
export async function synthesize(root: string, directory: string): Promise<{ readonly isFresh: boolean }> {
  const fingerprint = fingerprintOf(root);
  const known = join(directory, fingerprintFile);
  if (existsSync(known) && readFileSync(known, 'utf8') === fingerprint) return { isFresh: false };

  const partial = `${directory}.${process.pid}.partial`;
  rmSync(partial, { recursive: true, force: true });
  const app = spawn(process.execPath, [join(root, 'bin/app.ts')], {
    cwd: root,
    env: {
      ...process.env,
      // CDK's validation of the templates takes longer than all the rest, and only warns.
      CDK_VALIDATION: 'false',
      CDK_OUTDIR: partial,
      // The domains, account and limits of a deployment are not those of this machine.
      HERALD_CONFIG: '',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [exitCode]] = await Promise.all([text(app.stderr), once(app, 'exit')]);
  if (exitCode !== 0 || !existsSync(join(partial, 'manifest.json'))) {
    rmSync(partial, { recursive: true, force: true });
    throw new Error(`the app cannot be synthesized: ${said.trim() || `it ended with ${exitCode}`}`);
  }
  writeFileSync(join(partial, fingerprintFile), fingerprint);
  rmSync(directory, { recursive: true, force: true });
  renameSync(partial, directory);
  return { isFresh: true };
}

/** Compares contents, because a checkout changes every file's modification time. */
function fingerprintOf(root: string): string {
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
  for (const path of sources) {
    if (!existsSync(join(root, path))) continue;
    if (path.includes('.')) add(path);
    else visit(path);
  }
  return hash.digest('hex');
}
