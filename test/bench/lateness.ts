import { setTimeout as delay } from 'node:timers/promises';
import { dayMs, minuteMs, secondMs } from '../../lib/kernel/clock.ts';
import type { Platform } from '../../lib/platforms/contract/names.ts';
import { rulesFor } from '../../lib/platforms/registry/rules.ts';
import { type Client, clientOf, settled } from '../journeys/support/client.ts';
import { passTo } from '../journeys/support/clock.ts';
import { killAll } from '../journeys/support/processes.ts';
import type { TestCloud } from '../support/local-cloud.ts';
import { percentile, readArrivals } from './arrivals.ts';
import { type BenchTable, countBounds, defineBench } from './bench.ts';
import {
  type Destination,
  destinationsFor,
  type Kind,
  kinds,
  raisedDailyLimits,
  raiseLimits,
} from './destinations.ts';

interface Size {
  /** The time from the creation of a post to its due time. */
  readonly aheadMs: number;
  /** Runs of posts that are due at even distances, a text, an image and a video in turn. They come one after the other. */
  readonly runs: readonly { readonly postsOfEachKind: number; readonly spacingMs: number }[];
  /** The number of times that each kind of post comes alone, to functions without a running environment. */
  readonly coldRounds: number;
  /** Default: all. */
  readonly kinds?: readonly Kind[];
  /** Default: all. */
  readonly platforms?: readonly Platform[];
}

const full: Size = {
  // Earlier than a video's preparation begins.
  aheadMs: 37 * minuteMs,
  runs: [
    { postsOfEachKind: 10, spacingMs: secondMs },
    // The simulators close idle connections after 5 to 6 s, as Node.js does: a call on a kept connection would meet that.
    { postsOfEachKind: 3, spacingMs: 6 * secondMs },
  ],
  coldRounds: 1,
};
const smallest: Size = {
  aheadMs: secondMs,
  runs: [
    { postsOfEachKind: 1, spacingMs: 0 },
    { postsOfEachKind: 2, spacingMs: 100 },
  ],
  coldRounds: 1,
  kinds: ['text', 'image'],
  platforms: ['facebook'],
};

/** The requirement on all posts together, on one machine that also runs clients, cloud and simulators. */
const bounds = { p50Ms: 50, p99Ms: 300, worstMs: secondMs };

/** A schedule is set a minute and a half before its wake; a little more. */
const scheduleMs = 95 * secondMs;
/** The longest preparation, of a YouTube video, begins some 32 minutes before a post is due. */
const longestLeadMs = 33 * minuteMs;
/** The time before the due time that passes in real time. */
const restMs = 4 * secondMs;
const farStepSeconds = 20;
const nearStepSeconds = 10;

/** The platforms that document no way to process a video before the call that publishes it. */
const processesAfterwards: readonly Platform[] = ['facebook', 'tiktok'];

const publishers = ['publish-target', 'upload-target'] as const;

export const lateness = defineBench<Size>({
  name: 'lateness',
  describe:
    'how late texts, images and videos go live on each platform, with Scheduler’s jitter as in AWS (four minutes)',
  sizes: { full, smallest },
  measure: (size, { progress, withCloud }) =>
    withCloud({ jitter: 'real', dailyLimits: raisedDailyLimits }, (cloud) => measure(cloud, size, progress)),
});

/** A created post. */
interface Planned {
  readonly id: string;
  readonly content: string;
  readonly kind: Kind;
  readonly isCold: boolean;
  readonly dueMs: number;
  readonly platforms: readonly Platform[];
}

type Plan = (kind: Kind, dueMs: number, destinations: readonly Destination[]) => Promise<Planned>;

