import { clientOf, settled } from '../journeys/support/client.ts';
import { platformOf } from '../journeys/support/platforms.ts';
import type { TestCloud } from '../support/local-cloud.ts';
import type { Bench, BenchTable } from './bench.ts';
import { withCloud } from './cloud.ts';

const postCount = 50;
/** Far enough ahead that Scheduler fires, which it does up to a minute late, as in AWS. */
const firstDueMs = 250_000;
const spacingMs = 1_000;
const platforms = ['instagram', 'linkedin', 'threads', 'youtube'] as const;

export const lateness: Bench = {
  name: 'lateness',
  describe: `how late ${postCount} posts go live on each platform, Scheduler's jitter as in AWS (six minutes)`,
  run: (progress) => withCloud({ jitter: 'real' }, async (cloud) => [await measure(cloud, progress)]),
};

async function measure(cloud: TestCloud, progress: (line: string) => void): Promise<BenchTable> {
  const client = clientOf(cloud, cloud.demo);
  const [image, video] = await Promise.all([client.upload('image.jpg'), client.upload('video.mp4')]);
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
      platforms: platforms.map((platform) => ({
        accountId: client.accountId(platform),
        ...(platform === 'youtube' && { customMedia: [{ type: 'video', url: video }] }),
      })),
      scheduledFor: new Date(dueMs).toISOString(),
    });
    postIds.push(id);
  }
  progress(
    `planned ${postCount} posts; the first is due in ${Math.round((beginMs - cloud.clock.now()) / 1_000)} s`,
  );
  await new Promise((resolve) => setTimeout(resolve, beginMs + postCount * spacingMs - cloud.clock.now()));
  progress('all are due');
  const posts = await Promise.all(postIds.map((id) => settled(client, id, { withinSeconds: 60 })));
  const unpublished = posts.filter(({ status }) => status !== 'published').length;

  const rows = await Promise.all(
    platforms.map(async (platform) => {
      const live = await Promise.all(
        [...due.keys()].map((content) => platformOf(cloud, platform).postsSaying(content)),
      );
      const late = live
        .flat()
        .map(({ content, publishedAt }) => publishedAt - (due.get(content) ?? Number.NaN))
        .toSorted((left, right) => left - right);
      const at = (share: number) => String(late[Math.ceil(late.length * share) - 1] ?? '');
      return [platform, String(late.length), String(late[0] ?? ''), at(0.5), at(0.9), at(0.99), at(1)];
    }),
  );
  return {
    title: 'Lateness: arrival of the call that makes a post live, less its time, in milliseconds',
    columns: ['platform', 'live', 'least', 'p50', 'p90', 'p99', 'most'],
    rows,
    notes: [
      `${postCount} posts, one a second, each to ${platforms.length} platforms, planned ${firstDueMs / 1_000} s ahead; ${unpublished} not published.`,
      'Negative would be early. Clients, service and simulators share this machine.',
    ],
    bounds: { met: 0, missed: 0 },
  };
}
