import type { Account } from '../../../lib/accounts/schemas.ts';
import type { Context } from '../../../lib/api-contract/context.ts';
import { countedTarget } from '../../../lib/insights/numbers-row.ts';
import { noteLive } from '../../../lib/insights/store.ts';
import { readDueNumbers, type SweepNumbersPorts } from '../../../lib/insights/sweep.ts';
import { minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { AskedPost, PlatformInsights, PostReading } from '../../../lib/platforms/contract/insights.ts';
import type { PlatformTools } from '../../../lib/platforms/contract/tools.ts';
import type { Table } from '../../../lib/table/table.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { openWorkspace, startMs, storeAccount, storePost } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

export const instagramScopes = [
  'instagram_business_basic',
  'instagram_business_content_publish',
  'instagram_business_manage_insights',
];

/** A platform that answers from memory, and notes each question. */
export interface FakePlatform extends PlatformInsights {
  /** The ids of the posts of each question. */
  readonly asked: string[][];
  readonly accountsAsked: string[];
  /** The answers by id; a post without one is left out. */
  readonly answers: Map<string, PostReading>;
  /** The error of the next questions. */
  error: Error | undefined;
}

export interface InsightsFixture {
  readonly table: Table;
  readonly context: Context;
  readonly apiKey: string;
  readonly clock: { time: number };
  readonly account: Account;
  readonly platform: FakePlatform;
  readonly ports: SweepNumbersPorts;
  readonly reported: string[];
  /** Stores a post that went live at a time, and notes it as the relay does. */
  goLive(atMs: number, changes?: Partial<Target>): Promise<Target>;
  /** Reads everything that is due at a time. */
  sweepAt(atMs: number): ReturnType<typeof readDueNumbers>;
}

export async function openInsights(changes: Partial<Account> = {}, table?: Table): Promise<InsightsFixture> {
  const used = table ?? (await createTestTable());
  const { context, apiKey } = await openWorkspace(used);
  const account = await storeAccount(used, context.workspaceId, { scopes: instagramScopes, ...changes });
  const clock = { time: startMs };
  const reported: string[] = [];
  const platform: FakePlatform = {
    asked: [],
    accountsAsked: [],
    answers: new Map(),
    error: undefined,
    postsPerRead: 50,
    async readPosts(posts: readonly AskedPost[]) {
      platform.asked.push(posts.map(({ platformPostId }) => platformPostId));
      if (platform.error) throw platform.error;
      return new Map(
        posts.flatMap(({ platformPostId: id }): [string, PostReading][] => {
          const answer = platform.answers.get(id);
          return answer === undefined ? [] : [[id, answer]];
        }),
      );
    },
    async readAccount(days, { account: { platformAccountId } }) {
      platform.accountsAsked.push(platformAccountId);
      if (platform.error) throw platform.error;
      return new Map(days.map((day) => [day, { views: 7, followers: 100 }]));
    },
  };
  const ports: SweepNumbersPorts = {
    table: used,
    now: () => clock.time,
    uniqueId: () => newId(clock.time),
    insightsFor: async () => platform,
    toolsFor: async () => ({ now: () => clock.time }) as PlatformTools,
    accessToken: async () => 'token',
    report: (message) => reported.push(message),
    stageFeatures: { instagram: ['publish', 'insights'], youtube: ['publish', 'insights'] },
    isHeard: async () => false,
  };
  return {
    ...{ table: used, context, apiKey, clock, account, platform, ports, reported },
    async goLive(atMs, target = {}) {
      const platformPostId = target.platformPostId ?? `media-${newId(atMs)}`;
      const { targets } = await storePost(used, context.workspaceId, [
        {
          accountId: account.id,
          platform: account.platform,
          status: 'published',
          platformPostId,
          publishedAt: toTimestamp(atMs),
          wakeAt: undefined,
          ...target,
        },
      ]);
      const [stored] = targets;
      const live = stored && countedTarget(stored);
      if (stored === undefined || live === undefined) throw new Error('the target is not counted');
      platform.answers.set(platformPostId, {
        views: 10,
        reach: 8,
        likes: 3,
        comments: 1,
        shares: 0,
        saves: 2,
      });
      await noteLive(used, live, atMs);
      return stored;
    },
    sweepAt(atMs) {
      clock.time = atMs;
      return readDueNumbers(ports, atMs + 5 * minuteMs);
    },
  };
}
