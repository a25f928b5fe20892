import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleFunctions } from '../../../infra/bundling.ts';
import { apiFunctions } from '../../../infra/functions/api.ts';
import { startModule } from '../../../infra/functions/definition.ts';
import { workerFunctions } from '../../../infra/functions/workers.ts';
import { boundKilobytes } from '../../bench/cold-start/bounds.ts';
import { contentsOf, loadedBytes } from '../../bench/cold-start/contents.ts';

const functions = [...apiFunctions, ...workerFunctions];
const loaded = new Map<string, number>();
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bundle-sizes-'));
  const metafiles: Parameters<typeof contentsOf>[0][number][] = [];
  await bundleFunctions(functions, {
    root: join(import.meta.dirname, '../../..'),
    outputDirectory: directory,
    startModule,
    onContents: (metafile) => metafiles.push(metafile),
  });
  for (const [name, contents] of contentsOf(metafiles)) loaded.set(name, loadedBytes(contents) / 1_000);
});
afterAll(() => rm(directory, { recursive: true }));

describe("a function's import", () => {
  it.each(functions)('loads no more code than its bound: $name', (definition) => {
    expect(loaded.get(definition.name)).toBeLessThanOrEqual(boundKilobytes(definition));
  });
});
