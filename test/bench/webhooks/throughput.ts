import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type BenchTable, countBounds, verdict } from '../bench.ts';
import { aSettledPost, commitPosts } from './events.ts';
import { type Measurement, percentile, type Run } from './measurement.ts';
import type { Receiver } from './receiver-process.ts';
import { type Capacity, type CapacityMeter, type UsageMeter, usageLines } from './usage.ts';

const pacedPerSecond = 20;
/**
 * The rate that a workspace with the event feed must hold, and that of several workspaces together, on a quiet machine with two cores:
 * a delivery takes 8 ms of them, most of it in the database and the local cloud.
 */
const bounds = { toOnePerSecond: 200, overManyPerSecond: 380, pacedP99Ms: 150 };
/** The time limit of each run. */
const patienceMs = 10 * minuteMs;

/** Events to one endpoint, on a cloud that meters capacity. @returns what one delivery uses */
export async function measureCapacity(
  measurement: Measurement,
  table: Table,
  { single, meter }: { readonly single: string; readonly meter: CapacityMeter },
): Promise<Capacity> {
  const { size, progress } = measurement;
  const { warmUpCount, eventCount } = size;
  const count = Math.min(size.meteredCount, eventCount);
  await settle(measurement, 'warm-up', warmUpCount, await commitPosts(table, [single], warmUpCount));
  progress(`capacity of ${count} events`);
  meter.begin();
  const { arrived } = await settle(measurement, 'metered', count, await commitPosts(table, [single], count));
  const { readUnits, writeUnits } = meter.end();
  if (arrived !== count)
    throw new Error(`only ${arrived} of ${count} events arrived, so their capacity is not known`);
  return { readUnits: readUnits / count, writeUnits: writeUnits / count };
}

/** Events to one endpoint, over many, and at a steady pace. */
export async function measureThroughput(
  measurement: Measurement,
  table: Table,
  {
    single,
    many,
    meter,
    capacity,
  }: {
    readonly single: string;
    readonly many: readonly string[];
    readonly meter: UsageMeter;
    /** Capacity that one delivery used. */
    readonly capacity: Capacity;
  },
): Promise<BenchTable> {
  const { cloud, size, progress } = measurement;
  const { eventCount, warmUpCount, endpointsOfWorkspace } = size;
  progress('warming up');
  await settle(measurement, 'warm-up', warmUpCount, await commitPosts(table, [single], warmUpCount));

  progress(`${eventCount} events to one endpoint`);
  meter.begin(cloud);
  const toOne = await settle(
    measurement,
    'one endpoint, committed together',
    eventCount,
    await commitPosts(table, [single], eventCount),
  );
  const usage = meter.end(cloud);
  for (const line of usageLines(usage, toOne.arrived)) progress(line);
  const endpoints = many.length * endpointsOfWorkspace;
  progress(`${eventCount} deliveries over ${endpoints} endpoints`);
  const overMany = await settle(
    measurement,
    `${endpoints} endpoints in ${many.length} workspaces, committed together`,
    eventCount,
    await commitPosts(table, many, Math.ceil(eventCount / endpointsOfWorkspace)),
    endpointsOfWorkspace,
  );
  progress(`${pacedPerSecond} events per second to one endpoint`);
  const pacedCount = Math.ceil(eventCount / 20);
  const paced = await settle(
    measurement,
    `one endpoint, ${pacedPerSecond} per second`,
    pacedCount,
    await commitPaced(table, single, pacedCount),
  );
  const bare = await bareLoop(measurement, toOne.connections, table, single);
  const rows = [
    { run: toOne, minPerSecond: bounds.toOnePerSecond },
    { run: overMany, minPerSecond: bounds.overManyPerSecond },
    { run: paced, maxP99Ms: bounds.pacedP99Ms },
  ];
  return throughputTable(rows, bare, [
    `A delivery takes ${capacity.readUnits.toFixed(2)} RRU and ${capacity.writeUnits.toFixed(2)} WRU, metered in a run of its own.`,
    ...usageLines(usage, toOne.arrived),
  ]);
}

