import { cpus } from 'node:os';
import type { Platform } from '../../lib/platforms/contract/names.ts';
import { clientOf, until } from '../journeys/support/client.ts';
import { advanceTo } from '../journeys/support/clock.ts';
import type { TestCloud } from '../support/local-cloud.ts';
import { type Arrivals, percentile, readArrivals } from './arrivals.ts';
import { type BenchTable, countBounds, defineBench, verdict } from './bench.ts';
import { preparedDestinations, raisedDailyLimits, raiseLimits } from './destinations.ts';
import { type ProcessorTime, processorTimeBetween, readProcessorTime } from './same-second/processor-time.ts';

interface Size {
  readonly targetCount: number;
  /** Default: all. */
  readonly platforms?: readonly Platform[];
  /** The time to create all posts, and then to prepare them. */
  readonly planningMs: number;
  readonly preparingMs: number;
  readonly lookEveryMs: number;
  /** Time to wait for possible duplicates. The next sweep would publish them at the latest. */
  readonly watchedMs: number;
  /**
   * The most processor time per target from the due time on, in milliseconds. Unlike the lateness, it hardly depends on the machine's load.
   * Absent: no bound.
   */
  readonly mostProcessorMs?: number;
}

const full: Size = {
  targetCount: 2_000,
  planningMs: 600_000,
  preparingMs: 240_000,
  lookEveryMs: 2_000,
  watchedMs: 10_000,
  mostProcessorMs: 65,
};
const smallest: Size = {
  targetCount: 1,
  platforms: ['facebook'],
  planningMs: 1_000,
  preparingMs: 1_000,
  lookEveryMs: 100,
  watchedMs: 0,
};
const createdAtOnce = 4;
const patienceSeconds = 180;

export const sameSecond = defineBench<Size>({
  name: 'same-second',
  // It reads /proc.
  system: 'linux',
  describe: `how late ${full.targetCount} targets go live that are due in the same second (seven minutes)`,
  sizes: { full, smallest },
  measure: (size, { progress, withCloud }) =>
    withCloud({ jitter: 'real', dailyLimits: raisedDailyLimits }, (cloud) => measure(cloud, size, progress)),
});

async function measure(
  cloud: TestCloud,
  { targetCount, platforms, planningMs, preparingMs, lookEveryMs, watchedMs, mostProcessorMs }: Size,
  progress: (line: string) => void,
): Promise<BenchTable[]> {
  await raiseLimits(cloud);
  const client = clientOf(cloud, cloud.demo);
  const [image, video] = await Promise.all([client.upload('image.jpg'), client.upload('video.mp4')]);
  const destinations = await preparedDestinations(client, video, platforms);
  const postCount = Math.ceil(targetCount / destinations.length);
  const wanted = postCount * destinations.length;
  const dueMs = Math.ceil((cloud.clock.now() + planningMs) / 1_000) * 1_000;
  const due = new Map(Array.from({ length: postCount }, (_, index) => [`Same second, post ${index}`, dueMs]));
  const contents = [...due.keys()];
  const atFirst = readProcessorTime(cloud);
  const postIds = new Map<string, string>();
  await Promise.all(
    Array.from({ length: createdAtOnce }, async () => {
      for (let content = contents.pop(); content !== undefined; content = contents.pop()) {
        const { id } = await client.createPost({
          content,
          mediaItems: [{ type: 'image', url: image }],
          platforms: destinations.map(({ entry }) => entry),
          scheduledFor: new Date(dueMs).toISOString(),
        });
        postIds.set(content, id);
      }
    }),
  );
  await advanceTo(cloud, dueMs - preparingMs);
  const leftMs = dueMs - cloud.clock.now();
  progress(`${wanted} targets are due in ${Math.round(leftMs / 1_000)} s`);
  await new Promise((resolve) => setTimeout(resolve, leftMs));
  progress('all are due');
  const whenDue = readProcessorTime(cloud);

  const look = () => Promise.all(destinations.map(({ platform }) => readArrivals(cloud, platform, due)));
  const countOf = (arrivals: readonly Arrivals[]) =>
    arrivals.reduce((sum, { lateMs }) => sum + lateMs.length, 0);
  // A timeout is not an error: the table shows how many are missing.
  await until(look, (arrivals) => countOf(arrivals) >= wanted, {
    withinSeconds: patienceSeconds,
    meanwhile: () => new Promise((resolve) => setTimeout(resolve, lookEveryMs)),
  }).catch(() => progress(`not all are live after ${patienceSeconds} s`));
  const atEnd = readProcessorTime(cloud);
  // Wait for possible duplicates.
  await new Promise((resolve) => setTimeout(resolve, watchedMs));
  const arrivals = await look();
  for (const { platform, latest } of arrivals) {
    const entries = await client.timeline(postIds.get(latest ?? '') ?? '');
    const steps = entries.filter((entry) => entry.platform === platform);
    progress(
      `timeline of the last post on ${platform}: ${steps.map(({ at, event }) => `${at} ${event}`).join(', ')}`,
    );
  }
  return [
    tableOf(arrivals, wanted, destinations.length),
    processorTable(
      wanted,
      [
        ['until due', processorTimeBetween(atFirst, whenDue)],
        ['from then on', processorTimeBetween(whenDue, atEnd)],
        ['together', processorTimeBetween(atFirst, atEnd)],
      ],
      mostProcessorMs,
    ),
  ];
}

