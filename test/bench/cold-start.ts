import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { bundleFunctions } from '../../infra/bundling.ts';
import { apiFunctions } from '../../infra/functions/api.ts';
import { type FunctionDefinition, startModule, type WorkerRights } from '../../infra/functions/definition.ts';
import { workerFunctions } from '../../infra/functions/workers.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';
import { boundKilobytes } from './cold-start/bounds.ts';
import { type Contents, contentsOf, loadedBytes } from './cold-start/contents.ts';
import { type ImportTime, measureImports } from './cold-start/measure.ts';
import { deployedEnvironments, environmentOfFunction } from './environments.ts';

const root = join(import.meta.dirname, '../..');

const empty = '(empty handler)';
const plainWay = '(plain way)';
/** The first post with a platform loads its adapter. Measures the import together with the largest adapter. */
const withAdapter = { name: '(publish-target, then an adapter)', of: 'publish-target' };
const largestAdapter = 'lib/platforms/facebook/adapter.ts';

type Definition = FunctionDefinition<WorkerRights>;

interface Size {
  readonly rounds: number;
  /** Default: all. */
  readonly functions?: readonly string[];
}

export const coldStart = defineBench<Size>({
  name: 'cold-start',
  describe: "size and import time of every function's bundle in fresh processes, and what it is made of",
  sizes: { full: { rounds: 15 }, smallest: { rounds: 1, functions: ['posts-read', 'publish-target'] } },
  async measure({ rounds, functions: names }, { progress, assembly }) {
    const environments = deployedEnvironments(await assembly());
    const directory = await mkdtemp(join(tmpdir(), 'cold-start-'));
    try {
      const all: readonly Definition[] = [...apiFunctions, ...workerFunctions];
      const functions = names === undefined ? all : all.filter(({ name }) => names.includes(name));
      progress(`bundling ${functions.length} functions`);
      const bundles = await bundleAll(functions, directory);
      progress(`importing each ${rounds} times`);
      const environmentOf = (name: string) => {
        if (name === withAdapter.name) return environmentOfFunction(environments, withAdapter.of);
        return name.startsWith('(') ? { AWS_REGION: 'us-east-1' } : environmentOfFunction(environments, name);
      };
      const imported = [...bundles.files].map(([name, file]) => ({
        name,
        file,
        environment: environmentOf(name),
      }));
      const times = await measureImports(imported, rounds);
      return [await toTable(functions, bundles, times, rounds), toContents(functions, bundles.contents)];
    } finally {
      await rm(directory, { recursive: true });
    }
  },
});

interface Bundles {
  readonly files: ReadonlyMap<string, string>;
  readonly contents: ReadonlyMap<string, Contents>;
}

async function bundleAll(functions: readonly Definition[], directory: string): Promise<Bundles> {
  const plainFile = join(directory, 'plain-way.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['test/bench/cold-start/plain-way.ts'],
    outfile: plainFile,
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    // CommonJS dependencies load Node's built-in modules with `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'silent',
  });
  const metafiles: Metafile[] = [];
  const bundleOf = await bundleFunctions(
    [{ name: empty, entry: 'test/bench/cold-start/empty.ts' }, ...functions],
    {
      root,
      outputDirectory: directory,
      startModule,
      onContents: (metafile) => metafiles.push(metafile),
    },
  );
  const fileOf = (name: string) => join(bundleOf(name), 'index.mjs');
  const files = new Map([
    [empty, fileOf(empty)],
    [plainWay, plainFile],
    ...functions.map(({ name }) => [name, fileOf(name)] as const),
  ]);
  const publisher = files.get(withAdapter.of);
  const adapter = metafiles
    .flatMap(({ outputs }) => Object.entries(outputs))
    .find(([path, { entryPoint }]) => entryPoint === largestAdapter && path.includes(`/${withAdapter.of}/`));
  if (publisher !== undefined && adapter !== undefined) {
    const file = join(directory, 'with-adapter.mjs');
    const both = [publisher, join(dirname(publisher), basename(adapter[0]))];
    await writeFile(file, both.map((each) => `await import('${pathToFileURL(each).href}');\n`).join(''));
    files.set(withAdapter.name, file);
  }
  return { files, contents: contentsOf(metafiles) };
}

/** V8 parses a kilobyte in about 0.05 ms, whether it is used or not. */
function toContents(functions: readonly Definition[], contents: ReadonlyMap<string, Contents>): BenchTable {
  return {
    title: 'Cold start: the five that each import loads most of, in kB',
    columns: ['function', 'all kB', 'of', 'kB', 'of', 'kB', 'of', 'kB', 'of', 'kB', 'of', 'kB'],
    rows: functions.map(({ name }) => {
      const parts = [...(contents.get(name) ?? [])];
      const largest = Array.from({ length: 5 }, (_, index) => parts[index] ?? (['', 0] as const));
      return [
        name,
        kilobytes(loadedBytes(contents.get(name))),
        ...largest.flatMap(([origin, bytes]) => [origin, bytes > 0 ? kilobytes(bytes) : '']),
      ];
    }),
    notes: [
      'Packages, and folders of ours, by what esbuild puts into the files that an import loads, without files that are loaded lazily.',
    ],
    bounds: countBounds([]),
  };
}

async function toTable(
  functions: readonly Definition[],
  { files, contents }: Bundles,
  times: ReadonlyMap<string, ImportTime>,
  rounds: number,
): Promise<BenchTable> {
  const rows: string[][] = [];
  const verdicts: boolean[] = [];
  for (const [name, file] of files) {
    const bytes = await readBundle(file);
    const { wallMs = Number.NaN, processorMs = Number.NaN } = times.get(name) ?? {};
    const row = [name, kilobytes(bytes.length), kilobytes(gzipSync(bytes).length)];
    const definition = functions.find((candidate) => candidate.name === name);
    if (definition) {
      const loaded = loadedBytes(contents.get(name));
      const bound = boundKilobytes(definition);
      const isMet = loaded <= bound * 1_000;
      verdicts.push(isMet);
      row.push(kilobytes(loaded), String(bound), verdict(isMet));
    } else row.push('', '', '');
    rows.push([...row, wallMs.toFixed(1), processorMs.toFixed(1)]);
  }
  return {
    title: `Cold start: each bundle, and its import, median of ${rounds} fresh processes, alternating`,
    columns: ['function', 'kB', 'gz kB', 'loaded kB', 'bound', 'met', 'ms', 'processor ms'],
    rows,
    notes: [
      '"kB" counts all code of the bundle, "loaded" only what its import loads. The bound follows from the function\'s rights, and from the reasons',
      'in cold-start/bounds.ts. Times have no bound: the plain way and the empty handler are their peers in the same run.',
    ],
    bounds: countBounds(verdicts),
  };
}

/** All code in a bundle, including files that are loaded lazily. */
async function readBundle(file: string): Promise<Buffer> {
  if (basename(file) !== 'index.mjs') return readFile(file);
  const names = (await readdir(dirname(file))).filter((name) => name.endsWith('.mjs'));
  return Buffer.concat(await Promise.all(names.map((name) => readFile(join(dirname(file), name)))));
}

const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(bytes < 1_000 ? 1 : 0);
