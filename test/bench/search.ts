import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findEngineProgram,
  startEngineProcess,
} from '@herald/local-cloud/engines/dynamodb/engine-program.ts';
import type { Context } from '../../lib/api-contract/context.ts';
import { minuteMs, toTimestamp } from '../../lib/kernel/clock.ts';
import { newId } from '../../lib/kernel/ids.ts';
import { editPost } from '../../lib/posts/edit.ts';
import { listPosts } from '../../lib/posts/list/list-posts.ts';
import type { PostFilters } from '../../lib/posts/list/plan.ts';
import { removePost } from '../../lib/posts/remove.ts';
import { EditPostBody } from '../../lib/posts/request/schemas.ts';
import { indexPost } from '../../lib/posts/search/index-post.ts';
import { indexEntry, postWordItems, searchedPostItem } from '../../lib/posts/search/index-rows.ts';
import { stemOf } from '../../lib/posts/search/words.ts';
import { postItem } from '../../lib/posts/stored/store.ts';
import { batchPut } from '../../lib/table/batch-write.ts';
import type { Item } from '../../lib/table/items.ts';
import { openTable, type Table } from '../../lib/table/table.ts';
import { openFixture } from '../lib/posts/fixture.ts';
import { aPost, aTarget, openWorkspace } from '../support/builders.ts';
import { accessTo, createTable } from '../support/create-table.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';
import { dollarsPerThousand, noUsage } from './publish-cost/prices.ts';
import { type Meter, startMeter } from './requests/meter.ts';
import { randomNumbers, textOf, vocabulary } from './search/texts.ts';

const tableName = 'bench';
const wordsPerPost = 25;
const accountCount = 100;
/** The most that a thousand posts of 25 words may cost. */
const dollarsBound = 0.02;
/** The most requests of a page: five queries and ten batches. */
const requestsBound = 15;

export const search = defineBench({
  name: 'search',
  describe: 'what the search costs: to index posts, and per page with 100 and with 100,000 posts',
  sizes: { full: { postCounts: [100, 100_000] }, smallest: { postCounts: [1, 10] } },
  async measure({ postCounts }, { progress }) {
    const directory = await mkdtemp(join(tmpdir(), 'search-'));
    const engine = await startEngineProcess(findEngineProgram(directory));
    const meter = await startMeter(engine.client);
    try {
      await createTable(tableName, accessTo(meter.url));
      const table = openTable(tableName, accessTo(meter.url));
      const written = await measureWrites(meter, table);
      const read = await measureReads(meter, table, postCounts, progress);
      table.client.destroy();
      return [written, read];
    } finally {
      await meter.stop();
      await engine.stop();
      await rm(directory, { recursive: true });
    }
  },
});

async function measureWrites(meter: Meter, table: Table): Promise<BenchTable> {
  const { context, create } = await openFixture(table);
  const random = randomNumbers(2);
  const rows: string[][] = [];
  const verdicts: (boolean | undefined)[] = [];
  const measure = async (name: string, postId: string, isBound = false) => {
    meter.take();
    await indexPost(table, { workspaceId: context.workspaceId, postId });
    const requests = meter.take();
    const sum = (units: 'readUnits' | 'writeUnits') =>
      requests.reduce((total, request) => total + request[units], 0);
    const [writeUnits, readUnits] = [sum('writeUnits'), sum('readUnits')];
    const dollars = dollarsPerThousand({ ...noUsage, writeUnits, readUnits });
    const isMet = isBound ? dollars <= dollarsBound : undefined;
    verdicts.push(isMet);
    const figures = [requests.length, writeUnits, readUnits].map(String);
    rows.push([name, ...figures, dollars.toFixed(4), isBound ? String(dollarsBound) : '', verdict(isMet)]);
  };
  const ids: string[] = [];
  for (const count of [wordsPerPost, 100, 200, 400]) {
    const { post } = await create({ content: textOf(count, random), isDraft: true });
    ids.push(post.id);
    await measure(`new post, ${count} words`, post.id, count === wordsPerPost);
  }
  const [postId = ''] = ids;
  await measure('the same record again', postId);
  const content = textOf(wordsPerPost, random);
  await editPost(context, postId, EditPostBody.parse({ content }));
  await measure(`edit, ${wordsPerPost} other words`, postId);
  await removePost(context, postId);
  await measure(`deletion, ${wordsPerPost} words`, postId);
  return {
    title: 'Index of the search: request units per post',
    columns: ['change', 'requests', 'WRU', 'RRU', '$ per 1,000', 'bound', 'met'],
    rows,
    notes: [
      'Includes the reads of the post. A change of a status causes none of this. Units are those of the local engine, which counts as AWS',
      'documents; prices are the list prices of us-east-1 of November 2026.',
    ],
    bounds: countBounds(verdicts),
  };
}

