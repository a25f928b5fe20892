import { concurrencyBounds } from '../../infra/functions/concurrency.ts';
import { workerFunctions } from '../../infra/functions/workers.ts';
import { dueShardCount } from '../../lib/table/keys.ts';
import { type BenchTable, countBounds, defineBench } from './bench.ts';
import { batchMs, burstOf, drain, inOrder, type Part, type Worker } from './scale/model.ts';

/** Processor time that `publish-target` uses for a target in its last seconds, as `same-second` prints it ("from then on"). */
const processorMs = 25;
/** Reading, two writes and the platform's call take about a second, also for one target alone. */
const leastBatchMs = 1_000;
/** Write units that `publish-cost` counts per text with three targets; about half fall into the last seconds. */
const wruPerPost = 57;
const targetsPerPost = 3;
/** The schedules of one wake fire within a minute: Scheduler's precision. */
const fireSeconds = 60;
/** Time after the due second in which all of a burst should be live. */
const wantedSeconds = 5;

export const scale = defineBench({
  name: 'scale',
  describe: 'what AWS does with bursts, and what breaks first (computed from measured figures)',
  sizes: { full: {}, smallest: {} },
  measure: async () => {
    // Imported here, because it loads the CDK.
    const { findStage } = await import('../../infra/stages.ts');
    const { queues } = concurrencyBounds(workerFunctions, findStage('production'));
    const worker = workerOf(queues['publish-target'] ?? 0);
    return [burstTable(worker), memoryTable(worker), breaksTable(worker)];
  },
});

function workerOf(environments: number): Worker {
  const found = workerFunctions.find(({ name }) => name === 'publish-target');
  if (found?.trigger.kind !== 'queue') throw new Error('publish-target consumes no queue');
  const { memoryMegabytes = 0, trigger } = found;
  // A message names the wake of one target.
  return { memoryMegabytes, batchSize: trigger.batchSize, environments, processorMs, leastBatchMs };
}

const bursts = [200, 2_000, 20_000, 200_000];
const seconds = (value: number): string => (value < 100 ? value.toFixed(1) : value.toFixed(0));

function burstTable(worker: Worker): BenchTable {
  return {
    title: 'Model: targets that are due in the same second, until all are live in AWS',
    columns: [
      'targets',
      'quiet queue: half after s',
      'all after s',
      'warm pollers: half after s',
      'all after s',
    ],
    rows: bursts.map((targets) => {
      const [cold, warm] = [drain(targets, worker), drain(targets, worker, worker.environments)];
      return [
        targets,
        ...[cold.halfSeconds, cold.lastSeconds, warm.halfSeconds, warm.lastSeconds].map(seconds),
      ].map(String);
    }),
    notes: [
      `A batch of ${worker.batchSize} takes ${seconds(batchMs(worker) / 1_000)} s: ${processorMs} ms of a processor per target, of which ${worker.memoryMegabytes} MB are a share.`,
      `At most ${worker.environments} environments. On a quiet queue Lambda begins with 5 pollers and adds 300 a minute. Pollers are warm`,
      'if the same targets were prepared in the minutes before.',
    ],
    bounds: countBounds([]),
  };
}

const gigabyteSecondDollars = 0.0000133334;

function memoryTable(worker: Worker): BenchTable {
  return {
    title: 'Model: memory of publish-target, and the last seconds of its targets',
    columns: [
      'MB',
      'share of a processor',
      'full batch s',
      'all of 2,000 after s (quiet)',
      '(warm)',
      '$ per thousand targets alone',
      '$ in full batches',
    ],
    rows: [256, 512, 1_024, 1_769].map((memoryMegabytes) => {
      const changed = { ...worker, memoryMegabytes };
      const batch = batchMs(changed) / 1_000;
      const alone = Math.max(leastBatchMs, batchMs({ ...changed, batchSize: 1 })) / 1_000;
      // A message arrives up to two seconds before its target is due.
      const waitSeconds = 1.5;
      const dollars = (each: number) =>
        ((memoryMegabytes / 1_024) * each * gigabyteSecondDollars * 1_000).toFixed(4);
      return [
        String(memoryMegabytes),
        (memoryMegabytes / 1_769).toFixed(2),
        seconds(batch),
        seconds(drain(2_000, changed).lastSeconds),
        seconds(drain(2_000, changed, worker.environments).lastSeconds),
        dollars(alone + waitSeconds),
        dollars((batch + waitSeconds) / worker.batchSize),
      ];
    }),
    notes: [
      'Computed, not measured. Only the time of the last seconds, of which a message waits 1.5 on average.',
    ],
    bounds: countBounds([]),
  };
}

function breaksTable(worker: Worker): BenchTable {
  const perSecond = (targets: number) => targets / drain(targets, worker, worker.environments).lastSeconds;
  const parts: readonly Part[] = [
    {
      name: `environments of publish-target, for ${wantedSeconds} s`,
      limit: worker.environments,
      unit: 'environments',
      needed: (targets) =>
        (targets / worker.batchSize) * Math.min(1, batchMs(worker) / (wantedSeconds * 1_000)),
    },
    {
      name: 'pollers of a quiet queue, for 5 s',
      limit: 5 + 5 * wantedSeconds,
      unit: 'environments',
      needed: (targets) =>
        (targets / worker.batchSize) * Math.min(1, batchMs(worker) / (wantedSeconds * 1_000)),
    },
    {
      name: 'Scheduler, invocations per second',
      limit: 1_000,
      unit: 'per second',
      needed: (targets) => targets / fireSeconds,
    },
    {
      name: 'a new table, WRU per second',
      limit: 4_000,
      unit: 'WRU per second',
      needed: (targets) => (perSecond(targets) * wruPerPost) / targetsPerPost / 2,
    },
    {
      name: 'the table’s quota, WRU per second',
      limit: 40_000,
      unit: 'WRU per second',
      needed: (targets) => (perSecond(targets) * wruPerPost) / targetsPerPost / 2,
    },
    {
      name: 'index overdue, writes per second',
      limit: dueShardCount * 1_000,
      unit: 'WRU per second',
      needed: (targets) => perSecond(targets) * 2,
    },
    {
      name: 'a pause’s item, RRU per second (one platform)',
      limit: 3_000,
      unit: 'RRU per second',
      needed: (targets) => perSecond(targets),
    },
  ];
  const scales = [1, 10, 100, 1_000].map((factor) => ({
    factor,
    targets: burstOf({ postsPerMonth: 100_000 * factor, targetsPerPost, burst: 0.02 }),
  }));
  return {
    title: 'Model: what breaks first, at 1× (100,000 posts a month) to 1000×',
    columns: ['part', 'limit', ...scales.map(({ factor, targets }) => `${factor}×: ${targets} at once`)],
    rows: inOrder(parts, scales.at(-1)?.targets ?? 0).map(({ name, limit, needed }) => [
      name,
      limit.toLocaleString('en'),
      ...scales.map(({ targets }) => {
        const need = needed(targets);
        return `${Math.ceil(need).toLocaleString('en')}${need > limit ? ' BREAKS' : ''}`;
      }),
    ]),
    notes: [
      'Two percent of a day’s targets are due in one second. A part that breaks makes targets late, never lost. The rates of the table and',
      'the indexes are those that the bounded number of workers can cause.',
    ],
    bounds: countBounds([]),
  };
}
