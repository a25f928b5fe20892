import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundleFunctions } from '../../infra/bundling.ts';

const projectRoot = join(import.meta.dirname, '../..');
let root: string;

beforeEach(() => {
  // Inside the project, so that bundles can import its packages.
  mkdirSync(join(projectRoot, '.build'), { recursive: true });
  root = mkdtempSync(join(projectRoot, '.build/test-'));
});
afterEach(() => rmSync(root, { recursive: true }));

describe('bundling', () => {
  it('creates one folder per function, which contains only the bundle', async () => {
    write('one.ts', 'export const handler = async (event: { n: number }) => event.n + 1;');
    write('two.ts', 'export const handler = async () => 2;');
    const directory = await bundle({ one: 'one.ts', two: 'two.ts' });
    for (const name of ['one', 'two']) expect(readdirSync(directory(name))).toEqual(['index.mjs']);
    expect(await call(directory('one'), { n: 41 })).toBe(42);
  });

  it('makes the handler with the start module, if there is one', async () => {
    write('start.ts', 'export const start = (build: (name: string) => unknown) => build("started");');
    write('one.ts', 'export const build = (name: string) => async () => name;');
    const options = { root, outputDirectory: join(root, 'out'), startModule: 'start.ts' };
    const directory = await bundleFunctions([{ name: 'one', entry: 'one.ts' }], options);
    expect(await call(directory('one'))).toBe('started');
  });

  it('writes source maps outside the deployed folders', async () => {
    write('one.ts', 'export const handler = async () => 1;');
    await bundle({ one: 'one.ts' });
    const map = JSON.parse(readFileSync(join(root, 'out/source-maps/one/index.mjs.map'), 'utf8'));
    expect(map.sources).toEqual([expect.stringMatching(/one\.ts$/)]);
  });

  it('gives the same bytes for the same sources, whichever other functions are bundled', async () => {
    write('one.ts', "import { join } from 'node:path'; export const handler = async () => join('ä', 'b');");
    write('two.ts', 'export const handler = async () => 2;');
    const alone = readFileSync(join((await bundle({ one: 'one.ts' }))('one'), 'index.mjs'));
    const together = await bundle({ two: 'two.ts', one: 'one.ts' }, 'elsewhere');
    expect(readFileSync(join(together('one'), 'index.mjs')).equals(alone)).toBe(true);
  });

  it('bundles again only what a change concerns', async () => {
    write('shared.ts', 'export const value = 1;');
    write('again.ts', "export { value } from './shared.ts';");
    write('one.ts', "import { value } from './again.ts'; export const handler = async () => value;");
    write('two.ts', 'export const handler = async () => 2;');
    const entries = { one: 'one.ts', two: 'two.ts' };
    const directory = await bundle(entries);
    expect(await changedBundles(entries, () => {})).toEqual([]);
    expect(await changedBundles(entries, () => write('shared.ts', 'export const value = 3;'))).toEqual([
      'one',
    ]);
    expect(await call(directory('one'))).toBe(3);
    const others = { ...entries, three: 'two.ts' };
    expect(await changedBundles(others, () => {})).toEqual(['three']);
    expect(await changedBundles({ ...others, two: 'one.ts' }, () => {})).toEqual(['two']);
    expect(await call(directory('two'))).toBe(3);
  });

  it('bundles again what was computed at build time if something that it was computed from changes', async () => {
    write('sum.built.ts', "import { one } from './numbers.ts'; export default { sum: one + 1 };");
    write('numbers.ts', 'export const one = 1;');
    write('one.ts', "import value from './sum.built.ts'; export const handler = async () => value;");
    write('two.ts', 'export const handler = async () => 2;');
    const entries = { one: 'one.ts', two: 'two.ts' };
    await bundle(entries);
    expect(await changedBundles(entries, () => {})).toEqual([]);
    expect(await changedBundles(entries, () => write('numbers.ts', 'export const one = 2;'))).toEqual([
      'one',
    ]);
  });

  it.each<[string, string, () => void]>([
    ['a file is damaged', 'one', () => write('out/bundles/one/index.mjs', 'export')],
    ['a source map is missing', 'one', () => rmSync(join(root, 'out/source-maps/one/index.mjs.map'))],
    ['a folder is missing', 'two', () => rmSync(join(root, 'out/bundles/two'), { recursive: true })],
    ['its record is damaged', 'two', () => write('out/records/two.json', '{')],
  ])('bundles a function again if %s', async (_what, name, damage) => {
    write('one.ts', 'export const handler = async () => 1;');
    write('two.ts', 'export const handler = async () => 2;');
    const entries = { one: 'one.ts', two: 'two.ts' };
    const directory = await bundle(entries);
    expect(await changedBundles(entries, damage)).toEqual([name]);
    expect(await call(directory('one'), 'repaired')).toBe(1);
    expect(await call(directory('two'), 'repaired')).toBe(2);
    expect(readdirSync(join(root, 'out/source-maps/one'))).toEqual(['index.mjs.map']);
  });

  it('removes bundles of functions that no longer exist, and leftover files in bundles', async () => {
    write('one.ts', 'export const handler = async () => 1;');
    write('two.ts', 'export const handler = async () => 2;');
    const directory = await bundle({ one: 'one.ts', two: 'two.ts' });
    writeFileSync(join(directory('one'), 'left-over.txt'), '');
    await bundle({ one: 'one.ts' });
    for (const folder of ['bundles', 'source-maps'])
      expect(readdirSync(join(root, 'out', folder))).toEqual(['one']);
    expect(readdirSync(join(root, 'out/records'))).toEqual(['one.json']);
    expect(readdirSync(directory('one'))).toEqual(['index.mjs']);
  });

  it('copies the files that a function names unchanged, and removes them once it no longer names them', async () => {
    write('one.ts', 'export const handler = async () => 1;');
    write('ümlaut.css', 'a::before { content: "ä" }');
    const entry = { name: 'one', entry: 'one.ts' };
    const options = { root, outputDirectory: join(root, 'out') };
    const directory = await bundleFunctions([{ ...entry, files: ['ümlaut.css'] }], options);
    expect(readdirSync(directory('one')).sort()).toEqual(['index.mjs', 'ümlaut.css']);
    expect(readFileSync(join(directory('one'), 'ümlaut.css'), 'utf8')).toBe('a::before { content: "ä" }');
    await bundleFunctions([entry], options);
    expect(readdirSync(directory('one'))).toEqual(['index.mjs']);
    await expect(bundleFunctions([{ ...entry, files: ['gone.css'] }], options)).rejects.toThrow(
      'these files do not exist: gone.css (function one)',
    );
  });

  it('names the entries that do not exist and their functions', async () => {
    await expect(bundle({ one: 'one.ts', two: 'two.ts' })).rejects.toThrow(
      'these files do not exist: one.ts (function one), two.ts (function two)',
    );
  });

  it('loads built-in modules without importing them, in CommonJS too', async () => {
    write('legacy.cjs', "const { sep } = require('path'); module.exports = { sep };");
    write(
      'one.ts',
      `import { STATUS_CODES } from 'node:http';
       import crypto from 'crypto';
       import { sep } from './legacy.cjs';
       export const handler = async () => {
         const { inspect } = await import('node:util');
         return [STATUS_CODES[404], crypto.randomUUID().length, sep, inspect(1)];
       };`,
    );
    const directory = await bundle({ one: 'one.ts' });
    const code = readFileSync(join(directory('one'), 'index.mjs'), 'utf8');
    expect(/\bfrom\s*["']|\bimport\s*["'(]|createRequire/.test(code)).toBe(false);
    expect(await call(directory('one'))).toEqual(['Not Found', 36, '/', '1']);
  });

  it('keeps time zone rules outside the bundle, and copies them only for functions that load them', async () => {
    write(
      'one.ts',
      `export const handler = async (zone: string) => {
         const { Temporal } = await import('temporal-polyfill');
         return Temporal.PlainDateTime.from('2026-07-01T12:00').toZonedDateTime(zone).offset;
       };`,
    );
    write('two.ts', 'export const handler = async () => 2;');
    const directory = await bundle({ one: 'one.ts', two: 'two.ts' });
    expect(readdirSync(directory('one'))).toEqual(['index.mjs', 'temporal-polyfill.mjs']);
    expect(readdirSync(directory('two'))).toEqual(['index.mjs']);
    expect(readFileSync(join(directory('one'), 'index.mjs')).length).toBeLessThan(1_000);
    expect(await call(directory('one'), 'Europe/Berlin')).toBe('+02:00');
  });

  it('puts lazily imported modules of ours into files of their own, and shared code into another', async () => {
    mkdirSync(join(root, 'lib'));
    write('lib/shared.ts', 'export class Shared {}');
    write('lib/late.ts', "import { Shared } from './shared.ts'; export const late = () => new Shared();");
    write(
      'one.ts',
      `import { Shared } from './lib/shared.ts';
       export const handler = async () => (await import('./lib/late.ts')).late() instanceof Shared;`,
    );
    const directory = await bundle({ one: 'one.ts' });
    const late = readdirSync(directory('one')).filter((file) => file.startsWith('late-'));
    expect(late).toHaveLength(1);
    expect(readFileSync(join(directory('one'), 'index.mjs'), 'utf8')).not.toContain('class ');
    expect(await call(directory('one'))).toBe(true);
  });

  it('leaves out schemas that a function does not use, and the metadata of the others', async () => {
    write(
      'schemas.ts',
      [
        "import * as z from 'zod';",
        'export const Unused = z.object({ neverAsked: z.string().optional() });',
        'export const Used = z.object({ used: z.string().meta({ description: "isn\'t (needed" }).optional() });',
        '',
      ].join('\n'),
    );
    write(
      'one.ts',
      "import { Used } from './schemas.ts'; export const handler = async (value: unknown) => Used.parse(value);",
    );
    const directory = await bundle({ one: 'one.ts' });
    const code = readFileSync(join(directory('one'), 'index.mjs'), 'utf8');
    expect(['neverAsked', '(needed'].filter((text) => code.includes(text))).toEqual([]);
    expect(await call(directory('one'), { used: 'a', other: 'b' })).toEqual({ used: 'a' });
  });

  it('keeps checks that follow metadata with quotes in a comment', async () => {
    write(
      'one.ts',
      `import * as z from 'zod';
       const Used = z.object({
         a: z.string().meta({ description: 'a' /* the reader's (only */ }).min(2),
         b: z.string().meta({
           // It's a comment.
           description: 'b',
         }).max(1),
       });
       export const handler = async (value: unknown) => Used.safeParse(value).success;`,
    );
    const directory = await bundle({ one: 'one.ts' });
    expect(await call(directory('one'), { a: 'aa', b: 'b' })).toBe(true);
    expect(await call(directory('one'), { a: 'a', b: 'b' })).toBe(false);
    expect(await call(directory('one'), { a: 'aa', b: 'bb' })).toBe(false);
  });

  it('contains only the value of a module that is computed at build time', async () => {
    write('sum.built.ts', 'export default { sum: [1, 2, 3].reduce((sum, each) => sum + each, 0) };');
    write('one.ts', "import value from './sum.built.ts'; export const handler = async () => value;");
    const directory = await bundle({ one: 'one.ts' });
    expect(readFileSync(join(directory('one'), 'index.mjs'), 'utf8')).not.toContain('reduce');
    expect(await call(directory('one'))).toEqual({ sum: 6 });
  });

  it('keeps the class of an AWS error that our sources name, and the name of any other error', async () => {
    mkdirSync(join(root, 'lib'));
    write(
      'lib/parameters.ts',
      `import { GetParameterCommand, ParameterNotFound, SSMClient } from '@aws-sdk/client-ssm';
       export const handler = async (type: string) => {
         const requestHandler = { handle: async () => ({ response: { statusCode: 400, headers: {}, body: answer(type) } }) };
         const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
         const client = new SSMClient({ region: 'eu-west-1', credentials, requestHandler } as object);
         const error = await client.send(new GetParameterCommand({ Name: 'a' })).catch((caught) => caught);
         return [error instanceof ParameterNotFound, error.name, error.message];
       };
       const answer = (type: string) => new TextEncoder().encode(JSON.stringify({ __type: type, message: 'no' }));`,
    );
    const directory = await bundle({ one: 'lib/parameters.ts' });
    expect(await call(directory('one'), 'ParameterNotFound')).toEqual([true, 'ParameterNotFound', 'no']);
    expect(await call(directory('one'), 'InvalidKeyId')).toEqual([false, 'InvalidKeyId', 'no']);
    const others = { one: 'lib/parameters.ts' };
    expect(await changedBundles(others, () => write('lib/other.ts', '// NoSuchError'))).toEqual([]);
    expect(await changedBundles(others, () => write('lib/other.ts', '// InvalidKeyId'))).toEqual(['one']);
  });

  it('escapes characters that are not ASCII', async () => {
    write('one.ts', "export const handler = async () => 'ä → 👍';");
    const directory = await bundle({ one: 'one.ts' });
    const bytes = readFileSync(join(directory('one'), 'index.mjs'));
    expect(bytes.every((byte) => byte < 128)).toBe(true);
    expect(await call(directory('one'))).toBe('ä → 👍');
  });

  it('rejects a character that it cannot escape, and shows where it is', async () => {
    write('one.ts', 'export const handler = async (text: string) => /[#＃]/.test(text);');
    await expect(bundle({ one: 'one.ts' })).rejects.toThrow(/as an escape.*＃/);
  });

  it('reads credentials from the environment, and contains no other credential provider', async () => {
    write(
      'one.ts',
      `import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
       export const handler = async () => new DynamoDBClient({ region: 'eu-west-1' }).config.credentials();`,
    );
    const directory = await bundle({ one: 'one.ts' });
    const code = readFileSync(join(directory('one'), 'index.mjs'), 'utf8');
    const others = ['AWS_CONTAINER_CREDENTIALS', 'credential_process', 'GetRoleCredentials'];
    expect(others.filter((trace) => code.includes(trace))).toEqual([]);
    const variables = {
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_SESSION_TOKEN: 'session',
    };
    Object.assign(process.env, variables);
    try {
      expect(await call(directory('one'))).toMatchObject({
        accessKeyId: 'id',
        secretAccessKey: 'secret',
        sessionToken: 'session',
      });
      delete process.env['AWS_SECRET_ACCESS_KEY'];
      await expect(call(directory('one'), 'again')).rejects.toThrow(
        'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set',
      );
    } finally {
      for (const name of Object.keys(variables)) delete process.env[name];
    }
  });
});

function write(name: string, source: string): void {
  writeFileSync(join(root, name), source);
}

function bundle(entries: Readonly<Record<string, string>>, output = 'out') {
  return bundleFunctions(
    Object.entries(entries).map(([name, entry]) => ({ name, entry })),
    { root, outputDirectory: join(root, output) },
  );
}

/** Bundles after a change. Returns the names of the functions whose bundles were made again. */
async function changedBundles(entries: Readonly<Record<string, string>>, change: () => void) {
  const recordOf = (name: string) =>
    statSync(join(root, `out/records/${name}.json`), { throwIfNoEntry: false });
  const before = new Map(Object.keys(entries).map((name) => [name, recordOf(name)?.ino]));
  change();
  await bundle(entries);
  return [...before].flatMap(([name, ino]) => (recordOf(name)?.ino === ino ? [] : name));
}

async function call(directory: string, event?: unknown): Promise<unknown> {
  const url = pathToFileURL(join(directory, 'index.mjs'));
  url.searchParams.set('event', JSON.stringify(event) ?? '');
  const { handler } = await import(url.href);
  return handler(event);
}
