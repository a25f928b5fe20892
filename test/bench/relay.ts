import { defaultMemoryMegabytes } from '../../infra/functions/definition.ts';
import { workerFunctions } from '../../infra/functions/workers.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';
import { changesPerSecond, lastOfManyMs, lastOfStreamMs, scheduling, sending } from './relay/model.ts';
import { startQueueEndpoint } from './relay/queue-endpoint.ts';
import { type ShardOrder, type ShardReport, startShard } from './relay/shard-process.ts';

interface Size {
  /** Numbers of distant posts that are committed at once, before the relay begins. */
  readonly atOnce: readonly number[];
  /** Number of distant posts that are committed as quickly as a partition takes them. */
  readonly written: number;
}

/** Durations of requests to SQS and to Scheduler. */
const queueMs = 15;
const schedulerMs = 100;
/**
 * The most new targets per second in a shard: its partition takes 1,000 write units per second, and the transaction that creates a
 * target pays two for it.
 */
const writtenPerSecond = 500;
const atOnce = Number.POSITIVE_INFINITY;

/** The most that a bulk of distant posts may delay a near one, and the number of posts up to which that holds at once. */
const bounds = { nearMs: 500, mostAtOnce: 500, perSecond: 2 * writtenPerSecond };

export const relay = defineBench<Size>({
  name: 'relay',
  describe:
    'changes per second that the relay works in a shard, and a near post behind a bulk of distant ones',
  sizes: {
    full: { atOnce: [500, 5_000], written: 5_000 },
    smallest: { atOnce: [5], written: 5 },
  },
  async measure(size, { progress }) {
    const endpoint = await startQueueEndpoint(queueMs);
    const shard = startShard();
    try {
      const run = async (order: Omit<ShardOrder, 'endpointUrl'>): Promise<Run> => {
        progress(`${order.distant} distant posts before a near one`);
        const report = await shard.work({ ...order, endpointUrl: endpoint.url });
        return { ...order, ...report, sent: endpoint.take() };
      };
      await run({ distant: 500, perSecond: atOnce });
      const runs: Run[] = [];
      for (const distant of size.atOnce) runs.push(await run({ distant, perSecond: atOnce }));
      runs.push(await run({ distant: size.written, perSecond: writtenPerSecond }));
      for (const distant of size.atOnce.slice(0, 1))
        runs.push(await run({ distant, perSecond: atOnce, schedulerMs }));
      return [tableOf(runs)];
    } finally {
      shard.stop();
      await endpoint.stop();
    }
  },
});

type Run = Omit<ShardOrder, 'endpointUrl'> & ShardReport & { readonly sent: number };

function tableOf(runs: readonly Run[]): BenchTable {
  const megabytes =
    workerFunctions.find(({ name }) => name === 'relay')?.memoryMegabytes ?? defaultMemoryMegabytes;
  const lines = runs.map((run) => lineOf(run, megabytes));
  return {
    title: 'The relay at one shard: a near post behind distant posts of another workspace',
    columns: [
      'distant posts before it',
      'processor, ms per change',
      'changes per second',
      'near after, ms',
      'here, ms',
      'bound',
      'met',
    ],
    rows: lines.map(({ cells, isMet }) => [...cells, verdict(isMet)]),
    notes: [
      `The relay's handler works the changes in a process of its own; SQS answers after ${queueMs} ms, Scheduler after ${schedulerMs} ms. From the time of`,
      `a processor that a change takes follows what ${megabytes} MB do, and when the queue has the near message; "here" is what this machine measured.`,
      `Each post has one target. A partition takes ${writtenPerSecond} new targets per second, so no shard grows faster; at once means that the relay catches up.`,
      'The time until Lambda reads the stream, a quarter of a second, is not contained. In the last row the relay waits for Scheduler, ten requests at once.',
    ],
    bounds: countBounds(lines.map(({ isMet }) => isMet)),
  };
}

function lineOf(run: Run, megabytes: number) {
  const { distant, perSecond, schedulerMs: waits, processorMs, nearMs: hereMs, sent } = run;
  const changes = distant + 1;
  const work = {
    megabytes,
    processorMsPerChange: processorMs / changes,
    round: waits === undefined ? sending(queueMs) : scheduling(waits),
  };
  const throughput = changesPerSecond(work);
  const nearMs = perSecond === atOnce ? lastOfManyMs(work, changes) : lastOfStreamMs(work, perSecond);
  const isNearBound = perSecond !== atOnce || distant <= bounds.mostAtOnce;
  const [bound, isMet] = isNearBound
    ? [`near <= ${bounds.nearMs} ms`, nearMs <= bounds.nearMs]
    : [`>= ${bounds.perSecond} per second`, throughput >= bounds.perSecond];
  const name = `${distant.toLocaleString('en')} ${perSecond === atOnce ? 'at once' : `at ${perSecond} per second`}`;
  return waits === undefined
    ? {
        cells: [...cellsOf(name, work.processorMsPerChange, [throughput, nearMs, hereMs]), bound],
        // The near post's wake has a second message, in case the first is lost (decision 58).
        isMet: isMet && sent === changes + 1,
      }
    : {
        cells: [
          ...cellsOf(`${name}, with Scheduler`, work.processorMsPerChange, [throughput, nearMs, hereMs]),
          '',
        ],
        isMet: undefined,
      };
}

const cellsOf = (name: string, processorMs: number, whole: readonly number[]): string[] => [
  name,
  processorMs.toFixed(2),
  ...whole.map((each) => (Number.isFinite(each) ? String(Math.round(each)) : 'never')),
];
