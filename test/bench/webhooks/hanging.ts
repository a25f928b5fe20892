import { setTimeout as delay } from 'node:timers/promises';
import { secondMs } from '../../../lib/kernel/clock.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type BenchTable, countBounds, verdict } from '../bench.ts';
import { commitPosts } from './events.ts';
import { type Measurement, percentile } from './measurement.ts';
import { settle } from './throughput.ts';

const maxP99Ms = 5 * secondMs;

/**
 * Sends events to endpoints of one workspace that never respond, and to those of other workspaces, which respond
 * immediately. Measures how late the events of the others arrive.
 */
export async function measureHanging(
  measurement: Measurement,
  table: Table,
  { hanging, others }: { readonly hanging: string; readonly others: readonly string[] },
): Promise<BenchTable> {
  const { size, progress } = measurement;
  const { endpoints, perSecond, seconds } = size.hanging;
  const name = `${others.length} workspaces, ${perSecond} events per second each, besides ${endpoints} endpoints of another that hang`;
  progress(name);
  const committed = new Map<string, number>();
  const begunMs = Date.now();
  for (let round = 0; round < perSecond * seconds; round += 1) {
    await delay(Math.max(0, begunMs + (round * secondMs) / perSecond - Date.now()));
    await commitPosts(table, [hanging], 1);
    const posts = await commitPosts(table, others, others.length);
    for (const [id, atMs] of posts) committed.set(id, atMs);
  }
  const run = await settle(measurement, name, committed.size, committed);
  const [p50, p99] = [0.5, 0.99].map((share) => percentile(run.latenciesMs, share));
  const isFair = (p99 ?? Infinity) <= maxP99Ms;
  const isComplete = run.arrived === run.expected;
  return {
    title: 'Webhooks: endpoints that hang, and the others',
    columns: ['run', 'arrived', 'duplicates', 'p50 ms', 'p99 ms', 'longest ms', 'bound', 'met', 'none lost'],
    rows: [
      [
        name,
        String(run.arrived),
        String(run.duplicates),
        String(p50 ?? ''),
        String(p99 ?? ''),
        String(run.latenciesMs.at(-1) ?? ''),
        `p99 ${maxP99Ms} ms`,
        verdict(isFair),
        verdict(isComplete),
      ],
    ],
    notes: [
      `Each hanging endpoint gets ${perSecond} events per second, and an attempt to it takes 10 s. The figures are of the others.`,
    ],
    bounds: countBounds([isFair, isComplete]),
  };
}
