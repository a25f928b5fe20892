import { beforeEach, describe, expect, it } from 'vitest';
import type { Incident } from '../../../lib/incidents/schemas.ts';
import { readWatch } from '../../../lib/incidents/store.ts';
import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import type { Measurement } from '../../../lib/metrics/measurements.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import type { Platform } from '../../../lib/platforms/contract/names.ts';
import { messageOf } from '../../../lib/publishing/message.ts';
import { sweepOverdue } from '../../../lib/recovery/sweep.ts';
import { noteTargets, watchPlatforms } from '../../../lib/recovery/watch-platforms.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs } from '../../support/builders.ts';
import { sweepPorts } from '../../support/sweep.ts';
import { createTestTable } from '../../support/table.ts';
import { at, type Fixture, openFixture } from '../publishing/fixture.ts';
import { failingTable } from './fixture.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const down = () => new PlatformError('retry', 'Service Unavailable', { status: 503 });
const dayIsFull = () =>
  new PlatformError('retry', '25 posts a day', { isDailyLimit: true, retryAfterSeconds: 7_200 });
const slowDown = () =>
  new PlatformError('retry', 'too many calls', { status: 429, retryAfterSeconds: 1_800 });

/** Posts that are due at the start, each of its own workspace, on this platform. */
const duePosts = (count: number, platform: Platform = 'threads') =>
  Promise.all(
    Array.from({ length: count }, () => openFixture(table, { account: { platform }, target: { platform } })),
  );

/** Lets the platform answer a post like this from a minute on; `undefined`: as usual. */
type Answers = (minute: number) => Error | undefined;

/** Works a post's wakes of a minute. */
async function work(fixture: Fixture, minute: number, answer: Error | undefined): Promise<void> {
  const { clock, platform, find, deliver } = fixture;
  for (;;) {
    const target = await find();
    const wakeMs = Date.parse(target.wakeAt ?? '9999-01-01T00:00:00Z');
    if (wakeMs >= startMs + (minute + 1) * minuteMs) return;
    clock.time = wakeMs - secondMs;
    platform.script.prepare = answer ? [answer] : [];
    await deliver(messageOf(target));
  }
}

interface Watched {
  readonly minute: number;
  readonly incidents: readonly Incident[];
  readonly measurements: readonly Measurement[];
}

async function sweep(minute: number, given: Table = table): Promise<Watched> {
  const now = () => startMs + minute * minuteMs;
  const { note, seen } = noteTargets(now);
  const ports = { ...sweepPorts(given, now), noteTarget: note };
  await sweepOverdue(ports, Number.POSITIVE_INFINITY);
  const measurements = await watchPlatforms(ports, seen());
  return { minute, incidents: (await readWatch(table)).incidents, measurements };
}

/** Lets minutes pass: workers work, and the sweep runs at the end of each. */
async function pass(posts: readonly Fixture[], minutes: number, answers: Answers): Promise<Watched[]> {
  const watched: Watched[] = [];
  for (let minute = 0; minute < minutes; minute += 1) {
    for (const post of posts) await work(post, minute, answers(minute));
    watched.push(await sweep(minute + 1));
  }
  return watched;
}

/** The spans of minutes with an incident, as `<kinds> <first>–<last>`. */
function spans(watched: readonly Watched[]): string[] {
  const found: { kinds: Set<string>; first: number; last: number }[] = [];
  for (const { minute, incidents } of watched) {
    const [incident] = incidents;
    if (!incident) continue;
    const latest = found.at(-1);
    if (latest && latest.last === minute - 1) {
      latest.kinds.add(incident.kind);
      latest.last = minute;
    } else found.push({ kinds: new Set([incident.kind]), first: minute, last: minute });
  }
  return found.map(({ kinds, first, last }) => `${[...kinds].join(', then ')} ${first}–${last}`);
}

describe('a platform that is down', () => {
  it('has one incident, from the fifth minute until posts go live again', async () => {
    const posts = await duePosts(6);
    const watched = await pass(posts, 45, (minute) => (minute < 40 ? down() : undefined));
    expect(spans(watched)).toEqual(['late, then outage 5–40']);
    expect(await Promise.all(posts.map(({ status }) => status()))).toEqual(posts.map(() => 'published'));
  });

  it('is measured in each of these minutes, for the alarm of the platform', async () => {
    const watched = await pass(await duePosts(6), 20, down);
    const measured = { name: 'PlatformsInTrouble', value: 1, platform: 'threads' };
    expect(watched.map(({ measurements }) => measurements)).toEqual(
      watched.map(({ minute }) => (minute < 5 ? [] : [measured])),
    );
  });

  it('is no outage for customers if only few posts show it', async () => {
    const watched = await pass(await duePosts(4), 30, down);
    expect(spans(watched)).toEqual(['late 5–30']);
  });

  it('has no incident if the fault is short', async () => {
    const watched = await pass(await duePosts(6), 20, (minute) => (minute < 4 ? down() : undefined));
    expect(spans(watched)).toEqual([]);
  });

  it('has no incident if posts get through after some tries', async () => {
    const posts = await duePosts(12);
    const watched: Watched[] = [];
    for (let minute = 0; minute < 30; minute += 1) {
      for (const [index, post] of posts.entries())
        await work(post, minute, minute < 3 * index ? down() : undefined);
      watched.push(await sweep(minute + 1));
    }
    expect(spans(watched)).toEqual([]);
  });

  it('does not hide another platform', async () => {
    const [threads, youtube] = [await duePosts(30), await duePosts(6, 'youtube')];
    const watched = await pass([...threads, ...youtube], 20, down);
    expect(watched.at(-1)?.incidents).toMatchObject([
      { platform: 'threads', kind: 'outage' },
      { platform: 'youtube', kind: 'outage' },
    ]);
  });
});

describe('posts that wait for something known', () => {
  it.each([
    ['a daily limit', dayIsFull],
    ['a wait that the platform asks for', slowDown],
  ])('are no incident: %s', async (_, answer) => {
    expect(spans(await pass(await duePosts(4), 40, answer))).toEqual([]);
  });

  it('are no incident: a time in the future', async () => {
    const later = { scheduledFor: at(60 * minuteMs), wakeAt: at(0), platform: 'threads' } as const;
    const posts = await Promise.all(
      Array.from({ length: 4 }, () =>
        openFixture(table, { target: later, account: { platform: 'threads' } }),
      ),
    );
    expect(spans(await pass(posts, 30, down))).toEqual([]);
  });
});

describe('a destination that no worker tries', () => {
  it('is measured by its lateness, and is not taken for trouble of its platform', async () => {
    await duePosts(6);
    const measured = [];
    for (const minute of [1, 6, 20]) measured.push(await sweep(minute));
    expect(measured.map(({ measurements }) => measurements)).toEqual(
      [1, 6, 20].map((minutes) => [{ name: 'OverdueLateness', value: minutes * minuteMs }]),
    );
    expect(measured.flatMap(({ incidents }) => incidents)).toEqual([]);
  });
});

describe('while all is well', () => {
  it('a sweep reads one small item more, and writes nothing', async () => {
    const sent: object[] = [];
    const counted = failingTable(table, (command) => sent.push(command) < 0);
    const ports = sweepPorts(counted, () => startMs);
    expect(await watchPlatforms(ports, noteTargets(ports.now).seen())).toEqual([]);
    expect(sent.map((command) => command.constructor.name)).toEqual(['GetCommand']);
    expect(await readWatch(table)).toMatchObject({ checkedAt: '' });
  });
});
