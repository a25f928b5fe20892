import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleFunctions } from '../../infra/bundling.ts';
import { apiFunctions } from '../../infra/functions/api.ts';
import { startModule } from '../../infra/functions/definition.ts';

const root = join(import.meta.dirname, '../..');

let directory: string;
let bytes: Buffer;
let sources: string[];

beforeAll(async () => {
  mkdirSync(join(root, '.build'), { recursive: true });
  directory = mkdtempSync(join(root, '.build/redirect-'));
  const bundleOf = await bundleFunctions(
    apiFunctions.filter(({ name }) => name === 'redirect'),
    { root, outputDirectory: directory, startModule },
  );
  bytes = readFileSync(join(bundleOf('redirect'), 'index.mjs'));
  const map = readFileSync(join(directory, 'source-maps/redirect/index.mjs.map'), 'utf8');
  sources = JSON.parse(map).sources;
});
afterAll(() => rmSync(directory, { recursive: true }));

describe('the redirect’s bundle', () => {
  it('is smaller than 25 kB', () => {
    expect(bytes.length).toBeLessThan(25_000);
  });

  it('contains only one package: the request signer', () => {
    const packages = sources.flatMap((source) => /node_modules\/(?:@[^/]+\/)?[^/]+/.exec(source) ?? []);
    expect(new Set(packages)).toEqual(new Set(['node_modules/aws4']));
  });

  it('has no import statements', () => {
    expect(bytes.toString()).not.toMatch(/\bimport\s*[{*"'(]|\bfrom\s*["']/);
  });
});
