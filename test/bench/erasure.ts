import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findEngineProgram,
  startEngineProcess,
} from '@herald/local-cloud/engines/dynamodb/engine-program.ts';
import type { ConsumedCapacity } from '@herald/local-cloud/engines/types.ts';
import { eraseDueWorkspaces } from '../../lib/erasure/run.ts';
import { type Clock, dayMs, hourMs, secondMs, systemClock, toTimestamp } from '../../lib/kernel/clock.ts';
import { unconditionally } from '../../lib/table/condition.ts';
import { updateItem } from '../../lib/table/items.ts';
import { erasureShard, workspaceKey } from '../../lib/table/keys.ts';
import { openTable, type Table } from '../../lib/table/table.ts';
import { accessTo, createTable } from '../support/create-table.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';
import { type Meter, startMeter } from './requests/meter.ts';
import { seedWorkspace } from './requests/seed.ts';

/** A workspace to erase. */
interface Job {
  readonly posts: number;
  /** The requests after which an invocation is out of time; absent if it has all the time that it needs. */
  readonly invocationRequests?: number;
}

interface Size {
  /** The last one is the one before it, cut into invocations. */
  readonly jobs: readonly [Job, Job, Job];
}

const bounds = {
  /** One query, and one deletion each for the post, its target, its live post and its places in days; what else the workspace has. */
  requestsPerPost: 9,
  /** The requests that cutting the work adds, in percent. */
  repeatedPercent: 20,
};

export const erasure = defineBench<Size>({
  name: 'erasure',
  describe:
    'erasure of a workspace of 10,000 posts: requests, units, and what cutting it into invocations costs',
  sizes: {
    full: { jobs: [{ posts: 10_000 }, { posts: 1_000 }, { posts: 1_000, invocationRequests: 2_000 }] },
    smallest: { jobs: [{ posts: 3 }, { posts: 40 }, { posts: 40, invocationRequests: 700 }] },
  },
  async measure({ jobs }, { progress }) {
    const directory = await mkdtemp(join(tmpdir(), 'erasure-'));
    const engine = await startEngineProcess(findEngineProgram(directory));
    const meter = await startMeter(engine.client);
    try {
      await createTable('bench', accessTo(meter.url));
      const table = openTable('bench', accessTo(meter.url));
      const measured: Erased[] = [];
      for (const job of jobs) {
        progress(`filling a workspace with ${job.posts} posts, and erasing it`);
        measured.push(await eraseOne(table, meter, job));
      }
      table.client.destroy();
      return [toTable(measured)];
    } finally {
      await meter.stop();
      await engine.stop();
      await rm(directory, { recursive: true });
    }
  },
});

interface Erased {
  readonly job: Job;
  readonly invocations: number;
  readonly seconds: number;
  readonly requests: readonly ConsumedCapacity[];
}

/** The most invocations; more would mean that they do not continue. */
const maxInvocations = 100;

/** Fills a workspace whose grace is over and whose accounts are closed, and erases it in as many invocations as that takes. */
async function eraseOne(shared: Table, meter: Meter, job: Job): Promise<Erased> {
  const startMs = systemClock();
  const { workspaceId } = await seedWorkspace(shared, startMs, job.posts);
  const since = toTimestamp(startMs - hourMs);
  await updateItem(shared, workspaceKey(workspaceId), {
    set: {
      ...{ suspendedAt: toTimestamp(startMs - 31 * dayMs), deleteAfter: toTimestamp(startMs - dayMs) },
      ...{ erasingSince: since, closedAt: since, dueAt: since, dueShard: erasureShard },
    },
    if: unconditionally,
  });
  meter.take();
  let sent = 0;
  shared.client.middlewareStack.add(
    (next) => (request) => {
      sent += 1;
      return next(request);
    },
    { step: 'initialize', name: 'counter', override: true },
  );
  // Each request takes a millisecond of this clock, so that the cuts do not depend on the machine.
  const now = () => startMs + sent;
  const begunMs = performance.now();
  for (let invocations = 1; invocations <= maxInvocations; invocations += 1) {
    const deadlineMs = now() + (job.invocationRequests ?? Number.MAX_SAFE_INTEGER - startMs - sent);
    const count = await eraseDueWorkspaces(portsOf(shared, now), deadlineMs);
    if (count.erased === 1) {
      const seconds = (performance.now() - begunMs) / secondMs;
      return { job, invocations, seconds, requests: meter.take() };
    }
    if (count.unfinished !== 1) throw new Error(`the erasure does not continue: ${JSON.stringify(count)}`);
  }
  throw new Error(`the erasure has not ended after ${maxInvocations} invocations`);
}

/** Ports without platforms and files: the accounts of the workspace have no tokens any more, and its bucket is empty. */
function portsOf(table: Table, now: Clock): Parameters<typeof eraseDueWorkspaces>[0] {
  const none = () => {
    throw new Error('the workspace has no account to revoke');
  };
  return {
    ...{ table, now },
    sleep: async () => {},
    vault: undefined as never,
    authorizationFor: none,
    toolsFor: none,
    listObjects: async () => [],
    removeObject: async () => {},
    invalidate: async () => {},
    report: (message, error) => {
      throw new Error(message, { cause: error });
    },
  };
}

function toTable(measured: readonly Erased[]): BenchTable {
  const [, whole, cut] = measured;
  const verdicts: (boolean | undefined)[] = [];
  const rows = measured.map((each) => {
    const { job, invocations, seconds, requests } = each;
    const perPost = (figure: (request: ConsumedCapacity) => number) =>
      requests.reduce((total, request) => total + figure(request), 0) / job.posts;
    const ofAll = perPost(() => 1);
    const repeated = (100 * (requests.length - (whole?.requests.length ?? 0))) / requests.length;
    const isThrifty = each === cut ? undefined : ofAll <= bounds.requestsPerPost;
    const isContinued = each === cut ? repeated <= bounds.repeatedPercent : undefined;
    verdicts.push(isThrifty, isContinued);
    return [
      job.posts.toLocaleString('en'),
      job.invocationRequests?.toLocaleString('en') ?? 'all',
      String(invocations),
      requests.length.toLocaleString('en'),
      ofAll.toFixed(2),
      verdict(isThrifty),
      perPost(({ action }) => (action === 'DeleteItem' ? 1 : 0)).toFixed(2),
      perPost(({ writeUnits }) => writeUnits).toFixed(2),
      perPost(({ readUnits }) => readUnits).toFixed(2),
      each === cut ? repeated.toFixed(1) : '',
      verdict(isContinued),
      seconds.toFixed(1),
    ];
  });
  return {
    title: 'Erasure of a workspace, per post with one target and one image',
    columns: [
      ...[
        'posts',
        'requests an invocation',
        'invocations',
        'requests',
        'per post',
        'met',
        'deletions per post',
      ],
      ...['WRU per post', 'RRU per post', 'repeated %', 'met', 'seconds'],
    ],
    rows,
    notes: [
      'Nine of ten posts are live. The workspace also has 50 accounts, whose partitions are searched. A deployed invocation has 590 s, and',
      'the next one begins an hour later; here an invocation ends after a number of requests, to show what it costs that the next one',
      'searches again. Seconds are those of this machine and its engine. Files are left out: each takes a request to S3.',
      `Bounds: ${bounds.requestsPerPost} requests per post; at most ${bounds.repeatedPercent} % of the requests of a cut erasure are repeated.`,
    ],
    bounds: countBounds(verdicts),
  };
}
