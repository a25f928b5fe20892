import { type ChildProcess, execFile, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';

const root = join(import.meta.dirname, '../../../..');
const host = join(import.meta.dirname, 'host');

interface Outcome {
  readonly status: number;
  /** The text that it has printed, without colours. */
  readonly output: string;
}

/** Runs a program to its end, as in a shell: n8n's linter behaves differently in a test. */
export async function run(program: string, args: readonly string[], cwd: string): Promise<Outcome> {
  const { NODE_ENV: _ofVitest, ...env } = process.env;
  const ran = await promisify(execFile)(program, args, { cwd, env, maxBuffer: 1e8 }).then(
    (streams) => ({ ...streams, code: 0 }),
    (error) => error,
  );
  const output = stripVTControlCharacters(`${ran.stdout ?? ''}${ran.stderr ?? ran.message}`);
  return { status: Number(ran.code), output };
}

/**
 * Installs the part of n8n that loads and runs nodes, and its linter, below `.build`, unless it is there. None of it is a dependency
 * of this project.
 *
 * @returns the folder
 */
export async function installN8n(): Promise<string> {
  const lock = readFileSync(join(host, 'package-lock.json'));
  const all = join(root, '.build/n8n');
  const name = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  const folder = join(all, name);
  if (existsSync(folder)) return folder;
  const unfinished = join(all, `${name}.${process.pid}`);
  mkdirSync(unfinished, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(host, file), join(unfinished, file));
  const { status, output } = await run(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund'],
    unfinished,
  );
  if (status !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new Error(
      `n8n could not be installed. These tests need npm's registry the first time, and some 450 MB below .build/n8n: run them on a machine that reaches it, or copy that folder from one.\n${output}`,
    );
  }
  for (const former of readdirSync(all).filter((entry) => !entry.startsWith(name)))
    rmSync(join(all, former), { recursive: true, force: true });
  // Another run may have finished first.
  if (existsSync(folder)) rmSync(unfinished, { recursive: true, force: true });
  else renameSync(unfinished, folder);
  return folder;
}

/** A copy of the package, from which n8n's programs find n8n. */
export interface Workshop {
  /** The folder that has n8n. */
  readonly n8n: string;
  /** The copy of `lib/n8n`. */
  readonly sources: string;
}

/** Copies the package, and what it may import, to where n8n is installed. @param name one that no other test file uses */
export async function openWorkshop(name: string): Promise<Workshop> {
  const n8n = await installN8n();
  const folder = join(n8n, 'workshops', name);
  rmSync(folder, { recursive: true, force: true });
  for (const path of ['lib/n8n', 'lib/client/webhooks.ts', 'tsconfig.json', 'LICENSE'])
    cpSync(join(root, path), join(folder, path), {
      recursive: true,
      filter: (source) => !/\/(dist|node_modules)$/.test(source),
    });
  return { n8n, sources: join(folder, 'lib/n8n') };
}

/** Builds the package, packs it as it is published, and installs the archive as its README says. @returns its folder */
export async function publish({ sources }: Workshop): Promise<string> {
  const built = await run('node', ['build.mjs'], sources);
  const packed = await run('npm', ['pack', '--silent', '--ignore-scripts'], sources);
  const nodes = join(sources, '../../nodes');
  const archive = join(sources, packed.output.trim());
  const options = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--offline'];
  const installed = await run('npm', ['install', '--prefix', nodes, ...options, archive], sources);
  for (const { status, output } of [built, packed, installed]) if (status !== 0) throw new Error(output);
  return join(nodes, 'node_modules/n8n-nodes-herald');
}

/** n8n with the package, in a process of its own. */
export interface N8n {
  /** Lets n8n do something. @throws Error with n8n's message, and its `description` and `httpCode` */
  ask<Value>(command: string, setting?: object): Promise<Value>;
  stop(): void;
}

export async function startN8n(
  { n8n }: Workshop,
  packageFolder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<N8n> {
  const home = join(n8n, 'home');
  mkdirSync(home, { recursive: true });
  const child: ChildProcess = fork(join(host, 'n8n.mjs'), [n8n, packageFolder], {
    execArgv: [],
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      N8N_USER_FOLDER: home,
      N8N_LOG_LEVEL: 'silent',
      // n8n evaluates expressions in isolates, whose native module has no build for an older Node.js.
      ...(Number.parseInt(process.versions.node, 10) < 24 && { N8N_EXPRESSION_ENGINE: 'legacy' }),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const waiting = new Map<unknown, (reply: Reply) => void>();
  child.on('message', (reply: Reply) => waiting.get(reply.id)?.(reply));
  const ready = new Promise((resolve) => waiting.set('ready', resolve));
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`n8n has ended with the status ${code}`);
  });
  ended.catch(() => undefined);
  await Promise.race([ready, ended]);
  let requests = 0;
  return {
    async ask<Value>(command: string, setting: object = {}): Promise<Value> {
      const id = ++requests;
      const replied = new Promise<Reply>((resolve) => waiting.set(id, resolve));
      child.send({ ...setting, id, command });
      const reply = await Promise.race([replied, ended]);
      if (reply.error) throw Object.assign(new Error(reply.error['message'] as string), reply.error);
      return reply.value as Value;
    },
    stop: () => child.kill(),
  };
}

interface Reply {
  readonly id: unknown;
  readonly value?: unknown;
  readonly error?: Record<string, unknown>;
}
