import { openTableAsAdministrator } from '../../bin/dev/demo-workspaces.ts';
import { secondMs } from '../../lib/kernel/clock.ts';
import { type BenchTable, defineBench } from './bench.ts';
import { measureBadReceiver } from './webhooks/bad-receiver.ts';
import { openWorkspaceWithEndpoints } from './webhooks/events.ts';
import { measureHanging } from './webhooks/hanging.ts';
import type { Measurement, Size } from './webhooks/measurement.ts';
import { startReceiver } from './webhooks/receiver-process.ts';
import { measureThroughput } from './webhooks/throughput.ts';
import { createUsageMeter } from './webhooks/usage.ts';

const full: Size = {
  // An empty or invalid value means the default: a run without events would meet every bound.
  eventCount: Number(process.env['WEBHOOK_EVENTS']) || 10_000,
  warmUpCount: 40,
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
  measure(size, { progress, withCloud }) {
    const meter = createUsageMeter();
    return withCloud({ observer: meter.observer }, async (cloud) => {
      const receiver = await startReceiver();
      try {
        return await measure({ cloud, receiver, meter, size, progress });
      } finally {
        receiver.stop();
      }
    });
  },
});

async function measure(measurement: Measurement): Promise<BenchTable[]> {
  const { cloud, receiver, size } = measurement;
  const { workspaceCount, endpointsOfWorkspace, hanging } = size;
  const table = openTableAsAdministrator(cloud);
  const open = (name: string, endpoints: number) =>
    openWorkspaceWithEndpoints(
      { table, apiUrl: cloud.apiUrl, now: cloud.clock.now() },
      Array.from({ length: endpoints }, (_, index) => `${receiver.url}/${name}/${index}`),
    );
  const openSeveral = async (name: string, workspaces: number, endpoints: number) =>
    (
      await Promise.all(Array.from({ length: workspaces }, (_, index) => open(`${name}-${index}`, endpoints)))
    ).map(({ workspaceId }) => workspaceId);
  const tables: BenchTable[] = [];
  if (chosen.includes('throughput')) {
    const [single = ''] = await openSeveral('single', 1, 1);
    const many = await openSeveral('many', workspaceCount, endpointsOfWorkspace);
    tables.push(await measureThroughput(measurement, table, { single, many }));
  }
  if (chosen.includes('bad-receiver')) {
    tables.push(await measureBadReceiver(measurement, table, await open('bad', 1)));
  }
  if (chosen.includes('hanging')) {
    const [hangs = ''] = await openSeveral('hang', 1, hanging.endpoints);
    const others = await openSeveral('other', hanging.otherWorkspaces, 1);
    tables.push(await measureHanging(measurement, table, { hanging: hangs, others }));
  }
  return tables;
}