async function measure(
  cloud: TestCloud,
  size: Size,
  progress: (line: string) => void,
): Promise<BenchTable[]> {
  await raiseLimits(cloud);
  const client = clientOf(cloud, cloud.demo);
  const chosen = kinds.filter((kind) => size.kinds?.includes(kind) ?? true);
  const destinations = new Map<Kind, Destination[]>();
  for (const kind of chosen) destinations.set(kind, await destinationsFor(client, kind, size.platforms));
  const plan = await openPlan(client);

  const cold: Planned[] = [];
  for (let round = 0; round < size.coldRounds; round += 1) {
    for (const [kind, accepting] of destinations) {
      for (const [leadMs, group] of await byLead(kind, accepting)) {
        progress(`cold functions: ${kind}, ${group.map(({ platform }) => platform).join(', ')}`);
        const post = await plan(kind, wholeSecond(cloud, size), group);
        await publishCold(cloud, client, post, leadMs);
        cold.push({ ...post, isCold: true });
      }
    }
  }

  const warm: Planned[] = [];
  let dueMs = wholeSecond(cloud, size);
  const firstDueMs = dueMs;
  for (const { postsOfEachKind, spacingMs } of size.runs) {
    for (let index = 0; index < postsOfEachKind * chosen.length; index += 1) {
      const kind = chosen[index % chosen.length] ?? 'text';
      warm.push(await plan(kind, dueMs, destinations.get(kind) ?? []));
      dueMs += spacingMs;
    }
  }
  progress(`${warm.length} posts are planned`);
  await jumpTo(cloud, firstDueMs - longestLeadMs - scheduleMs);
  await passTo(cloud, firstDueMs - scheduleMs, farStepSeconds);
  await passTo(cloud, firstDueMs - restMs, nearStepSeconds);
  progress(`the first of them is due; the last in ${Math.round((dueMs - firstDueMs) / secondMs)} s`);
  await delay(Math.max(0, dueMs - cloud.clock.now()));
  for (const { id } of warm) await settled(client, id, { withinSeconds: 60 });
  return evaluate(cloud, destinations, [...warm, ...cold]);
}

const wholeSecond = (cloud: TestCloud, { aheadMs }: Size) =>
  Math.ceil((cloud.clock.now() + aheadMs) / secondMs) * secondMs;

async function openPlan(client: Client): Promise<Plan> {
  const [image, video] = await Promise.all([client.upload('image.jpg'), client.upload('video.mp4')]);
  const media = {
    text: [],
    image: [{ type: 'image', url: image }],
    video: [{ type: 'video', url: video }],
  };
  let count = 0;
  return async (kind, dueMs, destinations) => {
    count += 1;
    const content = `Lateness, ${kind} ${count}`;
    const { id } = await client.createPost({
      content,
      mediaItems: media[kind],
      platforms: destinations.map(({ entry }) => entry),
      scheduledFor: new Date(dueMs).toISOString(),
    });
    return {
      id,
      content,
      kind,
      isCold: false,
      dueMs,
      platforms: destinations.map(({ platform }) => platform),
    };
  };
}

/** Groups destinations whose preparation takes about the same time, by that time in milliseconds. */
async function byLead(kind: Kind, destinations: readonly Destination[]): Promise<Map<number, Destination[]>> {
  const media = kind === 'text' ? [] : [{ type: kind, sizeBytes: 0 }];
  const groups = new Map<number, Destination[]>();
  for (const destination of destinations) {
    const rules = await rulesFor(destination.platform);
    const leadSeconds = rules?.leadSeconds({ content: '', media, options: {} }) ?? 0;
    const leadMs = Math.round((leadSeconds * secondMs) / minuteMs) * minuteMs;
    groups.set(leadMs, [...(groups.get(leadMs) ?? []), destination]);
  }
  return groups;
}

/** Lets a post go live. Stops all environments of the publishing functions before Scheduler brings a message of the post. */
async function publishCold(
  cloud: TestCloud,
  client: Client,
  { id, dueMs }: Planned,
  leadMs: number,
): Promise<void> {
  const stopAll = () => Promise.all(publishers.map((name) => killAll(cloud, name)));
  await jumpTo(cloud, dueMs - leadMs - scheduleMs);
  await stopAll();
  await passTo(cloud, dueMs - scheduleMs, farStepSeconds);
  // The wake at the due time is far enough from such a preparation that Scheduler brings it too.
  if (leadMs === longestLeadMs) await stopAll();
  await passTo(cloud, dueMs - restMs, nearStepSeconds);
  await settled(client, id, { withinSeconds: 60 });
}

/** Moves the clock at once when nothing is on its way. Does nothing if the time has passed. */
const jumpTo = (cloud: TestCloud, momentMs: number) => passTo(cloud, momentMs, dayMs / secondMs);

/** The latenesses of one kind of post, warm or cold, on one platform. */
interface Group {
  readonly kind: Kind;
  readonly isCold: boolean;
  readonly platform: Platform;
  /** Until viewers can see them; on platforms that process videos afterwards, until the call that publishes them. */
  readonly lateMs: readonly number[];
  readonly seenLateMs: readonly number[];
  readonly twice: number;
  readonly wanted: number;
}

