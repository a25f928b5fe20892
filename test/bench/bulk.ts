import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findEngineProgram,
  startEngineProcess,
} from '@herald/local-cloud/engines/dynamodb/engine-program.ts';
import { build as createPosts } from '../../functions/api/posts/bulk.ts';
import { hourMs, toTimestamp } from '../../lib/kernel/clock.ts';
import { toMediaItem } from '../../lib/media/urls.ts';
import { dailyLimitsOf } from '../../lib/platforms/registry/daily-limits.ts';
import { openTable } from '../../lib/table/table.ts';
import { accessTo, createTable } from '../support/create-table.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';
import { type ApiCall, callHandler, type Handler } from './requests/api.ts';
import { type Meter, startMeter } from './requests/meter.ts';
import { type SeededWorkspace, seedWorkspace } from './requests/seed.ts';

const tableName = 'bench';
const mediaBaseUrl = 'https://media.example.com';
const targetsPerPost = 3;

/** The most requests to the table that a post of a bulk may take on average. At least one is needed: its transaction. */
const maxPerPost = 2.1;

export const bulk = defineBench({
  name: 'bulk',
  describe: 'requests to DynamoDB for each post of a bulk of 100 posts with three targets',
  sizes: { full: { posts: 100 }, smallest: { posts: 10 } },
  async measure({ posts }, { progress }) {
    const directory = await mkdtemp(join(tmpdir(), 'bulk-'));
    const engine = await startEngineProcess(findEngineProgram(directory));
    const meter = await startMeter(engine.client);
    try {
      await createTable(tableName, accessTo(meter.url));
      return [await measure(meter, posts, progress)];
    } finally {
      await meter.stop();
      await engine.stop();
      await rm(directory, { recursive: true });
    }
  },
});

async function measure(meter: Meter, posts: number, progress: (line: string) => void): Promise<BenchTable> {
  const table = openTable(tableName, accessTo(meter.url));
  const now = Date.now();
  const handler = createPosts({
    table,
    ratesPerMinute: { address: 1_000_000 },
    panelEdge: { originSecretDigest: '', plainHttpHosts: new Set<string>() },
    requestSessionCheck: async () => undefined,
    mediaBaseUrl,
    dailyLimits: dailyLimitsOf({}),
    stageFeatures: {},
    plainHttpHosts: new Set<string>(),
    pageReader: () => async () => ({ problem: 'no page is read' }),
  }) as unknown as Handler;
  const planned = (key: string) => (index: number) => ({
    scheduledFor: toTimestamp(now + (index + 1) * hourMs),
    idempotencyKey: `${key} ${index}`,
  });
  const repeated = planned(randomUUID());
  const cases: readonly [name: string, each: (index: number) => object][] = [
    ['with times', planned(randomUUID())],
    ['in slots', () => ({ scheduledFor: 'auto', idempotencyKey: randomUUID() })],
    ['drafts', () => ({ isDraft: true, idempotencyKey: randomUUID() })],
    ['created, to be repeated', repeated],
    ['repeated', repeated],
  ];
  const rows: { name: string; requests: number; transactions: number }[] = [];
  let workspace: SeededWorkspace | undefined;
  for (const [name, each] of cases) {
    progress(`a bulk of ${posts} posts: ${name}`);
    // A workspace of its own for each case, except that the last case repeats the one before.
    if (name !== 'repeated' || !workspace) workspace = await seedWorkspace(table, now, 1);
    meter.take();
    await callHandler(handler, workspace.apiKey, request(workspace, posts, each));
    const all = meter.take();
    rows.push({
      name,
      requests: all.length,
      transactions: all.filter(({ action }) => action === 'TransactWriteItems').length,
    });
  }
  table.client.destroy();
  const verdicts = rows.map(({ requests }) => requests <= maxPerPost * posts);
  return {
    title: `Requests to DynamoDB of one bulk of ${posts} posts with ${targetsPerPost} targets each`,
    columns: ['posts', 'requests', 'transactions', 'per post', 'bound', 'met'],
    rows: rows.map(({ name, requests, transactions }, index) => [
      name,
      String(requests),
      String(transactions),
      (requests / posts).toFixed(2),
      String(maxPerPost),
      verdict(verdicts[index]),
    ]),
    notes: [
      'Less than one request per post is impossible: each post has its own transaction. The figures contain the reads of the',
      'key and the write of the rate limit. A repeated post is read with one request instead.',
    ],
    bounds: countBounds(verdicts),
  };
}

function request(
  { accountIds, image }: SeededWorkspace,
  posts: number,
  each: (index: number) => object,
): ApiCall {
  const post = (index: number) => ({
    content: 'A post of three hundred characters. '.repeat(9).slice(0, 300),
    mediaItems: [toMediaItem(mediaBaseUrl, image)],
    platforms: accountIds.slice(0, targetsPerPost).map((accountId) => ({ accountId })),
    ...each(index),
  });
  return {
    method: 'POST',
    route: '/v1/posts/bulk',
    body: { posts: Array.from({ length: posts }, (_, index) => post(index)) },
  };
}
