import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundleFunctions } from '../../infra/bundling.ts';
import { apiFunctions } from '../../infra/functions/api.ts';
import { type FunctionDefinition, startModule, type WorkerRights } from '../../infra/functions/definition.ts';
import { workerFunctions } from '../../infra/functions/workers.ts';
import { type Bench, type BenchTable, countBounds, verdict } from './bench.ts';
import { type ImportTime, measureImports } from './cold-start/measure.ts';

const root = join(import.meta.dirname, '../..');
const rounds = 15;

/** Import time of the plain handler on the machine for which the bounds were set. */
const plainWayMs = 82;

const empty = '(empty handler)';
const plainWay = '(plain way)';

type Definition = FunctionDefinition<WorkerRights>;

export const coldStart: Bench = {
  name: 'cold-start',
  describe: "size and import time of every function's bundle, in fresh processes",
  async run(progress) {
    const directory = await mkdtemp(join(tmpdir(), 'cold-start-'));
    try {
      const functions: readonly Definition[] = [...apiFunctions, ...workerFunctions];
      progress(`bundling ${functions.length} functions`);
      const bundles = await bundleAll(functions, directory);
      progress(`importing each ${rounds} times`);
      const times = await measureImports(bundles, { rounds, environment });
      return [await toTable(functions, bundles, times)];
    } finally {
      await rm(directory, { recursive: true });
    }
  },
};

/**
 * The allowed import time of a function in milliseconds, scaled so that the plain handler takes 82: 48 for the table,
 * 14 more for S3, 8 more for each other service that it calls.
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
    // CommonJS dependencies load Node's built-in modules with `require`.
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
    title: `Cold start: import of each bundle, median of ${rounds} fresh processes, alternating`,
    columns: ['function', 'kB', 'gz kB', 'ms', 'processor ms', 'scaled ms', 'bound ms', 'met'],
    rows,
    notes: [
      `The bounds were set on a machine on which the plain handler takes ${plainWayMs} ms; here it took ${measuredPlainMs.toFixed(1)} ms of processor time.`,
      `"Scaled" is processor ms * ${plainWayMs} / ${measuredPlainMs.toFixed(1)} and is compared with the bound. On an idle machine processor time equals import`,
      'time (ms), and other programs affect it less. Bounds: 48 for the table, +14 for S3, +8 for each of KMS, SSM, SQS and',
      'Scheduler.',
    ],
    bounds: countBounds(verdicts),
  };
}

const kilobytes = (bytes: number): string => (bytes / 1_000).toFixed(bytes < 1_000 ? 1 : 0);

/** Functions read their variables when their bundles are imported. They call nothing here, so any value works. */
const environment = Object.fromEntries(
  [
    'AWS_REGION',
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'CHAIN_QUEUE_URL',
    'MEDIA_BASE_URL',
    'MEDIA_BUCKET',
    'PLATFORM_PARAMETER_PREFIX',
    'PUBLIC_BASE_URL',
    'PUBLISH_QUEUE_ARN',
    'PUBLISH_QUEUE_URL',
    'RATE_LIMIT_PER_MINUTE',
    'SCHEDULE_DEAD_LETTER_ARN',
    'SCHEDULE_GROUP',
    'SCHEDULE_ROLE_ARN',
    'STREAM_DEAD_LETTER_URL',
    'TABLE_NAME',
    'TOKEN_KEY_ID',
  ].map((name) => [name, 'local-1']),
);
environment['PLATFORM_BASE_URLS'] = '{}';
