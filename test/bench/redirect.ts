import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundleFunctions } from '../../infra/bundling.ts';
import { startModule } from '../../infra/functions/definition.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';
import { deployedEnvironments, environmentOfFunction } from './environments.ts';
import { type ClickCount, clickOften } from './redirect/clicks.ts';
import { type Measured, measureBundles } from './redirect/measure.ts';
import { startStub } from './redirect/stub.ts';

const root = join(import.meta.dirname, '../..');

const empty = '(empty handler)';
const redirectName = 'redirect';
const withSdk = '(redirect on the SDK)';

interface Size {
  readonly rounds: {
    readonly coldRounds: number;
    readonly warmRounds: number;
    readonly warmRequests: number;
  };
  readonly clicks: { readonly clicks: number; readonly instances: number; readonly throttledShare: number };
}

const full: Size = {
  rounds: { coldRounds: 21, warmRounds: 7, warmRequests: 2_000 },
  clicks: { clicks: 20_000, instances: 4, throttledShare: 0.05 },
};
const smallest: Size = {
  rounds: { coldRounds: 0, warmRounds: 1, warmRequests: 16 },
  clicks: { clicks: 4, instances: 1, throttledShare: 0 },
};

export const redirect = defineBench<Size>({
  name: 'redirect',
  describe:
    'cold start and speed of the redirect, compared with an empty handler and the SDK; accuracy of 20,000 clicks',
  sizes: { full, smallest },
  async measure({ rounds, clicks }, { progress, assembly }) {
    const directory = await mkdtemp(join(tmpdir(), 'redirect-'));
    const environment = environmentOfFunction(deployedEnvironments(await assembly()), redirectName);
    const stub = await startStub();
    try {
      const bundles = await bundleAll(directory);
      progress(`starting each bundle ${rounds.coldRounds + rounds.warmRounds} times`);
      const measured = await measureBundles(bundles, {
        ...rounds,
        environment: { ...environment, ...stub.environment },
      });
      progress(`clicking ${clicks.clicks} times`);
      const count = await clickOften(bundles.get(redirectName) ?? '', { ...clicks, environment });
      return [
        await toTable(bundles, measured, rounds),
        toBounds(await kilobytesOf(bundles), measured),
        toCounts(count, clicks),
      ];
    } finally {
      await stub.stop();
      await rm(directory, { recursive: true });
    }
  },
});

async function bundleAll(directory: string): Promise<ReadonlyMap<string, string>> {
  const entries = [
    { name: empty, entry: 'test/bench/cold-start/empty.ts' },
    { name: redirectName, entry: 'functions/api/redirect.ts' },
    { name: withSdk, entry: 'test/bench/redirect/with-sdk.ts' },
  ];
  const bundleOf = await bundleFunctions(entries, { root, outputDirectory: directory, startModule });
  return new Map(entries.map(({ name }) => [name, join(bundleOf(name), 'index.mjs')]));
}

async function kilobytesOf(bundles: ReadonlyMap<string, string>): Promise<number> {
  return (await readFile(bundles.get(redirectName) ?? '')).length / 1_000;
}

async function toTable(
  bundles: ReadonlyMap<string, string>,
  measured: ReadonlyMap<string, Measured>,
  rounds: Size['rounds'],
): Promise<BenchTable> {
  const rows: string[][] = [];
  for (const [name, file] of bundles) {
    const bytes = await readFile(file);
    const figures = figuresOf(measured, name);
    rows.push([
      name,
      (bytes.length / 1_000).toFixed(1),
      (gzipSync(bytes).length / 1_000).toFixed(1),
      figures.importMs.toFixed(1),
      figures.importProcessorMs.toFixed(1),
      figures.firstMs.toFixed(1),
      figures.firstProcessorMs.toFixed(1),
      figures.warmProcessorMs.toFixed(3),
      figures.perSecond.toFixed(0),
    ]);
  }
  return {
    title: `Redirect: medians of the faster half of ${rounds.coldRounds + rounds.warmRounds} fresh processes (warm: of ${rounds.warmRounds}), alternating`,
    columns: [
      'function',
      'kB',
      'gz kB',
      'import ms',
      'processor ms',
      'first ms',
      'processor ms',
      'warm processor ms',
      'per second',
    ],
    rows,
    notes: [
      'The table is a stub over TLS in another process, which responds immediately. First: import, and a request that reads',
      'the link and counts the click. Warm: processor time per request that only counts, one at a time. Per second: 16',
      'concurrent requests in one process, which uses one core apart from the kernel’s work.',
    ],
    bounds: countBounds([]),
  };
}

function toBounds(kilobytes: number, measured: ReadonlyMap<string, Measured>): BenchTable {
  const [none, ours, sdk] = [empty, redirectName, withSdk].map((name) => figuresOf(measured, name)) as [
    Measured,
    Measured,
    Measured,
  ];
  const lines: [string, string, string, boolean][] = [];
  const atMost = (what: string, value: number, bound: number, unit: string) =>
    lines.push([what, `${value.toFixed(1)} ${unit}`, `at most ${bound} ${unit}`, value <= bound]);
  atMost(
    'import beyond that of an empty handler, processor time',
    ours.importProcessorMs - none.importProcessorMs,
    12,
    'ms',
  );
  atMost('bundle', kilobytes, 25, 'kB');
  atMost('first request, share of the SDK’s', (100 * ours.firstMs) / sdk.firstMs, 50, '%');
  atMost(
    'warm processor time, share of the SDK’s',
    (100 * ours.warmProcessorMs) / sdk.warmProcessorMs,
    40,
    '%',
  );
  return {
    title: 'Redirect: bounds',
    columns: ['figure', 'measured', 'bound', 'met'],
    rows: lines.map(([what, here, bound, isMet]) => [what, here, bound, verdict(isMet)]),
    notes: [],
    bounds: countBounds(lines.map(([, , , isMet]) => isMet)),
  };
}

function toCounts(count: ClickCount, clicks: Size['clicks']): BenchTable {
  const wrongShare = (count.lost + count.doubled) / count.clicks;
  const verdicts = [count.served === count.clicks, wrongShare <= 0.001];
  return {
    title: `Redirect: ${count.clicks} clicks on one link, ${100 * clicks.throttledShare} % of the writes throttled`,
    columns: [
      'clicks',
      'served',
      'met',
      'throttled',
      'counted',
      'lost',
      'doubled',
      'wrong %',
      'met',
      'slowest ms',
    ],
    rows: [
      [
        String(count.clicks),
        String(count.served),
        verdict(verdicts[0]),
        String(count.throttled),
        String(count.counted),
        String(count.lost),
        String(count.doubled),
        (100 * wrongShare).toFixed(3),
        verdict(verdicts[1]),
        count.slowestMs.toFixed(0),
      ],
    ],
    notes: [
      `${clicks.instances} instances handle one click at a time. Each has its own proxy in front of the database engine, which records how`,
      'often every click took effect. A write that takes effect after its click was given up counts as one lost and one',
      'doubled. Bounds: all served; lost and doubled together at most 0.1 %.',
    ],
    bounds: countBounds(verdicts),
  };
}

function figuresOf(measured: ReadonlyMap<string, Measured>, name: string): Measured {
  const figures = measured.get(name);
  if (!figures) throw new Error(`${name} was not measured`);
  return figures;
}
