import { setTimeout as delay } from 'node:timers/promises';
import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import { aheadMs } from '../../../lib/recovery/sweep.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { clientOf, until } from '../../journeys/support/client.ts';
import { advance, passTo } from '../../journeys/support/clock.ts';
import { platformOf } from '../../journeys/support/platforms.ts';
import { kill } from '../../journeys/support/processes.ts';
import type { TestCloud } from '../../support/local-cloud.ts';
import { percentile } from '../arrivals.ts';
import { type BenchTable, countBounds, verdict } from '../bench.ts';
import { destinationsFor } from '../destinations.ts';
import { type Wait, waitOf, waits } from './waits.ts';
import { readTargets } from './wave.ts';

/** A burst of posts during which processes are killed at random moments of their work. */
export interface BurstPlan {
  /** Images go to Instagram, Threads and Facebook, texts to Threads and Facebook. */
  readonly images: number;
  readonly texts: number;
  readonly kills: number;
  /** The number of last calls that take effect, and whose answers never arrive. */
  readonly lostAnswers: number;
}

/** The simulators' names of the last calls. */
const lastCalls = {
  instagram: 'media_publish',
  threads: 'threads_publish',
  facebook: 'feed',
} as const satisfies Partial<Record<Platform, string>>;
const burstPlatforms = Object.keys(lastCalls) as (keyof typeof lastCalls)[];

/** The time between two sweeps. */
const sweepMs = minuteMs;
/** The time from the last sweep before the burst to its first due time: the sweep neither sends its wakes ahead nor again. */
const sweptBeforeMs = aheadMs + 2 * secondMs;
/** The longest time from a sweep's time to its start. */
const sweepStartMs = 200;
const stepSeconds = 10;
/** The time before the first due time that passes in real time. */
const restMs = 6 * secondMs;
/** The number of seconds in which posts are due. */
const dueSeconds = 5;
/** The first kill is this long before the first due time, and the last one within the next time. */
const killsAheadMs = 2 * secondMs;
const killingMs = 9 * secondMs;
/** The time after that for kills that found no process. */
const killingSlackMs = secondMs;
/** The time that passes in real time after the burst: a call without an answer takes 45 s, and the sweep runs each minute. */
const settlingMs = 100 * secondMs;
/** Then the clock is moved, until the outcome of each call is known. */
const searchMs = 2 * minuteMs;
const searchPauseMs = 700;

const bounds = { withinSeconds: 30, share: 0.95 };
const shownSeconds = [1, 16, 30, 60] as const;

interface Landed {
  readonly target: Target;
  readonly wait: Wait;
  readonly copies: number;
  /** Time from the due time to the call that made it live, in seconds; infinite if it is not. */
  readonly liveSeconds: number;
  /** The same to the commit that says so. */
  readonly knownSeconds: number;
}

/** Lets a burst go live while its processes are killed. */
export async function runBurst(
  cloud: TestCloud,
  plan: BurstPlan,
  progress: (line: string) => void,
): Promise<readonly BenchTable[]> {
  await platformOf(cloud, 'instagram').settings({ imageProcessingSeconds: 0 });
  await advance(cloud, (sweepMs + secondMs) / secondMs);
  const sweptMs = cloud.clock.now();
  const dueMs = Math.ceil((sweptMs + 2 * sweepMs + sweptBeforeMs) / secondMs) * secondMs;
  const posts = await createPosts(cloud, plan, dueMs);
  for (const sweeps of [1, 2]) await passTo(cloud, sweptMs + sweeps * (sweepMs + sweepStartMs), stepSeconds);
  await passTo(cloud, dueMs - restMs, stepSeconds);
  for (const [index, platform] of burstPlatforms.entries()) {
    const share = Math.floor((plan.lostAnswers + index) / burstPlatforms.length);
    if (share > 0) await platformOf(cloud, platform).planFault(lastCalls[platform], 'timeout-after', share);
  }
  const killed = await killDuring(cloud, dueMs - killsAheadMs, plan.kills);
  progress(`${killed} processes were killed while ${posts.size} posts went live`);
  const targets = await settledTargets(cloud, posts);
  const landed = await judge(cloud, targets, posts, sweptMs + 3 * sweepMs);
  for (const { target, wait, liveSeconds, knownSeconds } of landed) {
    if (liveSeconds <= bounds.withinSeconds) continue;
    const times = `live after ${liveSeconds.toFixed(1)} s, recorded after ${knownSeconds.toFixed(1)} s`;
    progress(`${target.platform}, ${posts.get(target.postId)}: ${times}, waited for ${wait}`);
  }
  return [sharesTable(landed, plan, killed), waitsTable(landed)];
}

