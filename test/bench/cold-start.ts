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
import { functionName } from '../../lib/api-contract/operation.ts';
import { mcpOperation } from '../../lib/mcp/operations.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';
import { type Contents, contentsOf } from './cold-start/contents.ts';
import { type ImportTime, measureImports } from './cold-start/measure.ts';
import { deployedEnvironments, environmentOfFunction } from './environments.ts';

const root = join(import.meta.dirname, '../..');

/** Import time of the plain handler on the machine for which the bounds were set. */
const plainWayMs = 82;

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
      const { files, contents } = await bundleAll(functions, directory);
      progress(`importing each ${rounds} times`);
      const environmentOf = (name: string) => {
        if (name === withAdapter.name) return environmentOfFunction(environments, withAdapter.of);
        return name.startsWith('(') ? { AWS_REGION: 'us-east-1' } : environmentOfFunction(environments, name);
      };
      const bundles = [...files].map(([name, file]) => ({
        name,
        file,
        environment: environmentOf(name),
      }));
      const times = await measureImports(bundles, rounds);
      return [await toTable(functions, files, times, rounds), toContents(functions, contents)];
    } finally {
      await rm(directory, { recursive: true });
    }
  },
});

/**
 * The allowed import time of a function in milliseconds, scaled so that the plain handler takes 82: 48 for the table,
 * 14 more for S3, 8 more for each other service that it calls, 24 more for the protocol of agents with all that its tools call.
 */
export function boundMs({ name, rights }: Pick<Definition, 'name' | 'rights'>): number {
  const { media = [], tokens = [], platformSecrets = false, sends = [], schedules = [] } = rights;
  const otherClients = [tokens.length > 0, platformSecrets, sends.length > 0, schedules.length > 0];
  const ofAgents = name === functionName(mcpOperation.handler) ? 24 : 0;
  return 48 + (media.length > 0 ? 14 : 0) + 8 * otherClients.filter(Boolean).length + ofAgents;
}

async function bundleAll(
  functions: readonly Definition[],
  directory: string,
): Promise<{
  readonly files: ReadonlyMap<string, string>;
  readonly contents: ReadonlyMap<string, Contents>;
}> {
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
      const all = parts.reduce((sum, [, bytes]) => sum + bytes, 0);
      const largest = Array.from({ length: 5 }, (_, index) => parts[index] ?? (['', 0] as const));
      return [
        name,
        kilobytes(all),
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
  bundles: ReadonlyMap<string, string>,
  times: ReadonlyMap<string, ImportTime>,
  rounds: number,
): Promise<BenchTable> {
  const measuredPlainMs = times.get(plainWay)?.processorMs ?? Number.NaN;
  const rows: string[][] = [];
  const verdicts: (boolean | undefined)[] = [];
  for (const [name, file] of bundles) {
    const bytes = await readBundle(file);
    const { wallMs = Number.NaN, processorMs = Number.NaN } = times.get(name) ?? {};
    const scaledMs = (processorMs * plainWayMs) / measuredPlainMs;
    const definition = functions.find((candidate) => candidate.name === name);
    const bound = definition && boundMs(definition);
    const isMet = bound === undefined ? undefined : scaledMs <= bound;
    verdicts.push(isMet);
    rows.push([
      name,
      kilobytes(bytes.length),
      kilobytes(gzipSync(bytes).length),
      wallMs.toFixed(1),
      processorMs.toFixed(1),
      scaledMs.toFixed(1),
      bound === undefined ? '' : String(bound),
      verdict(isMet),
    ]);
  }
  return {
    title: `Cold start: import of each bundle, median of ${rounds} fresh processes, alternating`,
    columns: ['function', 'kB', 'gz kB', 'ms', 'processor ms', 'scaled ms', 'bound ms', 'met'],
    rows,
    notes: [
      `The bounds were set on a machine on which the plain handler takes ${plainWayMs} ms; here it took ${measuredPlainMs.toFixed(1)} ms of processor time.`,
      `"Scaled" is processor ms * ${plainWayMs} / ${measuredPlainMs.toFixed(1)} and is compared with the bound. On an idle machine processor time equals import`,
      'time (ms), and other programs affect it less. Bounds: 48 for the table, +14 for S3, +8 for each of KMS, SSM, SQS and',
      'Scheduler. "kB" counts all code of the bundle, including files that are loaded lazily.',
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