/** Says where the processors' time went. @param mostMs the bound per target from the due time on, the second span */
function processorTable(
  targetCount: number,
  spans: readonly (readonly [title: string, time: ProcessorTime])[],
  mostMs: number | undefined,
): BenchTable {
  const perTarget = (milliseconds: number) => (milliseconds / targetCount).toFixed(1);
  const names = Object.keys(spans.at(-1)?.[1].functions ?? {});
  const ofAll = ({ functions }: ProcessorTime) =>
    Object.values(functions).reduce((sum, milliseconds) => sum + milliseconds, 0);
  const row = (title: string, pick: (time: ProcessorTime) => number) => [
    title,
    ...spans.map(([, time]) => perTarget(pick(time))),
  ];
  const inAll = (time: ProcessorTime) => ofAll(time) + time.cloudMs + time.databaseMs;
  const [, fromDue] = spans;
  const isMet = mostMs === undefined || !fromDue ? undefined : inAll(fromDue[1]) / targetCount <= mostMs;
  return {
    title: 'Processor time per target, in milliseconds',
    columns: ['part', ...spans.map(([title]) => title)],
    rows: [
      ...names.map((name) => row(name, ({ functions }) => functions[name] ?? 0)),
      row('all functions', ofAll),
      row('local cloud and platforms', ({ cloudMs }) => cloudMs),
      row('database', ({ databaseMs }) => databaseMs),
      row('all', inAll),
    ],
    notes: [
      'Functions include the start of their processes. In AWS they run on processors of their own.',
      ...(mostMs === undefined ? [] : [`Bound from the due time on: ${mostMs} ms. Met: ${verdict(isMet)}.`]),
    ],
    bounds: countBounds([isMet]),
  };
}

function tableOf(arrivals: readonly Arrivals[], wanted: number, platformCount: number): BenchTable {
  const all = arrivals.flatMap(({ lateMs }) => lateMs).toSorted((left, right) => left - right);
  const atMs = arrivals.flatMap((arrival) => arrival.atMs);
  const twice = arrivals.reduce((sum, arrival) => sum + arrival.twice, 0);
  const seconds = Math.max(1, Math.max(...atMs) - Math.min(...atMs)) / 1_000;
  const inFirstSecond = all.filter((lateMs) => lateMs <= 1_000).length;
  const perSecond = all.length / seconds;
  const met = [all.length === wanted, twice === 0, percentile(all, 0) >= 0];
  return {
    title: `${wanted} targets due in the same second`,
    columns: ['what', 'value', 'bound', 'met'],
    rows: [
      ['live', String(all.length), String(wanted), verdict(met[0])],
      ['live twice', String(twice), '0', verdict(met[1])],
      ['minimum delay, ms', String(percentile(all, 0)), '0', verdict(met[2])],
      ['p50, ms', String(percentile(all, 0.5)), '', ''],
      ['p99, ms', String(percentile(all, 0.99)), '', ''],
      ['maximum, ms', String(percentile(all, 1)), '', ''],
      ['live within the second', String(inFirstSecond), '', ''],
      ['live per second, from first to last', perSecond.toFixed(0), '', ''],
    ],
    notes: [
      `${platformCount} platforms, prepared ahead. Everything runs on one machine with ${cpus().length} processors: database, queues, a few`,
      'processes of the publishing function, and the simulated platforms. docs/scale.md estimates',
      'the figures for AWS.',
    ],
    bounds: countBounds(met),
  };
}
