import { minuteMs, secondMs } from '../../lib/kernel/clock.ts';
import { type Client, clientOf, settled, until } from '../journeys/support/client.ts';
import { advanceTo } from '../journeys/support/clock.ts';
import type { TestCloud } from '../support/local-cloud.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';
import { type MeasuredPost, measuredPosts } from './publish-cost/posts.ts';
import { costOfMillion } from './publish-cost/prices.ts';
import { createRecorder, type Recorder, type Recording } from './publish-cost/recorder.ts';

interface Size {
  readonly posts: readonly MeasuredPost[];
  /** How far ahead the posts are scheduled. */
  readonly aheadMs: number;
  /** The measurement ends after this time without a call. */
  readonly quietMs: number;
  /** How much longer a post may then take to be live. If it takes any time, its recording is incomplete. */
  readonly graceSeconds: number;
}

const withinSeconds = 90;

interface Measured {
  readonly post: MeasuredPost;
  readonly recording: Recording;
  readonly dollarsPerThousand: number;
}

export const publishCost = defineBench<Size>({
  name: 'publish-cost',
  describe: 'AWS calls, consumed capacity and price of a post with 3 targets, from create to live',
  sizes: {
    full: { posts: measuredPosts, aheadMs: 20 * minuteMs, quietMs: 4 * secondMs, graceSeconds: 0 },
    smallest: {
      posts: [{ name: 'text', platforms: ['facebook'], stops: [] }],
      aheadMs: secondMs,
      quietMs: 500,
      graceSeconds: withinSeconds,
    },
  },
  measure({ posts, aheadMs, quietMs, graceSeconds }, { progress, withCloud }) {
    let model: TestCloud['model'] | undefined;
    const recorder = createRecorder({
      memoryMegabytes: (name) => model?.functions.find((found) => found.name === name)?.memoryMegabytes ?? 0,
      isPeriodic: (name) => {
        const arn = model?.functions.find((found) => found.name === name)?.arn;
        return model?.rules.some(({ targets }) => targets.some((target) => target.arn === arn)) ?? false;
      },
    });
    return withCloud({ observer: recorder.observer }, async (cloud) => {
      ({ model } = cloud);
      const client = clientOf(cloud, cloud.demo);
      progress('warming the functions up');
      const quiet = () => untilQuiet(recorder, quietMs);
      await warmUp(client, posts);
      await quiet();
      const measured: Measured[] = [];
      for (const post of posts) {
        progress(`scheduling a post with ${post.name}, and moving the clock to its time`);
        const recording = await record(cloud, client, { recorder, quiet, aheadMs, graceSeconds }, post);
        const dollars = costOfMillion(recording.usage).reduce((sum, line) => sum + line.dollars, 0);
        measured.push({ post, recording, dollarsPerThousand: dollars / 1_000 });
      }
      return [totalTable(measured), priceTable(measured), callsTable(measured)];
    });
  },
});

async function warmUp(client: Client, measured: readonly MeasuredPost[]): Promise<void> {
  const posts = await Promise.all(
    measured.map(async (post) =>
      client.createPost({ ...(await requestOf(client, post, 'Warming up')), publishNow: true }),
    ),
  );
  await Promise.all(posts.map(({ id }) => settled(client, id, { withinSeconds })));
}

/** Platforms refuse a text that was posted shortly before. */
async function requestOf(client: Client, { name, platforms, file }: MeasuredPost, words: string) {
  return {
    content: `${words} A post with ${name}`,
    ...(file && { mediaItems: [{ type: file.type, url: await client.upload(file.fixture) }] }),
    platforms: platforms.map((platform) => ({ accountId: client.accountId(platform) })),
  };
}

interface Recordings extends Pick<Size, 'aheadMs' | 'graceSeconds'> {
  readonly recorder: Recorder;
  readonly quiet: () => Promise<void>;
}

/** Waits for the recorder to be quiet instead of polling the post, because reading it would count. */
async function record(
  cloud: TestCloud,
  client: Client,
  { recorder, quiet, aheadMs, graceSeconds }: Recordings,
  post: MeasuredPost,
): Promise<Recording> {
  const request = await requestOf(client, post, 'What does it cost?');
  await quiet();
  recorder.begin();
  const dueMs = Math.ceil(cloud.clock.now() / secondMs) * secondMs + aheadMs;
  const scheduledFor = new Date(dueMs).toISOString();
  const { id } = await client.createPost({ ...request, scheduledFor });
  await quiet();
  for (const seconds of post.stops) {
    await advanceTo(cloud, dueMs - seconds * secondMs);
    recorder.touch();
    await quiet();
  }
  const recording = recorder.end();
  const { status } = await settled(client, id, { withinSeconds: graceSeconds });
  if (status !== 'published') throw new Error(`the post with ${post.name} is ${status}`);
  return recording;
}

async function untilQuiet(recorder: Recorder, quietMs: number): Promise<void> {
  await until(recorder.quietMs, (elapsedMs) => elapsedMs > quietMs, { withinSeconds });
}

function totalTable(measured: readonly Measured[]): BenchTable {
  const verdicts = measured.map(({ post, dollarsPerThousand }) =>
    post.dollarsPerThousand === undefined ? undefined : dollarsPerThousand <= post.dollarsPerThousand,
  );
  return {
    title: 'One post with 3 targets, from create to all live',
    columns: ['post', 'targets', '$ per thousand', 'bound', 'met'],
    rows: measured.map(({ post, dollarsPerThousand }, index) => [
      post.name,
      post.platforms.join(', '),
      dollarsPerThousand.toFixed(3),
      post.dollarsPerThousand?.toFixed(3) ?? '',
      verdict(verdicts[index]),
    ]),
    notes: [
      'List prices of us-east-1, November 2026, without the free tier, logs and traffic (media go to the platforms through',
      'CloudFront). Functions are warm. Functions that run periodically even without posts are not counted.',
    ],
    bounds: countBounds(verdicts),
  };
}

const noBounds = { met: 0, missed: 0 };

function priceTable(measured: readonly Measured[]): BenchTable {
  const columns = measured.map(({ recording }) => costOfMillion(recording.usage));
  const [first = []] = columns;
  return {
    title: 'Usage per post, and the price of a million posts',
    columns: [
      'used',
      '$ per million',
      ...measured.flatMap(({ post }) => [`${post.name}: used`, `${post.name}: $`]),
    ],
    rows: first.map(({ label, price }, index) => [
      label,
      String(price),
      ...columns.flatMap((lines) => {
        const line = lines[index];
        return line ? [String(Number(line.used.toFixed(2))), line.dollars.toFixed(2)] : [];
      }),
    ]),
    notes: [
      "Lambda's time is measured on this machine and includes waiting for the due second. If targets are due in the same",
      'second, one function may wait for several of them; how often is random, here and in AWS.',
    ],
    bounds: noBounds,
  };
}

function callsTable(measured: readonly Measured[]): BenchTable {
  const names = [...new Set(measured.flatMap(({ recording }) => [...recording.calls.keys()]))].sort();
  return {
    title: 'AWS calls per post',
    columns: ['function', 'service', 'action', ...measured.map(({ post }) => post.name)],
    rows: names.map((name) => [
      ...name.split(' '),
      ...measured.map(({ recording }) => String(recording.calls.get(name) ?? '')),
    ]),
    notes: [],
    bounds: noBounds,
  };
}