async function evaluate(
  cloud: TestCloud,
  destinations: ReadonlyMap<Kind, readonly Destination[]>,
  posts: readonly Planned[],
): Promise<BenchTable[]> {
  const groups: Group[] = [];
  for (const [kind, each] of destinations) {
    for (const isCold of [false, true]) {
      const those = posts.filter((post) => post.kind === kind && post.isCold === isCold);
      for (const { platform } of each) {
        const due = new Map(
          those
            .filter(({ platforms }) => platforms.includes(platform))
            .map(({ content, dueMs }) => [content, dueMs]),
        );
        const { lateMs, seenLateMs, twice } = await readArrivals(cloud, platform, due);
        const ofCall = processesAfterwards.includes(platform);
        const lateness = { lateMs: ofCall ? lateMs : seenLateMs, seenLateMs };
        groups.push({ kind, isCold, platform, ...lateness, twice, wanted: due.size });
      }
    }
  }
  return [kindTable(groups, posts.length), platformTable(groups)];
}

const latenesses = (groups: readonly Group[], of: 'lateMs' | 'seenLateMs' = 'lateMs') =>
  groups.flatMap((group) => group[of]).toSorted((left, right) => left - right);

function kindTable(groups: readonly Group[], postCount: number): BenchTable {
  const all = latenesses(groups);
  const wanted = groups.reduce((sum, group) => sum + group.wanted, 0);
  const twice = groups.reduce((sum, group) => sum + group.twice, 0);
  const met = [
    all.length === wanted && twice === 0,
    percentile(all, 0) >= 0,
    percentile(all, 0.5) <= bounds.p50Ms,
    percentile(all, 0.99) <= bounds.p99Ms,
    percentile(all, 1) <= bounds.worstMs,
  ];
  const row = (title: string, lateMs: readonly number[]) => [
    title,
    String(lateMs.length),
    ...[0, 0.5, 0.99, 1].map((share) => String(percentile(lateMs, share))),
  ];
  const ofKind = (kind: Kind, isCold: boolean) =>
    latenesses(groups.filter((group) => group.kind === kind && group.isCold === isCold));
  const present = [...new Set(groups.map(({ kind }) => kind))];
  return {
    title: 'Lateness by kind: how long after its scheduled time a viewer can see a post, in milliseconds',
    columns: ['kind', 'live', 'least', 'p50', 'p99', 'worst'],
    rows: [
      ...present.map((kind) => row(kind, ofKind(kind, false))),
      ...present.map((kind) => row(`${kind}, cold`, ofKind(kind, true))),
      row('all', all),
      ['bound', ...[wanted, 0, bounds.p50Ms, bounds.p99Ms, bounds.worstMs].map(String)],
      ['result', ...met.map((isMet) => (isMet ? 'within' : 'over'))],
    ],
    notes: [
      `${postCount} posts; ${twice} live twice. All were planned more than three minutes ahead, so Scheduler brought their first messages.`,
      'Facebook and TikTok process a video after the call at its time, and only then can viewers see it: of these, the time of the',
      'call counts, and the table by platform has the other.',
      '"Cold": no environment of the publishing functions was left before such a message came. A negative value means early.',
      'Clients, service and simulators share this machine. The closest figure that any provider has published is 90 % within',
      '31 s and 99 % within 69 s.',
    ],
    bounds: countBounds(met),
  };
}

function platformTable(groups: readonly Group[]): BenchTable {
  const platforms = [...new Set(groups.map(({ platform }) => platform))].toSorted();
  const worst = (platform: Platform, kind: Kind, of?: 'seenLateMs') => {
    const lateMs = latenesses(
      groups.filter((group) => group.platform === platform && group.kind === kind),
      of,
    );
    return lateMs.length === 0 ? '' : String(percentile(lateMs, 1));
  };
  return {
    title: 'Lateness by platform: the worst of each kind, cold ones included, in milliseconds',
    columns: ['platform', ...kinds, 'video, seen', 'bound'],
    rows: platforms.map((platform) => [
      platform,
      ...kinds.map((kind) => worst(platform, kind)),
      worst(platform, 'video', 'seenLateMs'),
      String(bounds.worstMs),
    ]),
    notes: [
      'Empty: the platform takes no such post. "Video, seen": until viewers can see it, with the processing by the platform.',
    ],
    bounds: countBounds([]),
  };
}
