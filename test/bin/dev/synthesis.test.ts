import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

  it('stays unchanged if the app fails, and the error contains its message', async () => {
    await synthesize(root, output);
    write('bin/app.ts', "console.error('no such entry: x.ts'); process.exit(1);");
    await expect(synthesize(root, output)).rejects.toThrow(
      'the app cannot be synthesized: no such entry: x.ts',
    );
    expect(existsSync(join(output, 'manifest.json'))).toBe(true);
  });
});
