import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  findEngineProgram,
  startEngineProcess,
} from '@herald/local-cloud/engines/dynamodb/engine-program.ts';
import { concurrencyBounds } from '../../infra/functions/concurrency.ts';
import { workerFunctions } from '../../infra/functions/workers.ts';
import { openTenantQueue } from '../../lib/aws/queue.ts';
import { minuteMs, secondMs, systemClock, toTimestamp } from '../../lib/kernel/clock.ts';
import { newId } from '../../lib/kernel/ids.ts';
import type { PublishMessage } from '../../lib/publishing/message.ts';
import { sweepOverdue } from '../../lib/recovery/sweep.ts';
import { batchPut } from '../../lib/table/batch-write.ts';
import { openTable, type Table } from '../../lib/table/table.ts';
import { targetItem } from '../../lib/targets/item.ts';
import { aTarget } from '../support/builders.ts';
import { accessTo, createTable } from '../support/create-table.ts';
import { sweepPorts } from '../support/sweep.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';
import { recoveryAfter } from './sweep/outage-model.ts';

interface Size {
  readonly targets: number;
}

interface Sent {
  readonly message: PublishMessage;
  readonly atMs: number;
}

interface Measured {
  readonly targets: number;
  /** The messages of all sweeps, in the order in which they were sent. */
  readonly sent: readonly Sent[];
  readonly perSecond: number;
  /** Processor time of this process, which also runs the queue. */
  readonly processorMsPerTarget: number;
  readonly smallestTenant: string;
}

/** The targets of the smallest tenant. They are the last to become due. */
const fewTargets = 3;

/** Seconds of each minute in which a deployed sweep begins pages: 55 s less the 10 s that the handler reserves. */
const workingSeconds = 45;

const bounds = {
  perMinute: 10_000,
  /** The deployed function has one processor. */
  processorMs: (workingSeconds * secondMs) / 10_000,
  repeats: 0,
  /** The pages that are worked at the same time. */
  rank: 200,
  recoveryMinutes: 45,
};

export const sweep = defineBench<Size>({
  name: 'sweep',
  describe:
    'overdue targets that the sweep enqueues per minute, its fairness, and the recovery after an outage',
  sizes: { full: { targets: 10_000 }, smallest: { targets: 60 } },
  async measure({ targets }, { progress }) {
    const directory = await mkdtemp(join(tmpdir(), 'sweep-'));
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
      await createTable('sweep', accessTo(endpoint));
      const measured = await measureSweep(openTable('sweep', accessTo(endpoint)), targets, progress);
      return [sweepTable(measured), await recoveryTable(measured)];
    } finally {
      await engine.stop();
      await rm(directory, { recursive: true, force: true });
    }
  },
});

async function measureSweep(
  table: Table,
  targets: number,
  progress: (line: string) => void,
): Promise<Measured> {
  progress(`storing ${targets} overdue targets`);
  const smallestTenant = await storeBacklog(table, targets);
  const endpoint = await startQueueEndpoint();
  const queue = openTenantQueue<PublishMessage>(`${endpoint}/publish`, {
    access: accessTo(endpoint),
  });
  const sent: Sent[] = [];
  const ports = {
    ...sweepPorts(table, systemClock),
    enqueueAll: async (messages: readonly PublishMessage[]) => {
      const refused = await queue.sendAll(messages);
      const atMs = systemClock();
      sent.push(...messages.filter((message) => !refused.has(message)).map((message) => ({ message, atMs })));
      return refused;
    },
  };
  let workedMs = 0;
  const processorBegun = process.cpuUsage();
  let left = targets;
  while (left > 0) {
    progress(`sweeping; ${left} targets are left`);
    const begunMs = performance.now();
    const count = await sweepOverdue(ports, systemClock() + workingSeconds * secondMs);
    workedMs += performance.now() - begunMs;
    if (count.failures > 0 || count.targets === 0)
      throw new Error(`a sweep did not continue: ${JSON.stringify(count)}`);
    left = targets - new Set(sent.map(({ message }) => message.postId)).size;
  }
  const { user, system } = process.cpuUsage(processorBegun);
  const processorMsPerTarget = (user + system) / 1_000 / targets;
  progress('sweeping again, which must find nothing');
  await sweepOverdue(ports, systemClock() + workingSeconds * secondMs);
  const perSecond = (targets / workedMs) * secondMs;
  return { targets, sent, perSecond, processorMsPerTarget, smallestTenant };
}

/**
 * Stores targets that became due one after the other during the last hour: nine tenths of one tenant, then those of five
 * others, then those of the smallest tenant. @returns the smallest tenant
 */
