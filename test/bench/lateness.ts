import type { Platform } from '../../lib/platforms/contract/names.ts';
import { clientOf, settled } from '../journeys/support/client.ts';
import type { TestCloud } from '../support/local-cloud.ts';
import { percentile, readArrivals } from './arrivals.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';
import { preparedDestinations, raiseLimits } from './destinations.ts';

interface Size {
  readonly postCount: number;
  readonly firstDueMs: number;
  readonly spacingMs: number;
  /** Default: all. */
  readonly platforms?: readonly Platform[];
}

const full: Size = {
  postCount: 300,
  // Far enough ahead that all posts are created before the first is due, and that Scheduler (up to a minute late) fires.
  firstDueMs: 300_000,
  spacingMs: 1_000,
};
const bounds = { p50Ms: 300, p99Ms: 1_500 };

export const lateness = defineBench<Size>({
  name: 'lateness',
  describe: `how late ${full.postCount} posts go live on each platform, with Scheduler's jitter as in AWS (eleven minutes)`,
  sizes: { full, smallest: { postCount: 1, firstDueMs: 500, spacingMs: 0, platforms: ['facebook'] } },
  measure: (size, { progress, withCloud }) =>
    withCloud({ jitter: 'real' }, async (cloud) => [await measure(cloud, size, progress)]),
});

async function measure(
  cloud: TestCloud,
  { postCount, firstDueMs, spacingMs, platforms }: Size,
  progress: (line: string) => void,
): Promise<BenchTable> {
  await raiseLimits(cloud);
  const client = clientOf(cloud, cloud.demo);
  const [image, video] = await Promise.all([client.upload('image.jpg'), client.upload('video.mp4')]);
  const destinations = await preparedDestinations(client, video, platforms);
  const beginMs = cloud.clock.now() + firstDueMs;
  const due = new Map<string, number>();
  const postIds: string[] = [];
  for (let index = 0; index < postCount; index += 1) {
    const content = `Lateness, post ${index}`;
    const dueMs = beginMs + index * spacingMs;
    due.set(content, dueMs);
    const { id } = await client.createPost({
      content,
      mediaItems: [{ type: 'image', url: image }],
      platforms: destinations.map(({ entry }) => entry),
      scheduledFor: new Date(dueMs).toISOString(),
    });
    postIds.push(id);
  }
  const leftMs = beginMs - cloud.clock.now();
  progress(`scheduled ${postCount} posts; the first is due in ${Math.round(leftMs / 1_000)} s`);
  await new Promise((resolve) => setTimeout(resolve, leftMs + postCount * spacingMs));
  progress('all are due');
  let unpublished = 0;
  for (const id of postIds) {
    const { status } = await settled(client, id, { withinSeconds: 60 });
    if (status !== 'published') unpublished += 1;
  }

  const arrivals = await Promise.all(destinations.map(({ platform }) => readArrivals(cloud, platform, due)));
  const all = arrivals.flatMap(({ lateMs }) => lateMs).toSorted((left, right) => left - right);
  const twice = arrivals.reduce((sum, arrival) => sum + arrival.twice, 0);
  const met = [
    percentile(all, 0) >= 0,
    percentile(all, 0.5) <= bounds.p50Ms,
    percentile(all, 0.99) <= bounds.p99Ms,
    all.length === postCount * destinations.length && twice === 0,
  ];
  const row = (name: string, lateMs: readonly number[]) => [
    name,
    String(lateMs.length),
    ...[0, 0.5, 0.9, 0.99, 1].map((share) => String(percentile(lateMs, share))),
  ];
  return {
    title:
      'Lateness: how long after its scheduled time the call arrives that makes a post live, in milliseconds',
    columns: ['platform', 'live', 'least', 'p50', 'p90', 'p99', 'most'],
    rows: [
      ...arrivals.map(({ platform, lateMs }) => row(platform, lateMs)),
      row('all', all),
      [
        'bound',
        String(postCount * destinations.length),
        '0',
        String(bounds.p50Ms),
        '',
        String(bounds.p99Ms),
        '',
      ],
      ['met', ...[met[3], met[0], met[1], undefined, met[2], undefined].map(verdict)],
    ],
    notes: [
      `${postCount} posts, one per second, each to ${destinations.length} platforms, scheduled ${firstDueMs / 1_000} s ahead; ${unpublished} not published, ${twice} live twice.`,
      'A negative value means early. Clients, service and simulators share this machine. The closest figure that any',
      'provider has published is 90 % within 31 s and 99 % within 69 s.',
    ],
    bounds: countBounds(met),
  };
}
