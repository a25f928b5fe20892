import type { CloudObserver } from '@herald/local-cloud/types.ts';
import { workerFunctions } from '../../infra/functions/workers.ts';
import type { Platform } from '../../lib/platforms/contract/names.ts';
import { clientOf, until } from '../journeys/support/client.ts';
import type { TestCloud } from '../support/local-cloud.ts';
import { percentile, readArrivals } from './arrivals.ts';
import { type BenchContext, type BenchTable, countBounds, defineBench, verdict } from './bench.ts';
import { raiseLimits } from './destinations.ts';
import { dollarsPerThousand, noUsage } from './publish-cost/prices.ts';

interface Size {
  readonly memories: readonly number[];
  readonly postCount: number;
  readonly platforms: readonly Platform[];
  readonly aheadMs: number;
}

const functionName = 'publish-target';
/** Time after the due second in which a burst that fills its environments should be live. */
const wantedSeconds = 5;
const patienceSeconds = 60;

export const workerMemory = defineBench<Size>({
  name: 'worker-memory',
  describe: `how late a burst goes live, and what it costs, by the memory of ${functionName} (five minutes)`,
  sizes: {
    full: {
      memories: [256, 512, 1_024],
      postCount: 20,
      platforms: ['facebook', 'linkedin', 'threads'],
      aheadMs: 60_000,
    },
    smallest: { memories: [512], postCount: 1, platforms: ['facebook'], aheadMs: 3_000 },
  },
  async measure(size, around) {
    const measured: Measured[] = [];
    for (const megabytes of size.memories) measured.push(await measureWith(megabytes, size, around));
    return [tableOf(measured, size)];
  },
});

interface Measured {
  readonly megabytes: number;
  /** In milliseconds, ascending. */
  readonly lateMs: readonly number[];
  /** Usage of the invocations that ended after the due time. */
  readonly gigabyteSeconds: number;
}

/** Publishes a burst on a cloud of its own, whose functions have the share of a processor that their memory brings. */
async function measureWith(
  megabytes: number,
  { postCount, platforms, aheadMs }: Size,
  { progress, withCloud }: BenchContext,
): Promise<Measured> {
  let gigabyteSeconds = 0;
  let isDue = () => false;
  const onInvocation: CloudObserver['onInvocation'] = ({ functionName: name, durationMs }) => {
    if (name === functionName && isDue()) gigabyteSeconds += (durationMs / 1_000) * (megabytes / 1_024);
  };
  const options = {
    sharesProcessor: true,
    memoryMegabytes: { [functionName]: megabytes },
    observer: { onInvocation },
  };
  return withCloud(options, async (cloud) => {
    await raiseLimits(cloud);
    progress(`${megabytes} MB: planning ${postCount} posts`);
    const { due, dueMs } = await planPosts(cloud, { postCount, platforms, aheadMs }, megabytes);
    isDue = () => cloud.clock.now() >= dueMs;
    const lateMs = await arrivalsOf(cloud, platforms, due);
    return { megabytes, lateMs, gigabyteSeconds };
  });
}

async function planPosts(
  cloud: TestCloud,
  { postCount, platforms, aheadMs }: Omit<Size, 'memories'>,
  megabytes: number,
): Promise<{ due: ReadonlyMap<string, number>; dueMs: number }> {
  const client = clientOf(cloud, cloud.demo);
  const dueMs = Math.ceil((cloud.clock.now() + aheadMs) / 1_000) * 1_000;
  const due = new Map<string, number>();
  for (let index = 0; index < postCount; index += 1) {
    const content = `With ${megabytes} MB, post ${index}`;
    await client.createPost({
      content,
      platforms: platforms.map((platform) => ({ accountId: client.accountId(platform) })),
      scheduledFor: new Date(dueMs).toISOString(),
    });
    due.set(content, dueMs);
  }
  return { due, dueMs };
}

async function arrivalsOf(
  cloud: TestCloud,
  platforms: readonly Platform[],
  due: ReadonlyMap<string, number>,
): Promise<number[]> {
  const look = async () => {
    const arrivals = await Promise.all(platforms.map((platform) => readArrivals(cloud, platform, due)));
    return arrivals.flatMap(({ lateMs }) => lateMs).toSorted((left, right) => left - right);
  };
  const [dueMs = 0] = due.values();
  const waitMs = Math.max(0, dueMs - cloud.clock.now());
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  return until(look, ({ length }) => length >= due.size * platforms.length, {
    withinSeconds: patienceSeconds,
    meanwhile: () => new Promise((resolve) => setTimeout(resolve, 500)),
  });
}

function tableOf(measured: readonly Measured[], { postCount, platforms }: Size): BenchTable {
  const chosen = workerFunctions.find(({ name }) => name === functionName)?.memoryMegabytes;
  const targets = postCount * platforms.length;
  const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(1);
  const metOf = ({ megabytes, lateMs }: Measured) =>
    megabytes === chosen ? (lateMs.at(-1) ?? Number.NaN) <= wantedSeconds * 1_000 : undefined;
  return {
    title: `${targets} targets of ${postCount} posts in one second, by the memory of ${functionName}`,
    columns: ['MB', 'p50 s', 'last s', 'bound s', 'met', 'GB-s per thousand', '$ per thousand'],
    rows: measured.map((each) => {
      const gigabyteSeconds = each.gigabyteSeconds / targets;
      return [
        String(each.megabytes),
        seconds(percentile(each.lateMs, 0.5)),
        seconds(each.lateMs.at(-1) ?? Number.NaN),
        each.megabytes === chosen ? String(wantedSeconds) : '',
        verdict(metOf(each)),
        (gigabyteSeconds * 1_000).toFixed(0),
        dollarsPerThousand({ ...noUsage, gigabyteSeconds }).toFixed(4),
      ];
    }),
    notes: [
      'Each process of a function runs for the share of a processor that its memory brings, one at 1,769 MB. The local cloud starts',
      'four environments at most, so each has a full batch: five posts with three targets.',
    ],
    bounds: countBounds(measured.map(metOf)),
  };
}
