import { setTimeout as delay } from 'node:timers/promises';
import type { ConsumedCapacity } from '@herald/local-cloud/engines/types.ts';
import { hourMs, secondMs, toTimestamp } from '../../lib/kernel/clock.ts';
import { newId } from '../../lib/kernel/ids.ts';
import { type Answer, type Client, clientOf } from '../journeys/support/client.ts';
import type { TestCloud } from '../support/local-cloud.ts';
import { percentile } from './arrivals.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';

interface Size {
  readonly perSecond: number;
  readonly seconds: number;
}

/** A request that is sent at a fixed rate. */
interface Load {
  readonly name: string;
  readonly functionName: string;
  readonly expected: number;
  readonly send: (client: Client, index: number) => Promise<Answer>;
}

const text = 'A post of three hundred characters. '.repeat(9).slice(0, 300);

const loads: readonly Load[] = [
  {
    name: 'read a post that does not exist',
    functionName: 'posts-read',
    expected: 404,
    send: (client, index) => client.request('GET', `/v1/posts/${newId(index)}`),
  },
  {
    name: 'create a draft',
    functionName: 'posts-create',
    expected: 201,
    send: (client) => client.request('POST', '/v1/posts', { content: text, isDraft: true }),
  },
  {
    name: 'create a post with three targets',
    functionName: 'posts-create',
    expected: 201,
    send: (client) =>
      client.request('POST', '/v1/posts', {
        content: text,
        platforms: ['facebook', 'linkedin', 'threads'].map((name) => ({ accountId: client.accountId(name) })),
        scheduledFor: toTimestamp(Date.now() + 2 * hourMs),
      }),
  },
];

const bounds = {
  /** An alarm rings if one request in a hundred takes three seconds. */
  p99Ms: 1_000,
  /** The median of a creation, as a multiple of that of the read, which pays for the same way through the gateway. */
  timesRead: 4,
  /** The requests to the table of a creation: what it refers to, its transaction, and the count of the rate limit. */
  requests: 3.2,
};

/** The requests that start the environments, and are not measured. */
const warmUpRequests = 16;

export const createLoad = defineBench<Size>({
  name: 'create-load',
  describe:
    'latency of creating posts at a fixed rate of arrivals, with its requests to the table and its units',
  sizes: { full: { perSecond: 10, seconds: 60 }, smallest: { perSecond: 10, seconds: 0.3 } },
  async measure(size, { progress, withCloud }) {
    const consumed: ConsumedCapacity[] = [];
    const observer = { onConsumedCapacity: (each: ConsumedCapacity) => void consumed.push(each) };
    return withCloud({ observer }, async (cloud) => {
      const measured: Measured[] = [];
      for (const load of loads) {
        progress(`${load.name}: ${size.perSecond} per second for ${size.seconds} s`);
        measured.push(await measureLoad(cloud, load, size, consumed));
      }
      return [toTable(measured, size)];
    });
  },
});

interface Measured {
  readonly load: Load;
  /** Latencies from the times at which the requests were due, ascending. */
  readonly latencyMs: readonly number[];
  readonly refused: number;
  /** Per request that is served. */
  readonly requests: number;
  readonly writeUnits: number;
  readonly readUnits: number;
}

/** Sends each request at its time, whether or not earlier ones have been answered. */
async function measureLoad(
  cloud: TestCloud,
  load: Load,
  { perSecond, seconds }: Size,
  consumed: ConsumedCapacity[],
): Promise<Measured> {
  const client = clientOf(cloud, cloud.demo);
  await Promise.all(Array.from({ length: warmUpRequests }, (_, index) => load.send(client, index)));
  consumed.splice(0);
  const count = Math.ceil(perSecond * seconds);
  const begunMs = performance.now();
  const answers = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const dueMs = begunMs + (index * secondMs) / perSecond;
      await delay(Math.max(0, dueMs - performance.now()));
      const { status } = await load.send(client, index);
      return { status, latencyMs: performance.now() - dueMs };
    }),
  );
  const served = answers.filter(({ status }) => status === load.expected).length;
  const own = consumed
    .splice(0)
    .filter(({ principalArn }) => principalArn?.endsWith(`/${load.functionName}`));
  const perRequest = (figure: (each: ConsumedCapacity) => number) =>
    own.reduce((sum, each) => sum + figure(each), 0) / Math.max(1, served);
  return {
    load,
    latencyMs: answers.map(({ latencyMs }) => latencyMs).toSorted((one, other) => one - other),
    refused: count - served,
    requests: perRequest(() => 1),
    writeUnits: perRequest(({ writeUnits }) => writeUnits),
    readUnits: perRequest(({ readUnits }) => readUnits),
  };
}

function toTable(measured: readonly Measured[], { perSecond, seconds }: Size): BenchTable {
  const [read] = measured;
  const readMs = percentile(read?.latencyMs ?? [], 0.5);
  const rows = measured.map((each) => {
    const { latencyMs, refused, requests } = each;
    const [median, p99] = [percentile(latencyMs, 0.5), percentile(latencyMs, 0.99)];
    const isCreation = each !== read;
    return {
      each,
      ...{ median, p99 },
      times: median / readMs,
      areMet: [
        refused === 0,
        p99 <= bounds.p99Ms,
        isCreation ? median <= bounds.timesRead * readMs : undefined,
        isCreation ? requests <= bounds.requests : undefined,
      ],
    };
  });
  return {
    title: `Requests that arrive at a fixed rate: ${perSecond} per second for ${seconds} s`,
    columns: [
      ...['request', 'refused', 'met', 'p50 ms', '× the read', 'met', 'p99 ms', 'met', 'slowest ms'],
      ...['requests to the table', 'met', 'WRU', 'RRU'],
    ],
    rows: rows.map(({ each, median, p99, times, areMet: [isServed, isQuick, isClose, isThrifty] }) => [
      each.load.name,
      String(each.refused),
      verdict(isServed),
      median.toFixed(0),
      times.toFixed(1),
      verdict(isClose),
      p99.toFixed(0),
      verdict(isQuick),
      (each.latencyMs.at(-1) ?? 0).toFixed(0),
      each.requests.toFixed(2),
      verdict(isThrifty),
      each.writeUnits.toFixed(1),
      each.readUnits.toFixed(1),
    ]),
    notes: [
      'A request is sent at its time even if earlier ones are not answered, and its latency counts from that time: a queue that builds',
      'up shows. Gateway, functions, table and this client share one machine, and the effects of the posts run at the same time. Functions',
      `are warm. The read is the peer: it takes the same way with one read. Bounds: none refused; p99 at most ${bounds.p99Ms} ms; the`,
      `median of a creation at most ${bounds.timesRead} times the read's; at most ${bounds.requests} requests to the table, with the count of the rate limit.`,
    ],
    bounds: countBounds(rows.flatMap(({ areMet }) => areMet)),
  };
}
