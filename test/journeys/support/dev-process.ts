import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';
import * as z from 'zod';
import { until } from './client.ts';

const Address = z.string().regex(/^http:\/\/127\.0\.0\.1:\d+(\/_control|\/_local|\/mcp|\/zernio)?$/);

/** The documented content of `dev.json`. */
export const DevFile = z.strictObject({
  apiUrl: Address,
  mcpUrl: Address,
  zernioUrl: Address,
  panel: z.strictObject({ url: Address }),
  awsEndpoint: Address,
  workspaces: z.array(
    z.strictObject({
      id: z.uuid(),
      name: z.string(),
      apiKey: z.string().regex(/^yay_\S{20,}$/),
      accounts: z.array(
        z.strictObject({ id: z.uuid(), platform: z.string(), username: z.string().nullable() }),
      ),
    }),
  ),
  platforms: z.record(z.string(), z.strictObject({ url: Address, control: Address })),
  issuer: z.strictObject({ url: Address, control: Address }),
  processes: z.array(z.strictObject({ function: z.string(), pid: z.int().positive() })),
});
export type DevFile = z.infer<typeof DevFile>;

const root = join(import.meta.dirname, '../../..');

/** A process of `npm run dev`. */
export interface DevProcess {
  readonly child: ChildProcess;
  readonly dev: DevFile;
  /** Everything that it has printed. */
  output(): string;
  /** All of its child processes, including indirect ones. */
  descendants(): number[];
  /** Sends the signal and waits. @returns how long the process took to end, and its exit code */
  end(signal: NodeJS.Signals): Promise<{ readonly milliseconds: number; readonly exitCode: number | null }>;
}

export interface DevOptions {
  readonly dataDirectory: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Starts `npm run dev` with the existing assembly and waits until it is ready.
 *
 * @throws Error with its output if it ends instead
 */
export async function startDev(options: DevOptions): Promise<DevProcess> {
  const child = spawnDev(options);
  let said = '';
  for (const output of [child.stdout, child.stderr]) output?.on('data', (chunk) => (said += chunk));
  await until(
    () => said.includes('Herald is ready') || child.exitCode !== null,
    (isOver) => isOver,
    { withinSeconds: 60 },
  ).catch((error) => {
    child.kill();
    throw new Error(`npm run dev is not ready: ${said}`, { cause: error });
  });
  if (child.exitCode !== null) throw new Error(`npm run dev ended with ${child.exitCode}: ${said}`);
  const { pid = 0 } = child;
  return {
    child,
    dev: DevFile.parse(JSON.parse(readFileSync(join(options.dataDirectory, 'dev.json'), 'utf8'))),
    output: () => said,
    descendants: () => descendantsOf(pid),
    async end(signal) {
      const signalledAt = performance.now();
      const exited = once(child, 'exit');
      child.kill(signal);
      const [exitCode] = await exited;
      return { milliseconds: performance.now() - signalledAt, exitCode };
    },
  };
}

/** Starts `npm run dev` in a situation in which it must fail. @returns its output and exit code */
export async function failToStartDev(options: DevOptions) {
  const child = spawnDev(options);
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { stdout, stderr, exitCode };
}

function spawnDev({ dataDirectory, environment = {} }: DevOptions) {
  const directory = environment['DATA_DIR'] ?? dataDirectory;
  const assembly = join(directory, 'cdk.out');
  const isFile = statSync(directory, { throwIfNoEntry: false })?.isFile() === true;
  if (!isFile && !existsSync(assembly)) cpSync(inject('assemblyDirectory'), assembly, { recursive: true });
  return spawn(process.execPath, [join(root, 'bin/dev.ts')], {
    cwd: root,
    env: { ...process.env, PORT: '0', PANEL_PORT: '0', DATA_DIR: directory, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function descendantsOf(pid: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/));
  const childrenOf = (parent: number): number[] =>
    rows
      .filter(([, ppid, state]) => Number(ppid) === parent && !state?.startsWith('Z'))
      .flatMap(([child]) => [Number(child), ...childrenOf(Number(child))]);
  return childrenOf(pid);
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
