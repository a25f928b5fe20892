import type { CloudObserver } from '@herald/local-cloud/types.ts';
import { dayMs, hourMs, minuteMs } from '../../../lib/kernel/clock.ts';
import { clientOf, until } from '../../journeys/support/client.ts';
import { advanceTo } from '../../journeys/support/clock.ts';
import { type BenchContext, type BenchTable, countBounds, verdict } from '../bench.ts';
import { dollarsPerThousand, noUsage, type Usage } from './prices.ts';

const checker = 'check-ahead';
const platforms = ['facebook', 'linkedin', 'threads'] as const;

/** The most that the two checks of a text may cost, in dollars for a thousand posts: 2 % of what the post costs with all features. */
const budget = 0.002;

/**
 * The most that they may cost if no other post shares the questions to its accounts, 5 % of the post: half of it are the claims of
 * three questions, a write each.
 */
const budgetAlone = 0.005;

/** The most calls of the key service in an hour: one of each process, and a few of them may work at the same time. */
const mostKeyCalls = 1.5;

/** The posts of a case, and the number of them that each account has within half an hour. */
interface Case {
  readonly posts: number;
  /** True if the posts of a half hour share its question about the account. Otherwise each has a half hour of its own. */
  readonly areTogether: boolean;
}

export interface ChecksCost extends Case {
  readonly usage: Usage;
  /** The calls of the key service in an hour, for whatever number of posts. */
  readonly hourlyKeyCalls: number;
}

/**
 * Measures the two regular checks of texts to three accounts: the units of the table, without those of the places in shards, which cost the
 * same while no post is planned; and the calls of the key service, which depend on time: all tokens have the same data key.
 */
export function measureChecks({ progress, withCloud }: BenchContext, posts: number): Promise<ChecksCost[]> {
  const used = { ...noUsage };
  const isChecker = (principalArn = '') => principalArn.split('/').at(-1) === checker;
  let latestMs = performance.now();
  const observer: CloudObserver = {
    onAwsCall: ({ service, principalArn }) => {
      if (isChecker(principalArn)) latestMs = performance.now();
      if (service === 'kms' && isChecker(principalArn)) used.keyCalls += 1;
    },
    onConsumedCapacity: ({ input, principalArn, readUnits, writeUnits, byIndex }) => {
      const isPlace = JSON.stringify(input).includes('STAGE-RISKS') || Object.keys(byIndex).length > 0;
      if (!isChecker(principalArn) || isPlace) return;
      used.readUnits += readUnits;
      used.writeUnits += writeUnits;
    },
  };
  return withCloud({ observer }, async (cloud) => {
    const client = clientOf(cloud, cloud.demo);
    const measured: ChecksCost[] = [];
    for (const areTogether of [true, false]) {
      progress(`checking ${posts} posts ahead, ${areTogether ? 'within half an hour' : 'an hour apart'}`);
      const firstMs = cloud.clock.now() + dayMs + 20 * minuteMs;
      const apartMs = areTogether ? minuteMs : 60 * minuteMs;
      for (let number = 0; number < posts; number += 1) {
        await client.createPost({
          content: `Post ${number} of ${firstMs}`,
          platforms: platforms.map((platform) => ({ accountId: client.accountId(platform) })),
          scheduledFor: new Date(firstMs + number * apartMs).toISOString(),
        });
      }
      Object.assign(used, noUsage);
      const beginMs = cloud.clock.now();
      const endMs = firstMs + posts * apartMs - 2 * 60 * minuteMs;
      while (cloud.clock.now() < endMs) {
        await advanceTo(cloud, cloud.clock.now() + 10 * minuteMs);
        await until(
          () => performance.now() - latestMs,
          (quietMs) => quietMs > 700,
        );
      }
      const { keyCalls, ...units } = used;
      const usage = Object.fromEntries(Object.entries(units).map(([item, amount]) => [item, amount / posts]));
      const hourlyKeyCalls = keyCalls / ((endMs - beginMs) / hourMs);
      measured.push({ posts, areTogether, usage: { ...noUsage, ...usage }, hourlyKeyCalls });
    }
    return measured;
  });
}

/** Shows what the checks add to a post. */
export function checksTable(measured: readonly ChecksCost[]): BenchTable {
  const lines = measured.map((each) => {
    const dollars = dollarsPerThousand(each.usage);
    const most = each.areTogether ? budget : budgetAlone;
    return { ...each, dollars, most, isMet: dollars <= most && each.hourlyKeyCalls <= mostKeyCalls };
  });
  return {
    title:
      'Both checks ahead of a text to 3 accounts: WRU, RRU, and $ per thousand posts; calls of KMS in an hour',
    columns: ['posts', 'WRU', 'RRU', '$', 'budget: $', 'KMS in an hour', 'bound', 'met'],
    rows: lines.map(({ posts, areTogether, usage, dollars, most, hourlyKeyCalls, isMet }) => [
      areTogether ? `${posts} of an account in half an hour` : '1 of an account in half an hour',
      usage.writeUnits.toFixed(2),
      usage.readUnits.toFixed(2),
      dollars.toFixed(4),
      most.toFixed(4),
      hourlyKeyCalls.toFixed(2),
      String(mostKeyCalls),
      verdict(isMet),
    ]),
    notes: [
      'The questions to platforms are shared by the posts of an account, so a post that is alone in its half hour costs more.',
      'All tokens of a month have one data key: a process asks KMS for it once an hour, for $0.000003, whatever number of posts it checks.',
      'A stage with less than one post an hour so pays up to $0.003 more for a thousand posts, per check. Without the time of the',
      'function, of which a post takes milliseconds, and what its runs cost without posts: `npm run bench -- idle-cost`.',
    ],
    bounds: countBounds(lines.map(({ isMet }) => isMet)),
  };
}
