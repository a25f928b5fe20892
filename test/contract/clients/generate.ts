import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
import openapiTS, { astToString } from 'openapi-typescript';
import type { Seen, Setting } from './programs/shared.ts';

const root = join(import.meta.dirname, '../../..');

/** A generator with its default settings, and the program of a user of it. */
export interface Generator {
  readonly name: 'openapi-fetch' | 'hey-api';
  /** Options of the compiler beyond `strict` that the generated code passes. */
  readonly strictness: Readonly<Record<string, boolean>>;
  /** Writes the client into a folder, from the document's file. */
  generate(documentPath: string, folder: string): Promise<void>;
}

export const generators: readonly Generator[] = [
  {
    name: 'openapi-fetch',
    strictness: { noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    async generate(documentPath, folder) {
      const types = await openapiTS(pathToFileURL(documentPath), { silent: true });
      writeFileSync(join(folder, 'schema.ts'), astToString(types));
    },
  },
  {
    name: 'hey-api',
    // What it generates whatever the document says fails with `exactOptionalPropertyTypes`.
    strictness: { noUncheckedIndexedAccess: true },
    async generate(documentPath, folder) {
      await createClient({ input: documentPath, output: folder, logs: { level: 'silent', file: false } });
    },
  },
];

/** Generates a client into a folder below `.build`, next to a copy of its program. @returns the folder */
export async function prepare({ name, generate }: Generator, document: object): Promise<string> {
  const folder = join(root, '.build/clients', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'generated'), { recursive: true });
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
  await generate(join(folder, 'openapi.json'), join(folder, 'generated'));
  for (const file of ['shared.ts', `${name}.ts`])
    copyFileSync(join(import.meta.dirname, 'programs', file), join(folder, file));
  return folder;
}

/** Compiles a program with the client that it uses. @returns what the compiler says; empty if nothing is wrong */
export async function compile(folder: string, { name, strictness }: Generator): Promise<string> {
  const compilerOptions = {
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'preserve',
    types: ['node'],
    strict: true,
    ...strictness,
    noEmit: true,
    allowImportingTsExtensions: true,
  };
  const config = join(folder, 'tsconfig.json');
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  const compiler = join(root, 'node_modules/.bin/tsc');
  const { stdout } = await promisify(execFile)(compiler, ['--project', config]).catch((error) => error);
  return stdout;
}

/** Runs a program in this process. */
export async function run(folder: string, { name }: Generator, setting: Setting): Promise<Seen> {
  const outfile = join(folder, 'program.mjs');
  await build({
    entryPoints: [join(folder, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
  });
  const program: { run(setting: Setting): Promise<Seen> } = await import(pathToFileURL(outfile).href);
  return program.run(setting);
}