/** Creates the posts, images and texts spread alike over the seconds. @returns their contents by their ids */
async function createPosts(
  cloud: TestCloud,
  { images, texts }: BurstPlan,
  dueMs: number,
): Promise<ReadonlyMap<string, string>> {
  const client = clientOf(cloud, cloud.demo);
  const url = await client.upload('image.jpg');
  const destinations = {
    image: await destinationsFor(client, 'image', burstPlatforms),
    text: await destinationsFor(client, 'text', burstPlatforms),
  };
  const posts = new Map<string, string>();
  for (let index = 0; index < images + texts; index += 1) {
    const kind = index < images ? 'image' : 'text';
    const content = `Burst ${dueMs}, ${kind} ${index}`;
    const { id } = await client.createPost({
      content,
      mediaItems: kind === 'image' ? [{ type: 'image', url }] : [],
      platforms: destinations[kind].map(({ entry }) => entry),
      scheduledFor: new Date(dueMs + (index % dueSeconds) * secondMs).toISOString(),
    });
    posts.set(id, content);
  }
  return posts;
}

/** Waits until no target has work left. A timeout is not an error: the tables show what is open. */
async function settledTargets(
  cloud: TestCloud,
  posts: ReadonlyMap<string, string>,
): Promise<readonly Target[]> {
  const look = () => readTargets({ cloud }, posts);
  const isDone = (targets: readonly Target[]) => targets.every(({ wakeAt }) => wakeAt === undefined);
  const settle = (withinMs: number, meanwhile: () => unknown) =>
    until(look, isDone, { withinSeconds: withinMs / secondMs, meanwhile }).catch(look);
  await settle(settlingMs, () => delay(secondMs));
  return settle(searchMs, async () => {
    await advance(cloud, stepSeconds);
    await delay(searchPauseMs);
  });
}

/** Kills publishing processes at even distances, those that handle an event if there are any. @returns the number of kills */
async function killDuring(cloud: TestCloud, fromMs: number, kills: number): Promise<number> {
  const busy = { processes: () => cloud.processes().filter(({ isBusy }) => isBusy) };
  let killed = 0;
  while (killed < kills && cloud.clock.now() < fromMs + killingMs + killingSlackMs) {
    const nextMs = fromMs + (killed * killingMs) / kills;
    await delay(Math.max(20, nextMs - cloud.clock.now()));
    // None may be left for a moment.
    if (kill(busy, 'publish-target', killed) || kill(cloud, 'publish-target', killed)) killed += 1;
  }
  return killed;
}

async function judge(
  cloud: TestCloud,
  targets: readonly Target[],
  posts: ReadonlyMap<string, string>,
  sweptMs: number,
): Promise<Landed[]> {
  const live = new Map<string, number[]>();
  for (const platform of burstPlatforms) {
    for (const { content, publishedAt } of await platformOf(cloud, platform).posts()) {
      const key = `${platform} ${content}`;
      live.set(key, [...(live.get(key) ?? []), publishedAt]);
    }
  }
  return targets.map((target) => {
    const copies = live.get(`${target.platform} ${posts.get(target.postId)}`) ?? [];
    const dueMs = Date.parse(target.scheduledFor ?? '');
    const known = target.timeline.find(({ event }) => event === 'published' || event === 'failed');
    return {
      target,
      wait: waitOf(target, sweptMs),
      copies: copies.length,
      liveSeconds: (Math.min(...copies) - dueMs) / secondMs,
      knownSeconds: (Date.parse(known?.at ?? '') - dueMs) / secondMs,
    };
  });
}

