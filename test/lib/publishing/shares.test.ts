import { beforeEach, describe, expect, it } from 'vitest';
import { readDay } from '../../../lib/daily-limits/read.ts';
import { settlePlace } from '../../../lib/daily-limits/settle.ts';
import { hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { DailyLimits } from '../../../lib/platforms/contract/daily-limit.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs } from '../../support/builders.ts';
import { countRequests } from '../../support/requests.ts';
import { createTestTable } from '../../support/table.ts';
import { at, type Fixture, openFixture } from './fixture.ts';

let table: Table;
beforeEach(async () => {
  table = await createTestTable();
});

const timeZone = 'UTC';
const dailyLimits: DailyLimits = { youtube: { posts: 4, timeZone, counts: 'uploads' } };
const [today, tomorrow] = ['2026-03-01', '2026-03-02'] as const;
/** Targets start at noon, UTC. */
const midnight = 12 * hourMs;
/** The fixture's chance is 0.5, so a target comes back five minutes after the end of the day. */
const spreadMs = 5 * minuteMs;
const reason = (share: number) =>
  `YouTube takes 4 uploads per day from this service, and earlier posts of this workspace take its share of ${share} for 2026-03-01 (UTC)`;

/** The places follow the stream, as the relay makes them do. */
async function settle(fixture: Fixture): Promise<void> {
  const target = await fixture.find();
  for (const day of [today, tomorrow]) await settlePlace(table, { ...target, day, timeZone });
}

let posts = 0;
/** A video that is planned for so many milliseconds after the start. Later ones are younger. */
async function plan(workspaceId: string, dueMs = 0, options: Parameters<typeof openFixture>[1] = {}) {
  posts += 1;
  const due = { scheduledFor: at(dueMs), wakeAt: at(dueMs) };
  const fixture = await openFixture(table, {
    workspaceId,
    dailyLimits,
    nowMs: startMs + dueMs,
    ...options,
    target: { platform: 'youtube', ...due, ...options.target },
    post: { id: newId(startMs + posts), ...options.post },
  });
  await settle(fixture);
  return fixture;
}

async function work(fixture: Fixture): Promise<string> {
  await fixture.deliver();
  await settle(fixture);
  return fixture.status();
}

const planAll = async (workspaceId: string, count: number) => {
  const planned: Fixture[] = [];
  while (planned.length < count) planned.push(await plan(workspaceId));
  return planned;
};

describe('a day that one workspace has filled', () => {
  it('still has the place of a small one, and the rest of the large one waits for the next day', async () => {
    const [large, small] = [newId(startMs), newId(startMs)];
    const many = await planAll(large, 7);
    const single = await plan(small, 6 * hourMs);
    const statuses: string[] = [];
    for (const fixture of many) statuses.push(await work(fixture));
    expect(statuses).toEqual([...Array(3).fill('published'), ...Array(4).fill('scheduled')]);
    expect(await work(single)).toBe('published');
    expect(single.platform.ledger).toEqual([startMs + 6 * hourMs]);

    const waiting = await many[3]?.find();
    expect(waiting).toMatchObject({
      status: 'scheduled',
      failures: 0,
      wakeAt: at(midnight + spreadMs),
      error: `waiting for a limit of the platform, until about ${at(midnight)}: ${reason(3)}`,
    });
    expect(many[3]?.platform.calls).toEqual([]);
    const listed = await readDay(table, { platform: 'youtube', day: tomorrow, posts: 4 }, large);
    expect(listed).toHaveLength(4);
  });

  it('ends: what has waited goes live on the next one', async () => {
    const many = await planAll(newId(startMs), 5);
    for (const fixture of many) await work(fixture);
    const last = many[4];
    expect(await last?.runToEnd()).toMatchObject({
      status: 'published',
      publishedAt: at(midnight + spreadMs),
    });
  });

  it('is shared by what is planned, not by who comes first', async () => {
    const [early, late] = [newId(startMs), newId(startMs)];
    const planned = await planAll(early, 4);
    for (let count = 1; count <= 4; count += 1) await plan(late, hourMs);
    const statuses = [];
    for (const fixture of planned) statuses.push(await work(fixture));
    expect(statuses).toEqual(['published', 'published', 'scheduled', 'scheduled']);
  });

  it('does not stop a post that must not wait: it had its place when it was accepted', async () => {
    const strict = await plan(newId(startMs), 0, { post: { onQuota: 'fail', id: newId(startMs + 99) } });
    await planAll(newId(startMs), 4).then((all) => Promise.all(all.map(work)));
    expect(await work(strict)).toBe('published');
  });

  it('stops nothing a second time: the platform decides about what has waited', async () => {
    const workspaceId = newId(startMs);
    const many = await planAll(workspaceId, 5);
    for (const fixture of many) await work(fixture);
    for (let count = 1; count <= 4; count += 1) await plan(workspaceId, midnight + minuteMs);
    expect(await many[4]?.runToEnd()).toMatchObject({
      status: 'published',
      publishedAt: at(midnight + spreadMs),
    });
  });
});

describe('a destination beyond its share', () => {
  it.each([
    ['its preparation has begun', { preparation: { session: 'x' } }],
    [
      'it has a recorded call',
      {
        calls: [
          {
            intentAt: at(-hourMs),
            token: {},
            endedAt: at(-hourMs),
            outcome: 'refused',
            lookups: 0,
            misses: 0,
          },
        ],
      },
    ],
  ] as const)('is not stopped if %s', async (_what, state) => {
    const workspaceId = newId(startMs);
    for (const fixture of await planAll(workspaceId, 4)) await work(fixture);
    const late = await plan(workspaceId, 0, { target: state as never });
    expect(await work(late)).toBe('published');
  });

  it('goes live in time if others leave the day before it begins', async () => {
    const workspaceId = newId(startMs);
    const many = await planAll(workspaceId, 5);
    const [first] = many;
    if (first) first.platform.script.prepare = [new PlatformError('rejected', 'no')];
    const statuses = [];
    for (const fixture of many) statuses.push(await work(fixture));
    expect(statuses).toEqual(['failed', ...Array(4).fill('published')]);
  });

  it('is judged in the day of its time, even if its preparation begins the day before', async () => {
    const workspaceId = newId(startMs);
    for (const fixture of await planAll(workspaceId, 4)) await work(fixture);
    const dueMs = midnight + minuteMs;
    const next = await plan(workspaceId, dueMs, { target: { wakeAt: at(midnight - minuteMs) } });
    next.clock.time = startMs + midnight - minuteMs;
    expect(await work(next)).toBe('scheduled');
    expect(await next.runToEnd()).toMatchObject({ status: 'published', publishedAt: at(dueMs) });
  });
});

describe('the check of a share', () => {
  it.each([
    ['costs one request for a platform with a daily limit', dailyLimits, 1],
    ['costs nothing for any other', {}, 0],
  ])('%s', async (_what, limits, queries) => {
    const fixture = await plan(newId(startMs), 0, { dailyLimits: limits });
    const { counted, requests } = countRequests(fixture.ports as never as { table: Table } & never);
    await fixture.deliver(fixture.message, 300, counted);
    expect(await fixture.status()).toBe('published');
    expect(requests.filter((name) => name === 'QueryCommand')).toHaveLength(queries);
  });

  it('counts a destination whose place the stream has not brought yet', async () => {
    const workspaceId = newId(startMs);
    for (const fixture of await planAll(workspaceId, 4)) await work(fixture);
    const fresh = await openFixture(table, {
      workspaceId,
      dailyLimits,
      target: { platform: 'youtube' },
      post: { id: newId(startMs + 10 * secondMs) },
    });
    await fresh.deliver();
    expect(await fresh.find()).toMatchObject({ error: expect.stringMatching(/^waiting for a limit/) });
  });
});
