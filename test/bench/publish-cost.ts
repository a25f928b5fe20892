import { minuteMs, secondMs } from '../../lib/kernel/clock.ts';
import { type Client, clientOf, until } from '../journeys/support/client.ts';
import { advanceTo } from '../journeys/support/clock.ts';
import { platformOf } from '../journeys/support/platforms.ts';
import type { TestCloud } from '../support/local-cloud.ts';
import type { Bench, BenchTable } from './bench.ts';
import { withCloud } from './cloud.ts';
import { costOfMillion } from './publish-cost/prices.ts';
import { createRecorder, type Recorder, type Recording } from './publish-cost/recorder.ts';

const content = 'What does it cost?';
const quietMs = 4 * secondMs;
const withinSeconds = 60;

export const publishCost: Bench = {
  name: 'publish-cost',
  describe: 'calls of AWS, consumed capacity and price of one post with 2 targets, from create to live',
  run(progress) {
    let cloudModel: TestCloud['model'] | undefined;
    const memoryOf = (name: string) =>
      cloudModel?.functions.find((resource) => resource.name === name)?.memoryMegabytes ?? 0;
    const recorder = createRecorder(memoryOf);
    return withCloud({ observer: recorder.observer }, async (cloud) => {
      cloudModel = cloud.model;
      progress('scheduling a post, and moving the clock to its time');
      const recording = await recordPost(cloud, recorder);
      return [callsTable(recording), costTable(recording)];
    });
  },
};

/** Nobody reads the post meanwhile: the platforms tell when it is live, and silence tells when all is done. */
async function recordPost(cloud: TestCloud, recorder: Recorder): Promise<Recording> {
  const client = clientOf(cloud, cloud.demo);
  const [video, image] = await Promise.all([client.upload('video.mp4'), client.upload('image.jpg')]);
  // The functions are warm and know the key, as they do where posts are many.
  await client.createPost({ content: 'A draft', isDraft: true });
  await untilQuiet(recorder);

  recorder.begin();
  const dueMs = Math.ceil(cloud.clock.now() / secondMs) * secondMs + 10 * minuteMs;
  const post = await client.createPost({
    content,
    mediaItems: [{ type: 'video', url: video }],
    platforms: [
      { accountId: client.accountId('instagram'), customMedia: [{ type: 'image', url: image }] },
      { accountId: client.accountId('youtube') },
    ],
    scheduledFor: new Date(dueMs).toISOString(),
  });
  await untilQuiet(recorder);
  for (const beforeMs of [3 * minuteMs, 2 * minuteMs, minuteMs, 15 * secondMs, 3 * secondMs]) {
    await advanceTo(cloud, dueMs - beforeMs);
    await untilQuiet(recorder);
  }
  for (const name of ['instagram', 'youtube']) {
    const platform = platformOf(cloud, name);
    await until(
      () => platform.postsSaying(content),
      (posts) => posts.length > 0,
      { withinSeconds },
    );
  }
  await untilQuiet(recorder);
  const recording = recorder.read();
  const frozen = { calls: new Map(recording.calls), usage: recording.usage };
  await requirePublished(client, post.id);
  return frozen;
}

async function requirePublished(client: Client, postId: string): Promise<void> {
  const { status } = await client.readPost(postId);
  if (status !== 'published') throw new Error(`the post is ${status}`);
}

async function untilQuiet(recorder: Recorder): Promise<void> {
  await until(recorder.quietMs, (elapsedMs) => elapsedMs > quietMs, { withinSeconds });
}

const noBounds = { met: 0, missed: 0 };

function callsTable({ calls }: Recording): BenchTable {
  const rows = [...calls].sort(([left], [right]) => (left < right ? -1 : 1));
  return {
    title:
      'Calls of AWS for one post with 2 targets (an image to Instagram, a video to YouTube), from create to live',
    columns: ['function', 'service', 'action', 'calls'],
    rows: rows.map(([name, times]) => [...name.split(' '), String(times)]),
    notes: ['The sweep, which asks every minute whether there are posts or not, is left out.'],
    bounds: noBounds,
  };
}

function costTable({ usage }: Recording): BenchTable {
  const lines = costOfMillion(usage);
  const total = lines.reduce((sum, { dollars }) => sum + dollars, 0);
  return {
    title: 'What a million such posts cost',
    columns: ['used', 'for one post', '$ per million', '$'],
    rows: [
      ...lines.map(({ label, used, price, dollars }) => [
        label,
        String(Number(used.toFixed(2))),
        String(price),
        dollars.toFixed(2),
      ]),
      ['in all', '', '', total.toFixed(2)],
    ],
    notes: [
      'Public prices of us-east-1, November 2026, without what is free, logs and traffic. Lambda time is that of this',
      "machine, cold starts included. Instagram's image is read through CloudFront, which is traffic.",
    ],
    bounds: noBounds,
  };
}