/** Waits until everything has arrived or `patienceMs` is over, and evaluates the run. */
export async function settle(
  { receiver, size, progress }: Measurement,
  name: string,
  expected: number,
  committed: ReadonlyMap<string, number>,
  endpoints = 1,
): Promise<Run> {
  await untilArrived(receiver, committed.size * endpoints, progress);
  await delay(size.watchedMs);
  const { arrivals, maxConnections } = await receiver.take();
  const first = new Map<string, number>();
  const latenciesMs: number[] = [];
  for (const [deliveryId, postId, atMs] of arrivals) {
    const committedMs = committed.get(postId);
    if (committedMs === undefined || first.has(deliveryId)) continue;
    first.set(deliveryId, atMs);
    latenciesMs.push(atMs - committedMs);
  }
  return {
    name,
    expected: Math.max(expected, committed.size * endpoints),
    committed,
    tookMs: Math.max(...first.values()) - Math.min(...committed.values()),
    latenciesMs: latenciesMs.toSorted((left, right) => left - right),
    arrived: first.size,
    duplicates: arrivals.length - first.size,
    connections: maxConnections,
  };
}

async function untilArrived(
  receiver: Receiver,
  expected: number,
  progress: (line: string) => void,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  let told = Date.now();
  for (;;) {
    const count = await receiver.count();
    if (count >= expected || Date.now() > deadline) return;
    if (Date.now() - told > 10 * secondMs) {
      progress(`${count} of ${expected} have arrived`);
      told = Date.now();
    }
    await delay(50);
  }
}

async function commitPaced(
  table: Table,
  workspaceId: string,
  count: number,
): Promise<ReadonlyMap<string, number>> {
  const committed = new Map<string, number>();
  const begunMs = Date.now();
  for (let index = 0; index < count; index += 1) {
    await delay(Math.max(0, begunMs + (index * secondMs) / pacedPerSecond - Date.now()));
    for (const [id, atMs] of await commitPosts(table, [workspaceId], 1)) committed.set(id, atMs);
  }
  return committed;
}

/** Measures the baseline in POSTs per second. */
async function bareLoop(
  { receiver, size: { eventCount } }: Measurement,
  connections: number,
  table: Table,
  workspaceId: string,
): Promise<number> {
  const file = join(import.meta.dirname, 'bare-loop.ts');
  const body = JSON.stringify({
    id: 'bare',
    data: { post: aSettledPost(workspaceId, Date.now()) },
    table: table.name,
  });
  const { stdout } = await promisify(execFile)(process.execPath, [
    file,
    `${receiver.url}/bare`,
    String(eventCount),
    String(connections),
    body,
  ]);
  await receiver.take();
  return (eventCount * secondMs) / Number(stdout);
}

interface Row {
  readonly run: Run;
  readonly minPerSecond?: number;
  readonly maxP99Ms?: number;
}

function throughputTable(rows: readonly Row[], bare: number, usage: readonly string[]): BenchTable {
  const verdicts = rows.map(({ run, minPerSecond = 0, maxP99Ms = Infinity }) => ({
    isComplete: run.arrived === run.expected,
    isFast: perSecondOf(run) >= minPerSecond && (percentile(run.latenciesMs, 0.99) ?? Infinity) <= maxP99Ms,
  }));
  const connections = rows[0]?.run.connections ?? 0;
  return {
    title: 'Webhooks: from the commit of a settled post to the arrival of its event',
    columns: [
      'run',
      'arrived',
      'lost',
      'duplicates',
      'per second',
      'p50 ms',
      'p99 ms',
      'of bare loop',
      'bound',
      'fast enough',
      'none lost',
    ],
    rows: rows.map(({ run, minPerSecond, maxP99Ms }, index) => [
      run.name,
      String(run.arrived),
      String(run.expected - run.arrived),
      String(run.duplicates),
      perSecondOf(run).toFixed(0),
      String(percentile(run.latenciesMs, 0.5) ?? ''),
      String(percentile(run.latenciesMs, 0.99) ?? ''),
      `${((100 * perSecondOf(run)) / bare).toFixed(1)} %`,
      minPerSecond === undefined ? `p99 ${maxP99Ms} ms` : `${minPerSecond} per second`,
      verdict(verdicts[index]?.isFast),
      verdict(verdicts[index]?.isComplete),
    ]),
    notes: [
      `The bare loop made ${bare.toFixed(0)} signed POSTs per second over ${connections} connections, the most that the service had open to one endpoint.`,
      'If all events are committed together, most of the latency is waiting in the queue; the paced run shows the latency of a',
      'single event. Table, queue, permissions, functions, receiver and writer share this machine.',
      ...usage,
    ],
    bounds: countBounds(verdicts.flatMap(({ isComplete, isFast }) => [isComplete, isFast])),
  };
}

const perSecondOf = ({ arrived, tookMs }: Run): number => (arrived * secondMs) / tookMs;
