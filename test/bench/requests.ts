import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findEngineProgram,
  startEngineProcess,
} from '@herald/local-cloud/engines/dynamodb/engine-program.ts';
import type { ConsumedCapacity } from '@herald/local-cloud/engines/types.ts';
import { openTable } from '../../lib/table/table.ts';
import { accessTo, createTable } from '../support/create-table.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';
import { callHandler } from './requests/api.ts';
import { type Meter, startMeter } from './requests/meter.ts';
import { type MeasuredOperation, measuredOperations } from './requests/operations.ts';
import { type SeededWorkspace, seedWorkspace } from './requests/seed.ts';

const tableName = 'bench';

export const requests = defineBench({
  name: 'requests',
  describe: 'requests to DynamoDB and consumed capacity of each operation, with 100 and with 20,000 posts',
  sizes: { full: { postCounts: [100, 20_000] }, smallest: { postCounts: [1, 2] } },
  async measure({ postCounts }, { progress }) {
    const directory = await mkdtemp(join(tmpdir(), 'requests-'));
    const engine = await startEngineProcess(findEngineProgram(directory));
    const meter = await startMeter(engine.client);
    try {
      await createTable(tableName, accessTo(meter.url));
      return [await measure(meter, postCounts, progress)];
    } finally {
      await meter.stop();
      await engine.stop();
      await rm(directory, { recursive: true });
    }
  },
});

/** The cost of one call. The rate limit's write is separate, because every request makes it, whatever the operation. */
interface Cost {
  readonly requests: readonly ConsumedCapacity[];
  readonly rateLimit: readonly ConsumedCapacity[];
}

async function measure(
  meter: Meter,
  postCounts: readonly number[],
  progress: (line: string) => void,
): Promise<BenchTable> {
  const table = openTable(tableName, accessTo(meter.url));
  const now = Date.now();
  const workspaces: SeededWorkspace[] = [];
  for (const postCount of postCounts) {
    progress(`filling a workspace with ${postCount} posts`);
    workspaces.push(await seedWorkspace(table, now, postCount));
  }
  const measured: { operation: MeasuredOperation; costs: Cost[] }[] = [];
  for (const operation of measuredOperations(table, now)) {
    const costs: Cost[] = [];
    for (const workspace of workspaces) costs.push(await costOf(meter, operation, workspace));
    measured.push({ operation, costs });
  }
  table.client.destroy();
  return toTable(measured, postCounts);
}

/** Measures the second call, when the function is warm and has cached the key. */
async function costOf(meter: Meter, operation: MeasuredOperation, workspace: SeededWorkspace): Promise<Cost> {
  await callHandler(operation.handler, workspace.apiKey, operation.call(workspace));
  meter.take();
  await callHandler(operation.handler, workspace.apiKey, operation.call(workspace));
  const all = meter.take();
  return {
    requests: all.filter((request) => !isRateCount(request)),
    rateLimit: all.filter(isRateCount),
  };
}

const isRateCount = ({ action, input }: ConsumedCapacity): boolean =>
  action === 'UpdateItem' && JSON.stringify(input['Key']).includes('"RATE#');

function toTable(
  measured: readonly { operation: MeasuredOperation; costs: readonly Cost[] }[],
  postCounts: readonly number[],
): BenchTable {
  const verdicts = measured.map(({ operation: { requestBound }, costs }) =>
    requestBound === undefined ? undefined : costs.every(({ requests }) => requests.length <= requestBound),
  );
  const everything = measured.flatMap(({ costs }) => costs);
  const scans = everything.flatMap((cost) => cost.requests).filter(({ action }) => action === 'Scan').length;
  const counts = postCounts.map((count) => count.toLocaleString('en'));
  const figures = (costs: readonly Cost[], figure: (cost: Cost) => number) =>
    costs.map((cost) => String(figure(cost)));
  return {
    title: 'Requests to DynamoDB and request units of one call, by the number of posts in the workspace',
    columns: [
      'operation',
      ...counts.map((count) => `requests at ${count}`),
      'bound',
      'met',
      ...counts.map((count) => `WRU at ${count}`),
      ...counts.map((count) => `RRU at ${count}`),
      'actions',
    ],
    rows: measured.map(({ operation, costs }, index) => [
      operation.name,
      ...figures(costs, ({ requests }) => requests.length),
      String(operation.requestBound ?? ''),
      verdict(verdicts[index]),
      ...figures(costs, ({ requests }) => sum(requests, 'writeUnits')),
      ...figures(costs, ({ requests }) => sum(requests, 'readUnits')),
      costs
        .at(-1)
        ?.requests.map(({ action }) => action)
        .join(', ') ?? '',
    ]),
    notes: [
      `Scans: ${scans}; none are allowed: ${verdict(scans === 0)}. For each call the rate limit takes another ${rangeOf(everything, ({ rateLimit }) => rateLimit.length)} request and`,
      `${rangeOf(everything, ({ rateLimit }) => sum(rateLimit, 'writeUnits'))} WRU. Functions are warm; every 30 s a function reads the key again: 1 request, 0.5 RRU;`,
      'the first request of a day with a key adds the write of its last use: 1 request, 1 WRU.',
      'Posts have 300 characters, an image and one target. Units are those of the local engine, which counts as AWS',
      'documents: writes per KB and doubled in a transaction, the same again for each changed index, reads per 4 KB.',
    ],
    bounds: countBounds([...verdicts, scans === 0]),
  };
}

function sum(requests: readonly ConsumedCapacity[], units: 'readUnits' | 'writeUnits'): number {
  return requests.reduce((total, request) => total + request[units], 0);
}

/** `1`, or `1 to 2` if the values differ. */
function rangeOf(costs: readonly Cost[], figure: (cost: Cost) => number): string {
  const all = costs.map(figure);
  const min = Math.min(...all);
  const max = Math.max(...all);
  return min === max ? String(max) : `${min} to ${max}`;
}
