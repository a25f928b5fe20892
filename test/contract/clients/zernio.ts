import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Setting } from './programs/zernio-setting.ts';

const root = join(import.meta.dirname, '../../..');

/** The program that uses Zernio's SDK. Its main part is checks by name. */
export interface ZernioProgram {
  readonly checks: Readonly<Record<string, unknown>>;
  readonly run: (name: string, setting: Setting) => Promise<void>;
}

/** Copies the program to where it is compiled. @param name of the folder: two tests may use it at the same time */
export function prepareProgram(name: string): string {
  const folder = join(root, '.build/clients', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of ['zernio.ts', 'zernio-setting.ts'])
    copyFileSync(join(import.meta.dirname, 'programs', file), join(folder, file));
  return folder;
}

/** A value and the type of the SDK that it must have. */
export interface TypedValue {
  readonly type: string;
  readonly value: unknown;
  /** True if it may have more fields. */
  readonly isOpen?: boolean;
}

/** A type with the same fields that permits more of them. */
const open = `type Open<T> = T extends readonly (infer Each)[] ? Open<Each>[]
  : T extends object ? { [Name in keyof T]: Open<T[Name]> } & { [name: string]: unknown } : T;`;

/**
 * Compiles values, each as a literal of its type, so that wrong fields are errors, and unknown ones unless it is open.
 *
 * @param name of the folder
 * @returns what the compiler says; empty if nothing is wrong
 */
export async function compileValues(name: string, values: readonly TypedValue[]): Promise<string> {
  const folder = prepareProgram(name);
  const types = [...new Set(values.map(({ type }) => type))];
  const lines = values.map(
    ({ type, value, isOpen }, index) =>
      `export const value${index}: ${isOpen ? `Open<${type}>` : type} = ${JSON.stringify(value, null, 2)};`,
  );
  const file = 'values.ts';
  writeFileSync(
    join(folder, file),
    [`import type { ${types.join(', ')} } from '@zernio/node';`, open, ...lines, ''].join('\n'),
  );
  return compileProgram(folder, file);
}

/** Compiles the program against the SDK's own declarations. @returns what the compiler says; empty if nothing is wrong */
export async function compileProgram(folder: string, file = 'zernio.ts'): Promise<string> {
  const compilerOptions = {
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'preserve',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  };
  const config = join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }));
  const { stdout } = await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), [
    '--project',
    config,
  ]).catch((error) => error);
  return stdout;
}

/** Loads the program with the SDK as it is published. */
export async function loadProgram(folder: string): Promise<ZernioProgram> {
  const outfile = join(folder, 'program.mjs');
  await build({
    entryPoints: [join(folder, 'zernio.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  return import(pathToFileURL(outfile).href);
}
