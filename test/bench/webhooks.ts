import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openTableAsAdministrator } from '../../bin/dev/demo-workspaces.ts';
import { minuteMs, secondMs } from '../../lib/kernel/clock.ts';
import type { Table } from '../../lib/table/table.ts';
import { queryDeliveries } from '../../lib/webhooks/deliveries/lists.ts';
import type { Delivery } from '../../lib/webhooks/schemas.ts';
import type { TestCloud } from '../support/local-cloud.ts';
import { type BenchContext, type BenchTable, countBounds, defineBench, verdict } from './bench.ts';
import { aSettledPost, commitPosts, type Endpoint, openWorkspaceWithEndpoints } from './webhooks/events.ts';
import { type Receiver, startReceiver } from './webhooks/receiver-process.ts';

interface Size {
  readonly eventCount: number;
  readonly warmUpCount: number;
  /** Workspaces with `endpointsOfWorkspace` endpoints each, in addition to one with a single endpoint. */
  readonly workspaceCount: number;
  readonly endpointsOfWorkspace: number;
  /** How long to wait for possible duplicates. */
  readonly watchedMs: number;
  /** The time between two looks at the pending deliveries. */
  readonly lookEveryMs: number;
  readonly badReceiver: {
    readonly failShare: number;
    readonly hangShare: number;
    readonly upMs: number;
    readonly downMs: number;
  };
}

const full: Size = {
  // An empty or invalid value means the default: a run without events would meet every bound.
  eventCount: Number(process.env['WEBHOOK_EVENTS']) || 10_000,
  warmUpCount: 40,
  workspaceCount: 5,
  endpointsOfWorkspace: 20,
  watchedMs: 2 * secondMs,
  lookEveryMs: secondMs,
  badReceiver: { failShare: 0.3, hangShare: 0.05, upMs: 3 * secondMs, downMs: 3 * secondMs },
};
const smallest: Size = {
  eventCount: 2,
  warmUpCount: 1,
  workspaceCount: 1,
  endpointsOfWorkspace: 2,
  watchedMs: 0,
  lookEveryMs: 100,
  // An attempt that hangs ends after ten seconds.
  badReceiver: { failShare: 0.3, hangShare: 0, upMs: 20, downMs: 20 },
};
const pacedPerSecond = 20;
/** The time limit of each run. */
const patienceMs = 10 * minuteMs;

export const webhooks = defineBench<Size>({
  name: 'webhooks',
  describe: `${full.eventCount} webhooks to one endpoint and over 100, from commit to arrival; WEBHOOK_EVENTS sets another count`,
  sizes: { full, smallest },
  measure: (size, { progress, withCloud }) =>
    withCloud({}, async (cloud) => {
      const receiver = await startReceiver();
      try {
        return await measure({ cloud, receiver, size, progress });
      } finally {
        receiver.stop();
      }
    }),
});

interface Measurement extends Pick<BenchContext, 'progress'> {
  readonly cloud: TestCloud;
  readonly receiver: Receiver;
  readonly size: Size;
}

interface Run {
  readonly name: string;
  readonly expected: number;
  readonly committed: ReadonlyMap<string, number>;
  /** From the first commit to the last arrival. */
  readonly tookMs: number;
  readonly latenciesMs: readonly number[];
  readonly arrived: number;
  readonly duplicates: number;
  readonly connections: number;
}

async function measure(measurement: Measurement): Promise<BenchTable[]> {
  const { cloud, receiver, size, progress } = measurement;
  const { eventCount, warmUpCount, workspaceCount, endpointsOfWorkspace } = size;
  const badlyReceivedCount = Math.ceil(eventCount / 20);
  const table = openTableAsAdministrator(cloud);
  const open = (name: string, endpoints: number) =>
    openWorkspaceWithEndpoints(
      { table, apiUrl: cloud.apiUrl, now: cloud.clock.now() },
      Array.from({ length: endpoints }, (_, index) => `${receiver.url}/${name}/${index}`),
    );
  const single = (await open('single', 1)).workspaceId;
  const bad = await open('bad', 1);
  const many = await Promise.all(
    Array.from({ length: workspaceCount }, async (_, index) => {
      const { workspaceId } = await open(`many-${index}`, endpointsOfWorkspace);
      return workspaceId;
    }),
  );
  progress('warming up');
  await settle(measurement, 'warm-up', warmUpCount, await commitPosts(table, [single], warmUpCount));

  progress(`${eventCount} events to one endpoint`);
  const toOne = await settle(
    measurement,
    'one endpoint, committed together',
    eventCount,
    await commitPosts(table, [single], eventCount),
  );
  progress(`${eventCount} deliveries over ${workspaceCount * endpointsOfWorkspace} endpoints`);
  const overMany = await settle(
    measurement,
    `${workspaceCount * endpointsOfWorkspace} endpoints in ${workspaceCount} workspaces, committed together`,
    eventCount,
    await commitPosts(table, many, Math.ceil(eventCount / endpointsOfWorkspace)),
    endpointsOfWorkspace,
  );
  progress(`${pacedPerSecond} events per second to one endpoint`);
  const paced = await settle(
    measurement,
    `one endpoint, ${pacedPerSecond} per second`,
    badlyReceivedCount,
    await commitPaced(table, single, badlyReceivedCount),
  );
  const bare = await bareLoop(measurement, toOne.connections, table, single);
  const badlyReceived = await receiveBadly(measurement, table, bad, badlyReceivedCount);
  return [throughputTable([toOne, overMany, paced], bare), badReceiverTable(badlyReceived)];
}

