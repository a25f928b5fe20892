import { setTimeout as delay } from 'node:timers/promises';
import { ListSchedulesCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { minuteMs, secondMs } from '../../lib/kernel/clock.ts';
import { type Client, clientOf } from '../journeys/support/client.ts';
import { advanceTo, passing } from '../journeys/support/clock.ts';
import type { TestCloud } from '../support/local-cloud.ts';
import { type Arrivals, percentile, readArrivals } from './arrivals.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';
import { raisedDailyLimits, raiseLimits } from './destinations.ts';

interface Size {
  readonly outageMs: number;
  /** Due times of near posts, in milliseconds after their creation: too soon for a schedule. */
  readonly nearMs: readonly number[];
  /** Due times of distant posts, in milliseconds after the beginning of the outage. At each moment, one with text. */
  readonly distantMs: readonly number[];
  /** The moments among them at which a post with an image is due too. */
  readonly imageMs: readonly number[];
}

/** Times at different seconds of a minute, because the sweep runs once a minute. */
const at = (minutes: number, seconds: number) => minutes * minuteMs + seconds * secondMs;

const full: Size = {
  outageMs: 60 * minuteMs,
  nearMs: [60, 75, 90, 105, 120, 135, 150, 165].map((seconds) => seconds * secondMs),
  distantMs: [at(10, 7), at(20, 19), at(30, 31), at(40, 43), at(55, 55), at(61, 13), at(75, 37), at(90, 49)],
  imageMs: [at(30, 31), at(75, 37)],
};
const smallest: Size = {
  outageMs: 6 * minuteMs,
  nearMs: [15 * secondMs],
  distantMs: [at(4, 7)],
  imageMs: [],
};

/** The sweep runs once a minute and sends what is due within 15 s, so without Scheduler nothing should be later. */
const distantBoundMs = 60 * secondMs;
/** Additional delay of near posts compared with no outage: median and maximum. */
const nearBounds = { p50Ms: 500, mostMs: 2_000 };
/**
 * Posts due at least this much later than the end of the outage count as later: the bench reports how many of them have
 * schedules again after half of this time.
 */
const rescheduledMs = 10 * minuteMs;
/** Time to watch for a post after it is due. */
const watchedMs = 2 * minuteMs;
/** Time before a post is due in which it may be prepared: the clock is moved in small steps. */
const closeMs = 100 * secondMs;
/** Steps as in the bench `recovery`: workers' calls take real time, and the clock must not run ahead of their leases. */
const step = { seconds: 5, pauseMs: 700 };

const platforms = ['facebook', 'instagram'] as const;
type Due = Map<string, number>;

export const schedulerOutage = defineBench<Size>({
  name: 'scheduler-outage',
  describe: 'how late posts go live if Scheduler refuses every call for an hour (eight minutes)',
  sizes: { full, smallest },
  measure: (size, { progress, withCloud }) =>
    withCloud({ jitter: 'none', dailyLimits: raisedDailyLimits }, (cloud) => measure(cloud, size, progress)),
});

async function measure(
  cloud: TestCloud,
  size: Size,
  progress: (line: string) => void,
): Promise<BenchTable[]> {
  await raiseLimits(cloud);
  const client = clientOf(cloud, cloud.demo);
  const image = await client.upload('image.jpg');
  // Warms the functions up.
  await runNear(cloud, client, 'warm up', [15 * secondMs]);
  progress('near posts without an outage');
  const usual = await runNear(cloud, client, 'without an outage', size.nearMs);

  await refuseSchedules(cloud, true);
  try {
    const beginMs = cloud.clock.now();
    const endMs = beginMs + size.outageMs;
    const due: Due = new Map();
    const ids = new Map<string, number>();
    for (const afterMs of size.distantMs) {
      const kinds = size.imageMs.includes(afterMs) ? (['text', 'image'] as const) : (['text'] as const);
      for (const kind of kinds) {
        const content = `Outage ${beginMs}, distant ${kind} after ${afterMs / secondMs} s`;
        const dueMs = wholeSecond(beginMs + afterMs);
        const { id } = await createPost(client, content, dueMs, kind === 'image' ? image : undefined);
        due.set(content, dueMs);
        ids.set(id, dueMs);
      }
    }
    progress('near posts in the outage');
    const near = await runNear(cloud, client, 'in the outage', size.nearMs);
    await passPosts(cloud, due, endMs, progress);
    await advanceMinutes(cloud, endMs);
    await refuseSchedules(cloud, false);
    progress('the outage is over');
    const later = [...ids].filter(([, dueMs]) => dueMs > endMs + rescheduledMs).map(([id]) => id);
    await advanceMinutes(cloud, endMs + rescheduledMs / 2, due, progress);
    const rescheduled = later.length === 0 ? 0 : await countScheduled(cloud, later);
    await passPosts(cloud, due, Number.POSITIVE_INFINITY, progress);
    const distant = await Promise.all(platforms.map((platform) => readArrivals(cloud, platform, due)));
    return [tableOf({ size, usual, near, distant, due, rescheduled, later: later.length, endMs })];
  } finally {
    await refuseSchedules(cloud, false);
  }
}

const wholeSecond = (ms: number) => Math.ceil(ms / secondMs) * secondMs;

/** Sets the rate of Scheduler to nothing, so that it refuses every call with `ThrottlingException`. */
async function refuseSchedules({ awsEndpoint }: TestCloud, isOut: boolean): Promise<void> {
  const scheduler = isOut ? { perSecond: 0, burst: 0 } : null;
  const answer = await fetch(`${awsEndpoint}/_local/rates`, {
    method: 'POST',
    body: JSON.stringify({ scheduler }),
  });
  if (!answer.ok) throw new Error(`/_local/rates returned ${answer.status}: ${await answer.text()}`);
}

async function createPost(client: Client, content: string, dueMs: number, image?: string) {
  const platform = image === undefined ? 'facebook' : 'instagram';
  return client.createPost({
    content,
    ...(image !== undefined && { mediaItems: [{ type: 'image', url: image }] }),
    platforms: [{ accountId: client.accountId(platform) }],
    scheduledFor: new Date(dueMs).toISOString(),
  });
}

/** Creates posts that are due soon, moves the clock to just before each, and waits for it. */
async function runNear(
  cloud: TestCloud,
  client: Client,
  name: string,
  afterMs: readonly number[],
): Promise<Arrivals> {
  const beginMs = cloud.clock.now();
  const due: Due = new Map();
  for (const each of afterMs) {
    const content = `Near ${name} ${beginMs}, after ${each / secondMs} s`;
    const dueMs = wholeSecond(beginMs + each);
    await createPost(client, content, dueMs);
    due.set(content, dueMs);
  }
  // The relay sends their messages.
  await delay(1_000);
  for (const [content, dueMs] of due) {
    await advanceTo(cloud, dueMs - 3 * secondMs);
    const endMs = dueMs + 10 * secondMs;
    while (!(await isLive(cloud, content)) && cloud.clock.now() < endMs) await delay(100);
    // Its outcome is committed.
    await delay(500);
  }
  return readArrivals(cloud, 'facebook', due);
}

async function isLive(cloud: TestCloud, content: string): Promise<boolean> {
  const found = await Promise.all(
    platforms.map((platform) => readArrivals(cloud, platform, new Map([[content, 0]]))),
  );
  return found.some(({ lateMs }) => lateMs.length > 0);
}

/** Passes the times of the posts that are due before a moment, each in small steps until it is live. */
async function passPosts(
  cloud: TestCloud,
  due: Due,
  untilMs: number,
  progress: (line: string) => void,
): Promise<void> {
  for (const [content, dueMs] of due) {
    if (dueMs >= untilMs || (await isLive(cloud, content))) continue;
    await advanceMinutes(cloud, dueMs - closeMs);
    const { meanwhile } = passing(cloud, step.seconds);
    while (!(await isLive(cloud, content)) && cloud.clock.now() < dueMs + watchedMs) {
      await meanwhile();
      await delay(step.pauseMs);
    }
    progress(`${content}: ${Math.round((cloud.clock.now() - dueMs) / secondMs)} s after its time`);
  }
}

/** Moves the clock by a minute at a time, because the sweep runs once if the clock passes several of its times. */
async function advanceMinutes(
  cloud: TestCloud,
  momentMs: number,
  due: Due = new Map(),
  progress: (line: string) => void = () => {},
): Promise<void> {
  await passPosts(cloud, due, momentMs, progress);
  while (cloud.clock.now() < momentMs) {
    await advanceTo(cloud, Math.min(momentMs, cloud.clock.now() + minuteMs));
    await delay(step.pauseMs);
  }
}

/** Counts the posts that have a schedule. */
async function countScheduled(cloud: TestCloud, postIds: readonly string[]): Promise<number> {
  const { awsEndpoint: endpoint, administrator: credentials, model } = cloud;
  const scheduler = new SchedulerClient({ region: model.region, endpoint, credentials });
  try {
    const GroupName = model.scheduleGroups[0]?.name;
    const { Schedules = [] } = await scheduler.send(new ListSchedulesCommand({ GroupName }));
    const names = Schedules.map(({ Name = '' }) => Name);
    return postIds.filter((id) => names.some((name) => name.startsWith(id.replaceAll('-', '')))).length;
  } finally {
    scheduler.destroy();
  }
}

interface Results {
  readonly size: Size;
  readonly usual: Arrivals;
  readonly near: Arrivals;
  readonly distant: readonly Arrivals[];
  readonly due: Due;
  readonly rescheduled: number;
  /** Number of posts that are due well after the outage. */
  readonly later: number;
  readonly endMs: number;
}

function tableOf({ size, usual, near, distant, due, rescheduled, later, endMs }: Results): BenchTable {
  const wantedNear = size.nearMs.length;
  const lateMs = distant.flatMap((each) => each.lateMs).toSorted((left, right) => left - right);
  const twice = [near, ...distant].reduce((sum, each) => sum + each.twice, 0);
  const mostMs = percentile(lateMs, 1);
  const inOutage = [...due.values()].filter((dueMs) => dueMs < endMs).length;
  const seconds = (ms: number) => (Number.isNaN(ms) ? 'none' : (ms / secondMs).toFixed(2));
  const nearMet = (share: number, most: number) =>
    percentile(near.lateMs, share) <= percentile(usual.lateMs, share) + most;
  const earliestMs = Math.min(...near.lateMs, ...lateMs);
  const lines: readonly (readonly [string, string, string, string, boolean | undefined])[] = [
    [
      'near posts live',
      String(near.lateMs.length),
      String(usual.lateMs.length),
      String(wantedNear),
      near.lateMs.length === wantedNear,
    ],
    ['distant posts live', String(lateMs.length), '', String(due.size), lateMs.length === due.size],
    ['live twice', String(twice), String(usual.twice), '0', twice === 0],
    ['earliest, s', Number.isFinite(earliestMs) ? seconds(earliestMs) : 'none', '', '0', earliestMs >= 0],
    [
      'near posts: late by p50, s',
      seconds(percentile(near.lateMs, 0.5)),
      seconds(percentile(usual.lateMs, 0.5)),
      `+ ${seconds(nearBounds.p50Ms)}`,
      nearMet(0.5, nearBounds.p50Ms),
    ],
    [
      'near posts: late by at most, s',
      seconds(percentile(near.lateMs, 1)),
      seconds(percentile(usual.lateMs, 1)),
      `+ ${seconds(nearBounds.mostMs)}`,
      nearMet(1, nearBounds.mostMs),
    ],
    ['distant posts: late by p50, s', seconds(percentile(lateMs, 0.5)), '', '', undefined],
    [
      'distant posts: late by at most, s',
      seconds(mostMs),
      '',
      seconds(distantBoundMs),
      mostMs <= distantBoundMs,
    ],
    // No bound: repairs wait the longer the more have failed, but never until a post is due.
    ['later posts with schedules again', `${rescheduled} of ${later}`, '', '', undefined],
  ];
  return {
    title: `Scheduler refuses every call for ${size.outageMs / minuteMs} minutes`,
    columns: ['what', 'in the outage', 'without', 'bound', 'met'],
    rows: lines.map(([what, value, without, bound, isMet]) => [what, value, without, bound, verdict(isMet)]),
    notes: [
      `${wantedNear} near posts are due within three minutes; of ${due.size} distant ones ${inOutage} are due in the outage. The clock is moved, in steps`,
      `of ${step.seconds} s around the times of distant posts, so their lateness is measured to that. Their schedules are counted ${rescheduledMs / 2 / minuteMs} minutes after the outage.`,
    ],
    bounds: countBounds(lines.map(([, , , , isMet]) => isMet)),
  };
}
