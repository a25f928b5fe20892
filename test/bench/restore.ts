import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findEngineProgram,
  startEngineProcess,
} from '@herald/local-cloud/engines/dynamodb/engine-program.ts';
import { dayMs, hourMs, minuteMs, toTimestamp } from '../../lib/kernel/clock.ts';
import { newId } from '../../lib/kernel/ids.ts';
import { putRepairTask } from '../../lib/overdue/repair-tasks.ts';
import { messageOf, type PublishMessage } from '../../lib/publishing/message.ts';
import { scheduleName } from '../../lib/publishing/wake.ts';
import { holdDoubtful } from '../../lib/recovery/restore/hold.ts';
import { scheduleAllWakes } from '../../lib/recovery/restore/wakes.ts';
import { sweepOverdue } from '../../lib/recovery/sweep.ts';
import { batchPut } from '../../lib/table/batch-write.ts';
import { openTable, type Table } from '../../lib/table/table.ts';
import { targetItem } from '../../lib/targets/item.ts';
import type { Target } from '../../lib/targets/schemas.ts';
import { aTarget, startMs } from '../support/builders.ts';
import { accessTo, createTable } from '../support/create-table.ts';
import { sweepPorts, takingAll } from '../support/sweep.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';

interface Size {
  readonly targets: number;
}

/** One in ten planned targets was due in the gap. */
const doubtfulShare = 0.1;

/** One in a hundred of those that are due later was moved or deleted in the gap: its schedule is gone. */
const unscheduledShare = 0.01;

/** Bounds for 10,000 planned targets. Our judgement: a restore of the table itself takes AWS 20 minutes and more. */
const bounds = { holdSeconds: 120, wakesSeconds: 120, sweptSeconds: 300 };

const gap = { sinceMs: startMs - hourMs, untilMs: startMs };

export const restore = defineBench<Size>({
  name: 'restore',
  describe: 'time to make a restored table safe and to schedule everything that it has planned again',
  sizes: { full: { targets: 10_000 }, smallest: { targets: 40 } },
  async measure({ targets }, { progress }) {
    const directory = await mkdtemp(join(tmpdir(), 'restore-'));
    const program = findEngineProgram(directory);
    let endpoint = '';
    const engine = await startEngineProcess({
      ...program,
      arguments: (port) => {
        endpoint = `http://127.0.0.1:${port}`;
        // In memory if the engine can, because DynamoDB's speed does not depend on this machine's disk.
        const isFileUnneeded = program.dynoxideFile !== undefined;
        return isFileUnneeded ? ['--host', '127.0.0.1', '--port', String(port)] : program.arguments(port);
      },
    });
    try {
      await createTable('restore', accessTo(endpoint));
      return [await measure(openTable('restore', accessTo(endpoint)), targets, progress)];
    } finally {
      await engine.stop();
      await rm(directory, { recursive: true, force: true });
    }
  },
});

async function measure(table: Table, targets: number, progress: (line: string) => void): Promise<BenchTable> {
  progress(`storing ${targets} planned targets`);
  const doubtful = Math.ceil(targets * doubtfulShare);
  const planned = await storePlanned(table, targets, doubtful);
  const unscheduled = Math.ceil(planned.length * unscheduledShare);
  const scheduleNames = planned.slice(unscheduled).map((target) => scheduleName(messageOf(target)));
  const report = (what: string, error: unknown) => {
    throw new Error(`${what} was not restored`, { cause: error });
  };
  const ports = { table, now: () => gap.untilMs, uniqueId: () => newId(gap.untilMs), report };

  progress('holding what is in doubt');
  const held = await timed(() => holdDoubtful(ports, gap, { scheduleNames }));
  progress('storing a task for each wake');
  const store = (wake: PublishMessage) =>
    putRepairTask(table, { kind: 'schedule wake', wake }, gap.untilMs, 0);
  const stored = await timed(() => scheduleAllWakes({ ...ports, enqueue: store, schedule: store }));
  progress('sweeping');
  const scheduled = new Set<string>();
  const sent: PublishMessage[] = [];
  const swept = await timed(() =>
    sweepOverdue(
      {
        ...sweepPorts(table, () => gap.untilMs + minuteMs),
        enqueueAll: takingAll(sent),
        enqueue: async (message) => void sent.push(message),
        schedule: async (message) => void scheduled.add(scheduleName(message)),
        report,
      },
      Number.POSITIVE_INFINITY,
    ),
  );
  const share = targets / 10_000;
  const isComplete =
    held.result.targets === doubtful &&
    held.result.unscheduled === unscheduled &&
    stored.result.wakes === targets &&
    scheduled.size === targets - doubtful - unscheduled &&
    sent.length >= doubtful + unscheduled;
  const figures = [
    [`hold ${doubtful + unscheduled} of ${targets} targets`, held, bounds.holdSeconds],
    [`store ${targets} tasks`, stored, bounds.wakesSeconds],
    ['sweep: every wake has a message or a schedule', swept, bounds.sweptSeconds],
  ] as const;
  const judged = figures.map(([step, { seconds }, bound]) => {
    const longest = Math.max(10, bound * share);
    return { cells: [step, `${seconds.toFixed(1)} s`, `${longest} s`], isMet: seconds <= longest };
  });
  const all = [
    ...judged,
    { cells: ['wakes that are complete', isComplete ? 'all' : 'not all', 'all'], isMet: isComplete },
  ];
  return {
    title: `Restoring ${targets} planned targets`,
    columns: ['step', 'taken', 'bound', ''],
    rows: all.map(({ cells, isMet }) => [...cells, verdict(isMet)]),
    notes: [
      'On the local engine and without the network. AWS adds the restore of the table (20 minutes and more), and Scheduler takes 50 or more new schedules a second, by Region: 200 s for 10,000. Until then, the sweep publishes what is due.',
    ],
    bounds: countBounds(all.map(({ isMet }) => isMet)),
  };
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const start = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - start) / 1_000 };
}

/** Stores the targets of the gap, and one target an hour and tenant after it. @returns those after it */
async function storePlanned(table: Table, count: number, doubtful: number): Promise<Target[]> {
  const tenants = Array.from({ length: 20 }, () => newId(startMs));
  const targets = Array.from({ length: count }, (_, index) => {
    const dueMs = index < doubtful ? startMs - (index % 50) * minuteMs : startMs + dayMs + index * minuteMs;
    const due = toTimestamp(dueMs);
    const workspaceId = tenants[index % tenants.length] ?? '';
    return aTarget({ workspaceId, postId: newId(startMs), scheduledFor: due, wakeAt: due });
  });
  await batchPut(table, targets.map(targetItem));
  return targets.slice(doubtful);
}