async function storeBacklog(table: Table, count: number): Promise<string> {
  const now = systemClock();
  const [large = '', smallest = '', ...others] = Array.from({ length: 7 }, () => newId(now));
  const items = Array.from({ length: count }, (_, index) => {
    const isLarge = index < 0.9 * count;
    const isSmallest = index >= count - fewTargets;
    const other = others[index % others.length] ?? large;
    const wakeAt = toTimestamp(now - 60 * minuteMs + (index / count) * 59 * minuteMs);
    const workspaceId = isLarge ? large : isSmallest ? smallest : other;
    return targetItem(aTarget({ workspaceId, postId: newId(now), scheduledFor: wakeAt, wakeAt }));
  });
  await batchPut(table, items);
  return smallest;
}

function sweepTable(measured: Measured): BenchTable {
  const { targets, sent, perSecond, processorMsPerTarget, smallestTenant } = measured;
  const perMinute = perSecond * workingSeconds;
  const distinct = new Set(sent.map(({ message }) => message.postId)).size;
  const repeats = countRepeats(sent);
  const rank = sent.findLastIndex(({ message }) => message.workspaceId === smallestTenant) + 1;
  const verdicts = [
    perMinute >= bounds.perMinute,
    processorMsPerTarget <= bounds.processorMs,
    distinct === targets,
    repeats <= bounds.repeats,
    rank <= bounds.rank,
  ];
  return {
    title: `The sweep of ${targets} overdue targets of seven tenants`,
    columns: ['figure', 'measured', 'bound', 'met'],
    rows: [
      ['targets enqueued per minute', perMinute.toFixed(0), `>= ${bounds.perMinute}`],
      ['processor time per target, ms', processorMsPerTarget.toFixed(2), `<= ${bounds.processorMs}`],
      ['distinct targets', String(distinct), `= ${targets}`],
      ['repeats within a minute', String(repeats), `<= ${bounds.repeats}`],
      [`rank of the smallest tenant's ${fewTargets} targets`, String(rank), `<= ${bounds.rank}`],
    ].map((row, index) => [...row, verdict(verdicts[index])]),
    notes: [
      `A sweep works for ${workingSeconds} s of each minute; it enqueued ${perSecond.toFixed(0)} targets per second of work. Measured on`,
      'this machine with the local database, whose process shares the processors. The queue accepts everything.',
    ],
    bounds: countBounds(verdicts),
  };
}

/** Counts messages for a target that got another message less than a minute before. */
function countRepeats(sent: readonly Sent[]): number {
  const last = new Map<string, number>();
  let repeats = 0;
  for (const { message, atMs } of sent) {
    const beforeMs = last.get(message.postId) ?? Number.NEGATIVE_INFINITY;
    if (atMs - beforeMs < minuteMs) repeats += 1;
    last.set(message.postId, atMs);
  }
  return repeats;
}

/** Time that a worker needs for a batch of overdue text posts: two writes, the platform's call, two writes. */
const batchSeconds = 4;

async function recoveryTable({ perSecond }: Measured): Promise<BenchTable> {
  // Imported here, because it loads the CDK.
  const { findStage } = await import('../../infra/stages.ts');
  const { queues } = concurrencyBounds(workerFunctions, findStage('production'));
  const publishConcurrency = queues['publish-target'] ?? 0;
  const worker = workerFunctions.find(({ name }) => name === 'publish-target');
  const batchSize = worker?.trigger.kind === 'queue' ? worker.trigger.batchSize : 0;
  const publishedPerSecond = (publishConcurrency * batchSize) / batchSeconds;
  const rates = [10, 100, 200];
  const recoveries = rates.map((duePerSecond) =>
    recoveryAfter({
      outageMinutes: 60,
      duePerSecond,
      sweptPerMinute: perSecond * workingSeconds,
      publishedPerSecond,
    }),
  );
  const verdicts = recoveries.map(({ minutes }, index) =>
    rates[index] === 100 ? minutes <= bounds.recoveryMinutes : undefined,
  );
  return {
    title: 'Model: recovery after an outage of one hour',
    columns: ['due per second', 'minutes until all are live', 'bound', 'met', 'bound by'],
    rows: recoveries.map(({ minutes, boundBy }, index) => [
      String(rates[index]),
      String(minutes),
      verdicts[index] === undefined ? '' : `<= ${bounds.recoveryMinutes}`,
      verdict(verdicts[index]),
      boundBy,
    ]),
    notes: [
      `Computed from the measured rate of the sweep and ${publishConcurrency} workers that publish batches of ${batchSize} in ${batchSeconds} s each,`,
      `so ${publishedPerSecond} targets a second, less the targets that become due after the outage.`,
    ],
    bounds: countBounds(verdicts),
  };
}

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
}

/**
 * Starts an SQS endpoint that accepts every batch of messages for any queue. It ends with the process.
 *
 * @returns the start of its queues' URLs
 */
async function startQueueEndpoint(): Promise<string> {
  const server = createServer(async (request, response) => {
    const { Entries = [] } = JSON.parse(await text(request)) as { Entries?: readonly Entry[] };
    const Successful = Entries.map(({ Id, MessageBody }) => ({
      Id,
      MessageId: newId(systemClock()),
      MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
    }));
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.end(JSON.stringify({ Successful, Failed: [] }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
