import type { Platform } from '../../lib/platforms/contract/names.ts';
import { clientOf, settled } from '../journeys/support/client.ts';
import type { TestCloud } from '../support/local-cloud.ts';
import { percentile, readArrivals } from './arrivals.ts';
import { type BenchTable, countBounds, defineBench } from './bench.ts';
import { type Destination, preparedDestinations, raisedDailyLimits, raiseLimits } from './destinations.ts';

interface Size {
  readonly firstDueMs: number;
  /** Measured one after the other. */
  readonly cases: readonly Case[];
  /** Default: all. */
  readonly platforms?: readonly Platform[];
}

/** Posts that are due at even distances. */
interface Case {
  readonly name: string;
  readonly postCount: number;
  readonly spacingMs: number;
}

const full: Size = {
  // Far enough ahead that all posts are created before the first is due, and that Scheduler (up to a minute late) fires.
  firstDueMs: 300_000,
  cases: [
    { name: 'one post per second', postCount: 300, spacingMs: 1_000 },
    // The simulators close idle connections after 5 to 6 s, as Node.js does: a call on a kept connection would meet that.
    { name: 'posts 6 s apart', postCount: 40, spacingMs: 6_000 },
  ],
};
const smallest: Size = {
  firstDueMs: 500,
  cases: [
    { name: 'one post', postCount: 1, spacingMs: 0 },
    { name: 'posts 0.1 s apart', postCount: 2, spacingMs: 100 },
  ],
  platforms: ['facebook'],
};

/** The requirement on every case, on one machine that also runs clients, cloud and simulators. */
const bounds = { p50Ms: 50, p99Ms: 300, mostMs: 5_000 };

export const lateness = defineBench<Size>({
  name: 'lateness',
  describe: 'how late posts go live on each platform, with Scheduler’s jitter as in AWS (fifteen minutes)',
  sizes: { full, smallest },
  measure: (size, { progress, withCloud }) =>
    withCloud({ jitter: 'real', dailyLimits: raisedDailyLimits }, (cloud) => measure(cloud, size, progress)),
});

async function measure(
  cloud: TestCloud,
  { firstDueMs, cases, platforms }: Size,
  progress: (line: string) => void,
): Promise<BenchTable[]> {
  await raiseLimits(cloud);
  const client = clientOf(cloud, cloud.demo);
  const [image, video] = await Promise.all([client.upload('image.jpg'), client.upload('video.mp4')]);
  const destinations = await preparedDestinations(client, video, platforms);
  let nextDueMs = cloud.clock.now() + firstDueMs;
  const dueTimes: Map<string, number>[] = [];
  const postIds: string[][] = [];
  for (const { name, postCount, spacingMs } of cases) {
    const due = new Map<string, number>();
    const ids: string[] = [];
    for (let index = 0; index < postCount; index += 1) {
      const content = `Lateness, ${name}, post ${index}`;
      due.set(content, nextDueMs);
      const { id } = await client.createPost({
        content,
        mediaItems: [{ type: 'image', url: image }],
        platforms: destinations.map(({ entry }) => entry),
        scheduledFor: new Date(nextDueMs).toISOString(),
      });
      ids.push(id);
      nextDueMs += spacingMs;
    }
    dueTimes.push(due);
    postIds.push(ids);
  }
  const leftMs = nextDueMs - cloud.clock.now();
  progress(`scheduled ${postIds.flat().length} posts; the last is due in ${Math.round(leftMs / 1_000)} s`);
  await new Promise((resolve) => setTimeout(resolve, leftMs));
  progress('all are due');
  const tables: BenchTable[] = [];
  for (const [index, { name }] of cases.entries()) {
    let unpublished = 0;
    for (const id of postIds[index] ?? []) {
      const { status } = await settled(client, id, { withinSeconds: 60 });
      if (status !== 'published') unpublished += 1;
    }
    tables.push(await evaluate(cloud, name, destinations, dueTimes[index] ?? new Map(), unpublished));
  }
  return tables;
}

/** @param due the due time of each post in epoch milliseconds, keyed by its content */
async function evaluate(
  cloud: TestCloud,
  name: string,
  destinations: readonly Destination[],
  due: ReadonlyMap<string, number>,
  unpublished: number,
): Promise<BenchTable> {
  const arrivals = await Promise.all(destinations.map(({ platform }) => readArrivals(cloud, platform, due)));
  const all = arrivals.flatMap(({ lateMs }) => lateMs).toSorted((left, right) => left - right);
  const twice = arrivals.reduce((sum, arrival) => sum + arrival.twice, 0);
  const wanted = due.size * destinations.length;
  const met = [
    all.length === wanted && twice === 0,
    percentile(all, 0) >= 0,
    percentile(all, 0.5) <= bounds.p50Ms,
    percentile(all, 0.99) <= bounds.p99Ms,
    percentile(all, 1) <= bounds.mostMs,
  ];
  const row = (title: string, lateMs: readonly number[]) => [
    title,
    String(lateMs.length),
    ...[0, 0.5, 0.99, 1].map((share) => String(percentile(lateMs, share))),
  ];
  return {
    title: `Lateness, ${name}: how long after its scheduled time the call arrives that makes a post live, in milliseconds`,
    columns: ['platform', 'live', 'least', 'p50', 'p99', 'most'],
    rows: [
      ...arrivals.map(({ platform, lateMs }) => row(platform, lateMs)),
      row('all', all),
      ['bound', ...[wanted, 0, bounds.p50Ms, bounds.p99Ms, bounds.mostMs].map(String)],
      ['result', ...met.map((isMet) => (isMet ? 'within' : 'over'))],
    ],
    notes: [
      `${due.size} posts, each to ${destinations.length} platforms; ${unpublished} not published, ${twice} live twice.`,
      'A negative value means early. Clients, service and simulators share this machine. The closest figure that any',
      'provider has published is 90 % within 31 s and 99 % within 69 s.',
    ],
    bounds: countBounds(met),
  };
}