const isUnknown = ({ target, copies }: Landed) =>
  copies === 0 && target.status === 'failed' && target.error?.startsWith('outcome unknown') === true;

const ascending = (values: readonly number[]) => values.toSorted((left, right) => left - right);
const shown = (seconds: number) => (Number.isFinite(seconds) ? seconds.toFixed(1) : '');

function sharesTable(landed: readonly Landed[], plan: BurstPlan, killed: number): BenchTable {
  const rowOf = (name: string, values: readonly number[]) => {
    const shares = shownSeconds.map((limit) => values.filter((value) => value <= limit).length);
    const percentiles = [0.5, 0.9, 1].map((share) => shown(percentile(ascending(values), share)));
    return [
      name,
      String(values.length),
      ...shares.map((each) => `${((100 * each) / values.length).toFixed(1)} %`),
      ...percentiles,
    ];
  };
  const liveSeconds = landed.map((one) => one.liveSeconds);
  const twice = landed.filter(({ copies }) => copies > 1).length;
  const unknown = landed.filter(isUnknown).length;
  const lost = landed.filter((one) => one.copies === 0 && !isUnknown(one)).length;
  const inTime = liveSeconds.filter((value) => value <= bounds.withinSeconds).length;
  const isMet = inTime >= bounds.share * landed.length && twice === 0 && lost === 0;
  return {
    title: 'Recovery: a burst on Instagram, Threads and Facebook while publishing processes are killed',
    columns: [
      'seconds after the due time',
      'targets',
      ...shownSeconds.map((limit) => `<= ${limit} s`),
      'p50',
      'p90',
      'max',
      'twice',
      'unknown',
      'lost',
      'met',
    ],
    rows: [
      [...rowOf('live at the platform', liveSeconds), ...[twice, unknown, lost].map(String), verdict(isMet)],
      [
        ...rowOf(
          'recorded as live',
          landed.filter(({ copies }) => copies > 0).map((one) => one.knownSeconds),
        ),
        '',
        '',
        '',
        '',
      ],
    ],
    notes: [
      `${killed} processes of the publishing function were killed (SIGKILL) in ${killingMs / secondMs} s, and ${plan.lostAnswers} answers to last calls were lost.`,
      `Bound: ${bounds.share * 100} % live within ${bounds.withinSeconds} s, none twice, none lost. The last sweep was just before the burst.`,
      'Unknown: its worker was killed during the call, which had no effect; a second one might publish twice, so a person decides.',
    ],
    bounds: countBounds([isMet]),
  };
}

function waitsTable(landed: readonly Landed[]): BenchTable {
  const rows = waits.flatMap((wait) => {
    const ofWait = landed.filter((one) => one.wait === wait);
    if (ofWait.length === 0) return [];
    const most = (values: readonly number[]) => shown(Math.max(...values.filter(Number.isFinite)));
    const late = ofWait.filter(({ liveSeconds }) => liveSeconds > bounds.withinSeconds).length;
    return [
      [
        wait,
        String(ofWait.length),
        String(late),
        most(ofWait.map((one) => one.liveSeconds)),
        most(ofWait.map((one) => one.knownSeconds)),
      ],
    ];
  });
  return {
    title: 'Recovery: what the targets of the burst waited for',
    columns: ['waited for', 'targets', `> ${bounds.withinSeconds} s`, 'live, max s', 'recorded, max s'],
    rows,
    notes: ['From the timelines and call records of the targets.'],
    bounds: countBounds([]),
  };
}
