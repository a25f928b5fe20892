import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundleFunctions } from '../../infra/bundling.ts';
import { apiFunctions } from '../../infra/functions/api.ts';
import { type FunctionDefinition, startModule, type WorkerRights } from '../../infra/functions/definition.ts';
import { workerFunctions } from '../../infra/functions/workers.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';
import { type ImportTime, measureImports } from './cold-start/measure.ts';
import { deployedEnvironments, environmentOfFunction } from './environments.ts';

const root = join(import.meta.dirname, '../..');

/** What the plain way took on the machine for which the bounds were set. */
const plainWayMs = 82;

const empty = '(empty handler)';
const plainWay = '(plain way)';

type Definition = FunctionDefinition<WorkerRights>;

interface Size {
  readonly rounds: number;
  /** Absent: all. */
  readonly functions?: readonly string[];
}

export const coldStart = defineBench<Size>({
  name: 'cold-start',
  describe: "size and import time of every function's bundle, in fresh processes",
  sizes: { full: { rounds: 15 }, smallest: { rounds: 1, functions: ['posts-read', 'publish-target'] } },
  async measure({ rounds, functions: names }, { progress, assembly }) {
    const environments = deployedEnvironments(await assembly());
    const directory = await mkdtemp(join(tmpdir(), 'cold-start-'));
    try {
      const all: readonly Definition[] = [...apiFunctions, ...workerFunctions];
      const functions = names === undefined ? all : all.filter(({ name }) => names.includes(name));
      progress(`bundling ${functions.length} functions`);
      const files = await bundleAll(functions, directory);
      progress(`importing each ${rounds} times`);
      const bundles = [...files].map(([name, file]) => ({
        name,
        file,
        environment: name.startsWith('(')
          ? { AWS_REGION: 'us-east-1' }
          : environmentOfFunction(environments, name),
      }));
      const times = await measureImports(bundles, rounds);
      return [await toTable(functions, files, times, rounds)];
    } finally {
      await rm(directory, { recursive: true });
    }
  },
});

/**
 * Milliseconds that a function's import may take, on the scale on which the plain way takes 82: 48 with the table
 * alone, 14 more with S3, 8 more with each other service that it calls.
 */
export function boundMs({ rights }: Pick<Definition, 'rights'>): number {
  const { media = [], tokens = [], platformSecrets = false, sends = [], schedules = [] } = rights;
  const otherClients = [tokens.length > 0, platformSecrets, sends.length > 0, schedules.length > 0];
  return 48 + (media.length > 0 ? 14 : 0) + 8 * otherClients.filter(Boolean).length;
}

async function bundleAll(
  functions: readonly Definition[],
  directory: string,
): Promise<ReadonlyMap<string, string>> {
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
    // CommonJS dependencies take Node's own modules by `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'silent',
  });
  const bundleOf = await bundleFunctions(
    [{ name: empty, entry: 'test/bench/cold-start/empty.ts' }, ...functions],
    { root, outputDirectory: directory, startModule },
  );
  const fileOf = (name: string) => join(bundleOf(name), 'index.mjs');
  return new Map([
    [empty, fileOf(empty)],
    [plainWay, plainFile],
    ...functions.map(({ name }) => [name, fileOf(name)] as const),
  ]);
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
    const bytes = await readFile(file);
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
    title: `Cold start: import of each bundle, median of ${rounds} fresh processes, taken in turns`,
    columns: ['function', 'kB', 'gz kB', 'ms', 'processor ms', 'to scale ms', 'bound ms', 'met'],
    rows,
    notes: [
      `The bounds were set where the plain way takes ${plainWayMs} ms; here it took ${measuredPlainMs.toFixed(1)} of processor time. "to scale" is`,
      `processor ms * ${plainWayMs} / ${measuredPlainMs.toFixed(1)}, and is what is judged: on a quiet machine it is as long as the import itself (ms),`,
      'and other programs disturb it less. Bounds: 48 with the table alone, +14 with S3, +8 with each of KMS, SSM, SQS and',
      'Scheduler.',
    ],
    bounds: countBounds(verdicts),
  };
}

const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(bytes < 1_000 ? 1 : 0);
