import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { synthesize } from '../../../bin/dev/synthesis.ts';

let root = '';
let output = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'synthesis-'));
  output = join(root, 'cdk.out');
  for (const folder of ['bin', 'lib', 'infra/local']) mkdirSync(join(root, folder), { recursive: true });
  write('package.json', '{"type":"module"}');
  write('lib/a.ts', 'export const a = 1;');
  write('infra/local/b.ts', 'export const b = 1;');
  write(
    'bin/app.ts',
    `import { mkdirSync, writeFileSync } from 'node:fs';
     const out: string = process.env.CDK_OUTDIR ?? '';
     mkdirSync(out);
     writeFileSync(out + '/manifest.json', String(process.pid));`,
  );
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (path: string, content: string) => writeFileSync(join(root, path), content);

describe('the assembly', () => {
  it('is reused until a source changes', async () => {
    expect(await synthesize(root, output)).toEqual({ isFresh: true });
    const first = readFileSync(join(output, 'manifest.json'), 'utf8');
    expect(await synthesize(root, output)).toEqual({ isFresh: false });
    write('infra/local/b.ts', 'export const b = 2;');
    expect(await synthesize(root, output)).toEqual({ isFresh: false });
    write('lib/a.ts', 'export const a = 2;');
    expect(await synthesize(root, output)).toEqual({ isFresh: true });
    expect(readFileSync(join(output, 'manifest.json'), 'utf8')).not.toBe(first);
  });

  it('is shared by all that need it, and each has a copy of its own', async () => {
    const other = join(root, 'other/cdk.out');
    await synthesize(root, output);
    const first = readFileSync(join(output, 'manifest.json'), 'utf8');
    expect(await synthesize(root, other)).toEqual({ isFresh: false });
    expect(readFileSync(join(other, 'manifest.json'), 'utf8')).toBe(first);
    write('lib/a.ts', 'export const a = 2;');
    await synthesize(root, other);
    expect(readFileSync(join(output, 'manifest.json'), 'utf8')).toBe(first);
  });

  it('is kept for a return to earlier sources, and those of three states at most', async () => {
    for (const state of [1, 2, 3, 4]) {
      write('lib/a.ts', `export const a = ${state};`);
      expect(await synthesize(root, output)).toEqual({ isFresh: true });
    }
    expect(readdirSync(join(root, '.build/assemblies'))).toHaveLength(3);
    write('lib/a.ts', 'export const a = 2;');
    expect(await synthesize(root, output)).toEqual({ isFresh: false });
  });

  it('is of the newest sources if one of them changes during the synthesis', async () => {
    const app = readFileSync(join(root, 'bin/app.ts'), 'utf8');
    write('bin/app.ts', `${app}\nwriteFileSync('lib/a.ts', 'export const a = 2;');`);
    await synthesize(root, output);
    expect(readdirSync(join(root, '.build/assemblies'))).toHaveLength(1);
    expect(await synthesize(root, output)).toEqual({ isFresh: false });
  });

  it('is complete for each of several that need it at the same time', async () => {
    const outputs = ['one', 'two', 'three'].map((name) => join(root, name));
    await Promise.all(outputs.map((each) => synthesize(root, each)));
    for (const each of outputs) expect(existsSync(join(each, 'manifest.json'))).toBe(true);
    expect(readdirSync(join(root, '.build/assemblies'))).toHaveLength(1);
  });

  it('stays unchanged if the app fails, and the error contains its message', async () => {
    await synthesize(root, output);
    write('bin/app.ts', "console.error('no such entry: x.ts'); process.exit(1);");
    await expect(synthesize(root, output)).rejects.toThrow(
      'the app cannot be synthesized: no such entry: x.ts',
    );
    expect(existsSync(join(output, 'manifest.json'))).toBe(true);
  });
});
