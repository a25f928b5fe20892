import { openTableAsAdministrator } from '../../bin/dev/demo-workspaces.ts';
import { secondMs } from '../../lib/kernel/clock.ts';
import type { Table } from '../../lib/table/table.ts';
import { type BenchContext, type BenchTable, type CloudOptions, defineBench } from './bench.ts';
import { measureBadReceiver } from './webhooks/bad-receiver.ts';
import { type Endpoint, openWorkspaceWithEndpoints } from './webhooks/events.ts';
import { measureHanging } from './webhooks/hanging.ts';
import type { Measurement, Size } from './webhooks/measurement.ts';
import { startReceiver } from './webhooks/receiver-process.ts';
import { measureCapacity, measureThroughput } from './webhooks/throughput.ts';
import { type Capacity, createCapacityMeter, createUsageMeter } from './webhooks/usage.ts';

const full: Size = {
  // An empty or invalid value means the default: a run without events would meet every bound.
  eventCount: Number(process.env['WEBHOOK_EVENTS']) || 10_000,
  warmUpCount: 40,
  meteredCount: 500,
  workspaceCount: 5,
  endpointsOfWorkspace: 20,
  watchedMs: 2 * secondMs,
  lookEveryMs: secondMs,
  sweptWithinMs: 4 * secondMs,
  badReceiver: { failShare: 0.3, hangShare: 0.05, upMs: 3 * secondMs, downMs: 3 * secondMs },
  hanging: { endpoints: 20, perSecond: 2, otherWorkspaces: 10, seconds: 30 },
};
const smallest: Size = {
  eventCount: 2,
  warmUpCount: 1,
  meteredCount: 1,
  workspaceCount: 1,
  endpointsOfWorkspace: 2,
  watchedMs: 0,
  lookEveryMs: 100,
  sweptWithinMs: 100,
  // An attempt that hangs ends after ten seconds.
  badReceiver: { failShare: 0.3, hangShare: 0, upMs: 20, downMs: 20 },
  hanging: { endpoints: 1, perSecond: 2, otherWorkspaces: 1, seconds: 1 },
};

const parts = ['throughput', 'bad-receiver', 'hanging'] as const;
const chosen = (process.env['WEBHOOK_PARTS'] || parts.join()).split(',');

export const webhooks = defineBench<Size>({
  name: 'webhooks',
  describe: `${full.eventCount} webhooks to one endpoint and over 100, from commit to arrival; bad and hanging receivers. WEBHOOK_EVENTS sets another count, WEBHOOK_PARTS some of ${parts.join()}`,
  sizes: { full, smallest },
  async measure(size, around) {
    const tables: BenchTable[] = [];
    if (chosen.includes('throughput')) {
      const capacity = await capacityOfDelivery(size, around);
      tables.push(await throughput(size, around, capacity));
    }
    if (!chosen.includes('bad-receiver') && !chosen.includes('hanging')) return tables;
    await withReceiver(size, around, {}, async (measurement, { table, open, openSeveral }) => {
      if (chosen.includes('bad-receiver'))
        tables.push(await measureBadReceiver(measurement, table, await open('bad', 1)));
      if (chosen.includes('hanging')) {
        const [hangs = ''] = await openSeveral('hang', 1, size.hanging.endpoints);
        const others = await openSeveral('other', size.hanging.otherWorkspaces, 1);
        tables.push(await measureHanging(measurement, table, { hanging: hangs, others }));
      }
    });
    return tables;
  },
});

function capacityOfDelivery(size: Size, around: BenchContext): Promise<Capacity> {
  const meter = createCapacityMeter();
  const { observer } = meter;
  return withReceiver(size, around, { observer }, async (measurement, { table, openSeveral }) => {
    const [single = ''] = await openSeveral('metered', 1, 1);
    return measureCapacity(measurement, table, { single, meter });
  });
}

function throughput(size: Size, around: BenchContext, capacity: Capacity): Promise<BenchTable> {
  const { workspaceCount, endpointsOfWorkspace } = size;
  const meter = createUsageMeter();
  const { observer } = meter;
  return withReceiver(size, around, { observer }, async (measurement, { table, openSeveral }) => {
    const [single = ''] = await openSeveral('single', 1, 1);
    const many = await openSeveral('many', workspaceCount, endpointsOfWorkspace);
    return measureThroughput(measurement, table, { single, many, meter, capacity });
  });
}

/** Workspaces whose endpoints are at the receiver. */
interface Workspaces {
  readonly table: Table;
  /** @returns the last endpoint */
  open(name: string, endpoints: number): Promise<Endpoint>;
  /** @returns the ids of the workspaces */
  openSeveral(name: string, workspaces: number, endpoints: number): Promise<string[]>;
}

/** Runs a part of the bench on a cloud and a receiver of its own. */
function withReceiver<Result>(
  size: Size,
  { progress, withCloud }: BenchContext,
  options: CloudOptions,
  measure: (measurement: Measurement, workspaces: Workspaces) => Promise<Result>,
): Promise<Result> {
  return withCloud(options, async (cloud) => {
    const table = openTableAsAdministrator(cloud);
    const receiver = await startReceiver();
    const open = (name: string, endpoints: number) =>
      openWorkspaceWithEndpoints(
        { table, apiUrl: cloud.apiUrl, now: cloud.clock.now() },
        Array.from({ length: endpoints }, (_, index) => `${receiver.url}/${name}/${index}`),
      );
    const openSeveral = async (name: string, workspaces: number, endpoints: number) => {
      const opened = Array.from({ length: workspaces }, (_, index) => open(`${name}-${index}`, endpoints));
      return (await Promise.all(opened)).map(({ workspaceId }) => workspaceId);
    };
    try {
      return await measure({ cloud, receiver, size, progress }, { table, open, openSeveral });
    } finally {
      receiver.stop();
    }
  });
}