interface Asked {
  readonly name: string;
  readonly filters: PostFilters;
}

async function measureReads(
  meter: Meter,
  table: Table,
  postCounts: readonly number[],
  progress: (line: string) => void,
): Promise<BenchTable> {
  const [frequent = '', seldom = '', rare = ''] = [70, 3_500, 25_000].map((rank) => vocabulary[rank]);
  const short = vocabulary.find((word) => word.length === 2) ?? '';
  const accountIds = Array.from({ length: accountCount }, (_, index) => newId(index));
  const asked: readonly Asked[] = [
    { name: 'a frequent word', filters: { search: frequent } },
    { name: 'a seldom word', filters: { search: seldom } },
    { name: 'a rare word', filters: { search: rare } },
    { name: 'a word that no post has', filters: { search: `${frequent.slice(0, 4)}zzz` } },
    { name: 'a frequent and a rare word', filters: { search: `${frequent} ${rare}` } },
    { name: 'the beginning of four letters', filters: { search: rare.slice(0, 4) } },
    { name: 'the beginning of two letters', filters: { search: rare.slice(0, 2) } },
    { name: 'two letters that no word begins with', filters: { search: 'zq' } },
    {
      name: 'a frequent word, one account of 100',
      filters: { search: frequent, accountId: accountIds.slice(0, 1) },
    },
    { name: 'a frequent word, a status that no post has', filters: { search: frequent, status: ['failed'] } },
    { name: 'a frequent word, by time', filters: { search: frequent, sort: 'scheduledFor' } },
    { name: 'two short frequent words', filters: { search: `${short} ${frequent.slice(0, 2)}` } },
  ];
  const stems = new Set(asked.flatMap(({ filters }) => (filters.search ?? '').split(' ').map(stemOf)));
  const costs: string[][][] = [];
  const verdicts: boolean[] = [];
  for (const count of postCounts) {
    progress(`filling a workspace with ${count} posts`);
    const context = await fill(table, count, accountIds, stems);
    const ofCount: string[][] = [];
    for (const { filters } of asked) {
      meter.take();
      const { posts, nextCursor } = await listPosts(context, { limit: 50, ...filters });
      const requests = meter.take();
      verdicts.push(requests.length <= requestsBound);
      const units = requests.reduce((total, request) => total + request.readUnits, 0);
      ofCount.push([
        String(requests.length),
        units.toFixed(1),
        `${posts.length}${nextCursor === null ? '' : ' and more'}`,
      ]);
    }
    costs.push(ofCount);
  }
  const counts = postCounts.map((count) => count.toLocaleString('en'));
  return {
    title: `Search: the first page of 50, by the number of posts in the workspace`,
    columns: [
      'search',
      ...counts.flatMap((count) => [`requests at ${count}`, `RRU at ${count}`, `found at ${count}`]),
    ],
    rows: asked.map(({ name }, index) => [name, ...costs.flatMap((ofCount) => ofCount[index] ?? [])]),
    notes: [
      `Posts have ${wordsPerPost} of ${vocabulary.length.toLocaleString('en')} invented words, whose frequencies follow Zipf's law. A frequent word is that of rank 70,`,
      `a seldom one of rank 3,500, a rare one of rank 25,000. No page may take more than ${requestsBound} requests: ${verdict(!verdicts.includes(false))}. Only rows that these searches can`,
      'read are stored.',
    ],
    bounds: countBounds(verdicts),
  };
}

/** Fills a workspace with posts a minute apart, each to one account, and with the rows of their words that have one of the stems. */
async function fill(
  table: Table,
  count: number,
  accountIds: readonly string[],
  stems: ReadonlySet<string>,
): Promise<Context> {
  const { context } = await openWorkspace(table);
  const { workspaceId, now } = context;
  const random = randomNumbers(3);
  const batchSize = 1_000;
  for (let first = 0; first < count; first += batchSize) {
    const items: Item[] = [];
    for (let index = first; index < Math.min(count, first + batchSize); index += 1) {
      const createdMs = now - (count - index) * minuteMs;
      const postId = newId(createdMs);
      const scheduledFor = toTimestamp(createdMs);
      const accountId = accountIds[index % accountIds.length] ?? '';
      const target = aTarget({ workspaceId, postId, accountId, scheduledFor });
      const content = textOf(wordsPerPost, random);
      const post = aPost([target], { content, scheduledFor, status: 'published' });
      const entry = indexEntry(postId, { post, targets: [target] });
      if (!entry) continue;
      items.push(postItem(post), searchedPostItem(workspaceId, { ...entry.row, revision: 1 }));
      items.push(
        ...postWordItems(workspaceId, entry).filter(({ sk }) => stems.has(String(sk).split('#')[0] ?? '')),
      );
    }
    await batchPut(table, items);
  }
  return context;
}
