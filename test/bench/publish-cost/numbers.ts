import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findEngineProgram,
  startEngineProcess,
} from '@herald/local-cloud/engines/dynamodb/engine-program.ts';
import type { ConsumedCapacity } from '@herald/local-cloud/engines/types.ts';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { countedTarget, type LiveTarget } from '../../../lib/insights/numbers-row.ts';
import { noteLive } from '../../../lib/insights/store.ts';
import { readDueNumbers, type SweepNumbersPorts } from '../../../lib/insights/sweep.ts';
import { dayMs, hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { PlatformInsights } from '../../../lib/platforms/contract/insights.ts';
import type { PlatformTools } from '../../../lib/platforms/contract/tools.ts';
import { featuresFor } from '../../../lib/platforms/registry/features.ts';
import { openTable, type Table } from '../../../lib/table/table.ts';
import { aTarget, openWorkspace, startMs, storeAccount } from '../../support/builders.ts';
import { accessTo, createTable } from '../../support/create-table.ts';
import { type BenchTable, countBounds, verdict } from '../bench.ts';
import { type Meter, startMeter } from '../requests/meter.ts';
import { dollarsPerThousand, noUsage, type Usage } from './prices.ts';
import { partitionOf } from './shares.ts';

/** The destinations of a post. */
const platforms = ['facebook', 'instagram', 'threads'] as const;

/** Budget of the numbers of a thousand posts, in dollars, if each account publishes every day. */
export const numbersBudget = 0.03;

/** The days after which a post has all its readings. */
const lastReadingDays = 29;

/**
 * The time for which an account is asked, as a share of an invocation that asks ten at the same time: two seconds, with 256 MB.
 * Measured nowhere: it is that of the platforms.
 */
const gigabyteSecondsPerVisit = (2 / 10) * 0.25;

/** The numbers of a post's destinations from the time at which it goes live to the last reading. */
interface NumbersUse {
  readonly name: string;
  readonly posts: Usage;
  /** The numbers of the accounts themselves, for which the same visits are used. */
  readonly accounts: Usage;
  readonly hasBudget: boolean;
}

/** Measures the numbers of a post whose accounts publish one every day at the same time, and of a post that is their only one. */
export async function measureNumbers(days: number): Promise<readonly NumbersUse[]> {
  const directory = await mkdtemp(join(tmpdir(), 'numbers-'));
  const engine = await startEngineProcess(findEngineProgram(directory));
  const meter = await startMeter(engine.client);
  try {
    const daily = await measureDays(meter, 'daily', lastReadingDays + days, () => true);
    const lastDays = daily.slice(lastReadingDays);
    const alone = await measureDays(meter, 'alone', lastReadingDays, (day) => day === 0);
    return [
      { name: 'a post every day', ...meanOf(lastDays, lastDays.length), hasBudget: true },
      { name: 'the only post', ...meanOf(alone, 1), hasBudget: false },
    ];
  } finally {
    await meter.stop();
    await engine.stop();
    await rm(directory, { recursive: true });
  }
}

interface DayUse {
  readonly consumed: readonly ConsumedCapacity[];
  readonly visits: number;
}

/** Lets days pass in a table of their own, with a run of the reader when something is due. */
async function measureDays(
  meter: Meter,
  tableName: string,
  days: number,
  hasPost: (day: number) => boolean,
): Promise<DayUse[]> {
  await createTable(tableName, accessTo(meter.url));
  const table = openTable(tableName, accessTo(meter.url));
  const fromMs = startMs;
  const { context } = await openWorkspace(table, { now: fromMs });
  const accounts = await Promise.all(
    platforms.map((platform) =>
      storeAccount(table, context.workspaceId, {
        platform,
        platformAccountId: newId(fromMs),
        scopes: Object.values(featuresFor(platform).scopes).flat(),
      }),
    ),
  );
  const measured: DayUse[] = [];
  for (let day = 0; day < days; day += 1) {
    const publishedMs = fromMs + day * dayMs;
    meter.take();
    const consumed: ConsumedCapacity[] = [];
    if (hasPost(day)) {
      const postId = newId(publishedMs);
      for (const account of accounts)
        await noteLive(table, liveTarget(account, postId, publishedMs), publishedMs);
      consumed.push(...meter.take());
    }
    const visited = new Set<string>();
    const nowMs = publishedMs + hourMs + 2 * minuteMs;
    await readDueNumbers(readingPorts(table, nowMs, visited), nowMs + minuteMs);
    consumed.push(...meter.take());
    measured.push({ consumed, visits: visited.size });
  }
  table.client.destroy();
  return measured;
}

function liveTarget({ id, platform, workspaceId }: Account, postId: string, publishedMs: number): LiveTarget {
  const target = aTarget({
    ...{ workspaceId, postId, accountId: id, platform },
    status: 'published',
    platformPostId: '17895695668004550',
    publishedAt: toTimestamp(publishedMs),
  });
  const live = countedTarget(target);
  if (live === undefined) throw new Error('the target is not counted');
  return live;
}

/** @param visited accounts whose tokens are decrypted; a function keeps their data keys for five minutes */
function readingPorts(table: Table, nowMs: number, visited: Set<string>): SweepNumbersPorts {
  const insights: PlatformInsights = {
    postsPerRead: 50,
    async readPosts(posts) {
      const numbers = { views: 123_456, reach: 98_765, likes: 4_321, comments: 321, shares: 45, saves: 67 };
      return new Map(posts.map(({ platformPostId }) => [platformPostId, numbers]));
    },
    readAccount: async (days) => new Map(days.map((day) => [day, { followers: 12_345, views: 67_890 }])),
  };
  const on = ['publish', 'insights'] as const;
  return {
    table,
    now: () => nowMs,
    uniqueId: () => newId(nowMs),
    insightsFor: async () => insights,
    toolsFor: async () => ({ now: () => nowMs }) as PlatformTools,
    accessToken: async ({ id }) => {
      visited.add(id);
      return 'token';
    },
    report(message, error) {
      throw new Error(message, { cause: error });
    },
    stageFeatures: { facebook: [...on], instagram: [...on], threads: [...on] },
    isHeard: async () => false,
  };
}

function meanOf(days: readonly DayUse[], posts: number): Pick<NumbersUse, 'posts' | 'accounts'> {
  const [ofPosts, ofAccounts] = [{ ...noUsage }, { ...noUsage }];
  for (const { consumed, visits } of days) {
    ofPosts.keyCalls += visits / posts;
    ofPosts.gigabyteSeconds += (visits * gigabyteSecondsPerVisit) / posts;
    for (const each of consumed) {
      const partition = partitionOf(each);
      if (isPeriodic(each, partition)) continue;
      const usage = partition === 'ACCOUNT-NUMBERS' ? ofAccounts : ofPosts;
      usage.readUnits += each.readUnits / posts;
      usage.writeUnits += each.writeUnits / posts;
    }
  }
  return { posts: ofPosts, accounts: ofAccounts };
}

/** Looking for what is due, and noting how far that is, costs the same without posts. */
const isPeriodic = ({ action }: ConsumedCapacity, partition: string): boolean =>
  action === 'Query' || partition === 'NUMBERS-PROGRESS';

/** Returns what the numbers of a post use, next to their budget. */
export function numbersTable(uses: readonly NumbersUse[]): BenchTable {
  const lines = uses.map((use) => {
    const dollars = dollarsPerThousand(use.posts);
    return { ...use, dollars, isMet: dollars > 0 && dollars <= numbersBudget };
  });
  const bound = lines.filter(({ hasBudget }) => hasBudget);
  const shown = (number: number) => String(Number(number.toFixed(2)));
  return {
    title: `Numbers of a post with ${platforms.length} targets: all readings, and $ per thousand posts`,
    columns: [
      'accounts publish',
      'WRU',
      'RRU',
      'KMS',
      '$',
      "the accounts' days: WRU",
      '$',
      'budget: $',
      'met',
    ],
    rows: lines.map(({ name, posts, accounts, dollars, hasBudget, isMet }) => [
      name,
      shown(posts.writeUnits),
      shown(posts.readUnits),
      shown(posts.keyCalls),
      dollars.toFixed(4),
      shown(accounts.writeUnits),
      dollarsPerThousand(accounts).toFixed(4),
      hasBudget ? numbersBudget.toFixed(4) : '',
      hasBudget ? verdict(isMet) : '',
    ]),
    notes: [
      'From the note that a post is live to its last reading. The readings of an account are taken together, so a post costs less',
      'if the account publishes often: one decryption for four readings. The time of the platforms is an assumption: two seconds',
      'per account, ten accounts at the same time.',
    ],
    bounds: countBounds(bound.map(({ isMet }) => isMet)),
  };
}