/** Waits until everything has arrived or `patienceMs` is over, and evaluates the run. */
async function settle(
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
  const file = join(import.meta.dirname, 'webhooks/bare-loop.ts');
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

/**
 * Sends events to a receiver that fails, hangs and restarts twice. Then moves the clock from retry to retry until all
 * events have arrived.
 */
async function receiveBadly(
  { cloud, receiver, size, progress }: Measurement,
  table: Table,
  endpoint: Endpoint,
  count: number,
): Promise<Run> {
  const { failShare, hangShare, upMs, downMs } = size.badReceiver;
  const name = `a receiver that fails ${100 * failShare} %, hangs ${100 * hangShare} % and restarts twice`;
  progress(`${count} events to ${name}`);
  await receiver.behave({ failShare, hangShare });
  const committed = await commitPosts(table, [endpoint.workspaceId], count);
  await delay(upMs / 3);
  await receiver.restart(downMs);
  await delay(upMs);
  await receiver.restart(downMs);
  await untilNonePending({ cloud, size, progress }, table, endpoint);
  const { arrivals: all } = await receiver.take();
  const arrived = new Set(all.map(([deliveryId]) => deliveryId));
  return {
    name,
    expected: committed.size,
    committed,
    tookMs: 0,
    latenciesMs: [],
    arrived: arrived.size,
    duplicates: all.length - arrived.size,
    connections: 0,
  };
}

/** Moves the clock to the next attempt until no delivery is pending. */
async function untilNonePending(
  { cloud, size, progress }: Pick<Measurement, 'cloud' | 'size' | 'progress'>,
  table: Table,
  endpoint: Endpoint,
): Promise<void> {
  const deadline = Date.now() + patienceMs;
  let told = Date.now();
  while (Date.now() < deadline) {
    const pending = await pendingOf(table, endpoint, cloud.clock.now());
    if (pending.length === 0) return;
    if (Date.now() - told > 10 * secondMs) {
      progress(`${pending.length} have not arrived yet`);
      told = Date.now();
    }
    const [next = ''] = pending.map(({ nextAttemptAt }) => nextAttemptAt ?? '').sort();
    // A delivery that is due already is being attempted, which takes at most 10 s.
    const aheadMs = Date.parse(next) - cloud.clock.now();
    // Long waits are left to the sweep, which runs every minute and finds deliveries that are a minute late.
    if (aheadMs > 0) cloud.clock.advance(aheadMs + (aheadMs > 10 * minuteMs ? 61 * secondMs : secondMs));
    await delay(size.lookEveryMs);
  }
}

async function pendingOf(table: Table, endpoint: Endpoint, now: number): Promise<readonly Delivery[]> {
  const pending: Delivery[] = [];
  let afterDeliveryId: string | undefined;
  do {
    const page = await queryDeliveries(table, endpoint, {
      status: 'pending',
      limit: 1_000,
      afterDeliveryId,
      now,
    });
    pending.push(...page.deliveries);
    afterDeliveryId = page.lastDeliveryId;
  } while (afterDeliveryId !== undefined);
  return pending;
}

function throughputTable(runs: readonly Run[], bare: number): BenchTable {
  const isComplete = runs.map(({ arrived, expected }) => arrived === expected);
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
      'none lost',
    ],
    rows: runs.map(({ name, expected, arrived, duplicates, tookMs, latenciesMs }, index) => {
      const perSecond = (arrived * secondMs) / tookMs;
      const at = (share: number) => String(latenciesMs[Math.ceil(latenciesMs.length * share) - 1] ?? '');
      return [
        name,
        String(arrived),
        String(expected - arrived),
        String(duplicates),
        perSecond.toFixed(0),
        at(0.5),
        at(0.99),
        `${((100 * perSecond) / bare).toFixed(1)} %`,
        verdict(isComplete[index]),
      ];
    }),
    notes: [
      `The bare loop made ${bare.toFixed(0)} signed POSTs per second over ${runs[0]?.connections} connections, the most that the service had open to one endpoint.`,
      'If all events are committed together, most of the latency is waiting in the queue; the paced run shows the latency of a',
      'single event. Table, queue, permissions, functions, receiver and writer share this machine.',
    ],
    bounds: countBounds(isComplete),
  };
}

function badReceiverTable({ name, expected, arrived, duplicates }: Run): BenchTable {
  return {
    title: 'Webhooks: a bad receiver',
    columns: ['receiver', 'events', 'arrived', 'duplicates', 'none lost'],
    rows: [[name, String(expected), String(arrived), String(duplicates), verdict(arrived === expected)]],
    notes: ['The bench moves the clock to each next attempt.'],
    bounds: countBounds([arrived === expected]),
  };
}
