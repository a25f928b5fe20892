import { minuteMs, secondMs } from '../../lib/kernel/clock.ts';
import { type Client, clientOf, settled, until } from '../journeys/support/client.ts';
import { advanceTo } from '../journeys/support/clock.ts';
import type { TestCloud } from '../support/local-cloud.ts';
import { type BenchContext, type CloudOptions, defineBench } from './bench.ts';
import { checksTable, measureChecks } from './publish-cost/checks-ahead.ts';
import { measureNumbers, numbersTable } from './publish-cost/numbers.ts';
import { type MeasuredPost, measuredPosts } from './publish-cost/posts.ts';
import { createRecorder, type Recorder, type Recording } from './publish-cost/recorder.ts';
import {
  callsTable,
  engineTable,
  eventFeedTable,
  featuresTable,
  functionsTable,
  type Measured,
  priceTable,
  retentionTable,
  unitsTable,
} from './publish-cost/tables.ts';

interface Size {
  readonly posts: readonly MeasuredPost[];
  /** The number of posts whose checks ahead are measured; 0 for none. */
  readonly checkedPosts: number;
  /** Time from scheduling the posts until they are due. */
  readonly aheadMs: number;
  /** The measurement ends after this time without a call. */
  readonly quietMs: number;
  /** Additional time that a post may take to go live. If it takes any, its recording is incomplete. */
  readonly graceSeconds: number;
  /** The number of days over which the numbers of posts are measured. */
  readonly numbersDays: number;
}

const withinSeconds = 90;
/** Any number of days costs the same. */
const keptDays = 365;

export const publishCost = defineBench<Size>({
  name: 'publish-cost',
  describe: 'AWS calls, consumed capacity and price of a post with 3 targets, from create to live',
  sizes: {
    full: {
      posts: measuredPosts,
      aheadMs: 20 * minuteMs,
      checkedPosts: 20,
      quietMs: 4 * secondMs,
      graceSeconds: 0,
      numbersDays: 7,
    },
    smallest: {
      posts: [{ name: 'text', platforms: ['facebook'], stops: [], bounds: { dollarsPerThousand: 1 } }],
      checkedPosts: 0,
      aheadMs: secondMs,
      quietMs: 500,
      graceSeconds: withinSeconds,
      numbersDays: 1,
    },
  },
  async measure(size, around) {
    const measured = await measureOn(around, {}, size, size.posts);
    const texts = size.posts.filter(({ name }) => name === 'text');
    around.progress('once more, with retention of posts');
    const kept = await measureOn(around, { retentionDays: { posts: keptDays } }, size, texts);
    around.progress('once more, with the event feed');
    const fed = await measureOn(around, {}, size, texts, true);
    const checks = size.checkedPosts > 0 ? [checksTable(await measureChecks(around, size.checkedPosts))] : [];
    const tables = [engineTable, featuresTable, priceTable, functionsTable, unitsTable, callsTable];
    around.progress('the numbers of posts');
    const numbers = await measureNumbers(size.numbersDays);
    return [
      ...tables.map((table) => table(measured)),
      retentionTable(kept),
      eventFeedTable(measured, fed),
      numbersTable(numbers),
      ...checks,
    ];
  },
});

/** Measures the posts on a cloud of their own. */
function measureOn(
  { progress, withCloud }: BenchContext,
  options: CloudOptions,
  { aheadMs, quietMs, graceSeconds }: Size,
  posts: readonly MeasuredPost[],
  hasEventFeed = false,
): Promise<Measured[]> {
  let model: TestCloud['model'] | undefined;
  const recorder = createRecorder({
    memoryMegabytes: (name) => model?.functions.find((found) => found.name === name)?.memoryMegabytes ?? 0,
    isPeriodic: (name) => {
      const arn = model?.functions.find((found) => found.name === name)?.arn;
      return model?.rules.some(({ targets }) => targets.some((target) => target.arn === arn)) ?? false;
    },
  });
  return withCloud({ ...options, observer: recorder.observer }, async (cloud) => {
    ({ model } = cloud);
    const client = clientOf(cloud, cloud.demo);
    if (hasEventFeed) await client.expectStatus(200, 'PATCH', '/v1/workspace', { eventFeed: true });
    progress('warming the functions up');
    const quiet = () => untilQuiet(recorder, quietMs);
    await warmUp(client, posts);
    await quiet();
    // The takeover messages of these posts must not be counted with those that follow.
    await advanceTo(cloud, cloud.clock.now() + minuteMs);
    recorder.touch();
    await quiet();
    const measured: Measured[] = [];
    for (const post of posts) {
      progress(`scheduling a post with ${post.name}, and moving the clock to its time`);
      const recording = await record(cloud, client, { recorder, quiet, aheadMs, graceSeconds }, post);
      measured.push({ post, recording });
    }
    return measured;
  });
}

async function warmUp(client: Client, measured: readonly MeasuredPost[]): Promise<void> {
  const posts = await Promise.all(
    measured.map(async (post) =>
      client.createPost({
        ...(await requestOf(client, post, `Warming up at ${performance.now()}.`)),
        publishNow: true,
      }),
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
  const request = await requestOf(client, post, `What does it cost at ${cloud.clock.now()}?`);
  await quiet();
  recorder.begin();
  const firstLine = cloud.functionLines.length;
  const dueMs = Math.ceil(cloud.clock.now() / secondMs) * secondMs + aheadMs;
  const scheduledFor = new Date(dueMs).toISOString();
  const { id } = await client.createPost({ ...request, scheduledFor });
  await quiet();
  for (const seconds of post.stops) {
    await advanceTo(cloud, dueMs - seconds * secondMs);
    recorder.touch();
    await quiet();
  }
  const recording = recorder.end(cloud.functionLines.slice(firstLine));
  const { status } = await settled(client, id, { withinSeconds: graceSeconds });
  if (status !== 'published') throw new Error(`the post with ${post.name} is ${status}`);
  return recording;
}

async function untilQuiet(recorder: Recorder, quietMs: number): Promise<void> {
  await until(recorder.quietMs, (elapsedMs) => elapsedMs > quietMs, { withinSeconds });
}
