import { beforeEach, describe, expect, it } from 'vitest';
import { endConnection } from '../../../lib/accounts/connection-store.ts';
import { disconnectAccount } from '../../../lib/accounts/disconnect.ts';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { listBest } from '../../../lib/insights/list.ts';
import { countedTarget, type NumbersRow, numbersFromItem } from '../../../lib/insights/numbers-row.ts';
import { noteLive, putOff, storeReading, targetOf } from '../../../lib/insights/store.ts';
import { readDueNumbers } from '../../../lib/insights/sweep.ts';
import { dayMs, hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { sweepOverdue } from '../../../lib/recovery/sweep.ts';
import { unconditionally } from '../../../lib/table/condition.ts';
import { deleteItem, getItem, updateItem } from '../../../lib/table/items.ts';
import {
  accountKey,
  accountNumbersKey,
  bestPostsKey,
  numbersShard,
  postNumbersKey,
  targetKey,
} from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { targetFromItem } from '../../../lib/targets/item.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { startMs, storeAccount } from '../../support/builders.ts';
import { clientOf, type Item } from '../../support/database/database.ts';
import { sweepPorts } from '../../support/sweep.ts';
import { type InsightsFixture, instagramScopes, openInsights } from './fixture.ts';

/** Longer than the time by which an index may be behind. */
const lagMs = 2 * minuteMs;

let fixture: InsightsFixture;
beforeEach(async () => {
  fixture = await openInsights();
});

async function rowOf(target: Target): Promise<NumbersRow | undefined> {
  const { publishedAt = '' } = target;
  const item = await getItem(fixture.table, postNumbersKey({ ...target, publishedAt }));
  return item && numbersFromItem(item);
}

describe('the numbers of a post', () => {
  it('are taken an hour, a day, 7 and 28 days after it went live, each once', async () => {
    const target = await fixture.goLive(startMs);
    const taken: (string | undefined)[] = [];
    for (const afterMs of [0, hourMs, dayMs, dayMs + hourMs, 7 * dayMs + hourMs, 28 * dayMs + hourMs]) {
      await fixture.sweepAt(startMs + afterMs + lagMs);
      await fixture.sweepAt(startMs + afterMs + 2 * lagMs);
      taken.push(
        Object.keys((await rowOf(target)) ?? {})
          .filter((name) => /^r\d/.test(name))
          .join(),
      );
    }
    expect(taken).toEqual(['', 'r1h', 'r1h', 'r1h,r1d', 'r1h,r1d,r7d', 'r1h,r1d,r7d,r28d']);
    expect(fixture.platform.asked).toHaveLength(4);
  });

  it('of an account are asked for together, also of different ages', async () => {
    const ids = [];
    for (const ago of [28 * dayMs, 7 * dayMs, dayMs, 0])
      ids.push((await fixture.goLive(startMs - ago)).platformPostId);
    // As if the function had run all the time.
    await fixture.sweepAt(startMs - hourMs);
    fixture.platform.asked.length = 0;
    await fixture.sweepAt(startMs + hourMs + lagMs);
    expect(fixture.platform.asked).toEqual([expect.arrayContaining(ids)]);
  });

  it('of a story are taken after 23 hours, and not later', async () => {
    const story = await fixture.goLive(startMs, { options: { contentType: 'story' } });
    await fixture.sweepAt(startMs + hourMs + lagMs);
    await fixture.sweepAt(startMs + 23 * hourMs + lagMs);
    expect((await rowOf(story))?.r1d?.at).toBe(toTimestamp(startMs + 23 * hourMs + lagMs));
    for (const days of [2, 7, 28]) await fixture.sweepAt(startMs + days * dayMs + 2 * hourMs);
    expect(fixture.platform.asked).toHaveLength(2);
  });

  it('of a story that could not be read in time are not asked for any more', async () => {
    await fixture.goLive(startMs, { options: { contentType: 'story' } });
    await fixture.sweepAt(startMs + 2 * dayMs);
    expect(fixture.platform.asked).toEqual([]);
  });

  it('that a run has stored before it crashed are not asked for again', async () => {
    const target = await fixture.goLive(startMs);
    const live = countedTarget(target);
    if (!live) throw new Error('not counted');
    const reading = { at: toTimestamp(startMs + hourMs), n: [1, 1, 1, 1, 1, 1, null] };
    await storeReading(fixture.table, live, '1h', reading, { isAnnounced: false, isRetried: false });
    await fixture.sweepAt(startMs + hourMs + lagMs);
    expect(fixture.platform.asked).toEqual([]);
    expect((await rowOf(target))?.r1h).toEqual(reading);
  });

  it('of an age stay as they were taken first, whatever comes later or late', async () => {
    const target = await fixture.goLive(startMs);
    const live = countedTarget(target);
    if (!live) throw new Error('not counted');
    const at = (ms: number) => ({ at: toTimestamp(ms), n: [ms % 100, 0, 0, 0, 0, 0, null] });
    const options = { isAnnounced: false, isRetried: false };
    const first = await storeReading(fixture.table, live, '1h', at(startMs + 2), options);
    expect(await storeReading(fixture.table, live, '1h', at(startMs + 1), options)).toBeUndefined();
    expect(await storeReading(fixture.table, live, '1h', at(startMs + 3), options)).toBeUndefined();
    expect((await rowOf(target))?.r1h).toEqual(first?.r1h);
  });

  it('that were missed for days are those of the highest age, and no others', async () => {
    const target = await fixture.goLive(startMs);
    await fixture.sweepAt(startMs + lagMs);
    await fixture.sweepAt(startMs + 8 * dayMs);
    const row = await rowOf(target);
    expect([row?.r1h, row?.r1d, row?.r7d?.at]).toEqual([
      undefined,
      undefined,
      toTimestamp(startMs + 8 * dayMs),
    ]);
    expect(fixture.platform.asked).toHaveLength(1);
  });

  it('are read although the relay has noted the post hours after it went live', async () => {
    const target = await fixture.goLive(startMs);
    const live = countedTarget(target);
    if (!live) throw new Error('not counted');
    await deleteItem(fixture.table, postNumbersKey(live), unconditionally);
    await fixture.sweepAt(startMs + 3 * hourMs);
    await noteLive(fixture.table, live, startMs + 3 * hourMs);
    await fixture.sweepAt(startMs + 3 * hourMs + minuteMs);
    expect((await rowOf(target))?.r1h?.at).toBe(toTimestamp(startMs + 3 * hourMs + minuteMs));
  });
});

describe('a run that crashes', () => {
  /** A table whose requests all fail from the nth on. With "isDoneFirst", the nth takes effect. */
  function crashingAfter(requests: number, isDoneFirst: boolean): Table {
    let left = requests;
    const client = clientOf(async (command) => {
      left -= 1;
      if (left === 0 && isDoneFirst) await fixture.table.client.send(command as never);
      if (left <= 0) throw new Error('crashed');
      return (await fixture.table.client.send(command as never)) as Item;
    });
    return { ...fixture.table, client };
  }

  it('anywhere between its reads and writes is repeated: each reading is there once, and those that were taken stay', async () => {
    const others = await storeAccount(fixture.table, fixture.context.workspaceId, {
      scopes: instagramScopes,
    });
    const targets = [
      await fixture.goLive(startMs),
      await fixture.goLive(startMs + 1),
      await fixture.goLive(startMs, { accountId: others.id }),
    ];
    await fixture.sweepAt(startMs);
    fixture.clock.time = startMs + hourMs + lagMs;
    const kept = new Map<string, unknown>();
    let crashes = 0;
    for (let requests = 1; ; requests += 1) {
      fixture.clock.time += 1;
      const table = crashingAfter(requests, requests % 2 === 0);
      const run = readDueNumbers({ ...fixture.ports, table }, fixture.clock.time + minuteMs);
      const isOver = await run.then(
        ({ failures }) => failures === 0,
        () => false,
      );
      for (const target of targets) {
        const row = await rowOf(target);
        if (row?.r1h && !kept.has(row.postId)) kept.set(row.postId, row.r1h);
        expect(row?.r1h).toEqual(kept.get(target.postId));
      }
      if (isOver) break;
      crashes += 1;
    }
    // Rows that a failed run has put aside come with their next try.
    await fixture.sweepAt(fixture.clock.time + dayMs / 2);
    const rows = await Promise.all(targets.map(rowOf));
    expect(crashes).toBeGreaterThan(20);
    expect(rows.every((row) => row?.r1h !== undefined && row.failures === undefined)).toBe(true);
    const { posts } = await listBest(
      { ...fixture.context, now: fixture.clock.time },
      { month: '2026-03', platform: undefined },
    );
    expect(posts).toHaveLength(targets.length);
  });
});

describe('an account with very many posts of the same hour', () => {
  it('is read in parts, each post once, no more of them together than the platform takes', async () => {
    const { workspaceId, id: accountId } = fixture.account;
    await fixture.sweepAt(startMs);
    const ids: string[] = [];
    while (ids.length < 1_100) {
      const postId = newId(startMs);
      if (numbersShard(postId, false) !== numbersShard(ids[0] ?? postId, false)) continue;
      ids.push(postId);
      const live = {
        ...{ workspaceId, postId, accountId, platform: 'instagram' as const, platformPostId: postId },
        ...{ publishedAt: toTimestamp(startMs + ids.length * 1_000), isStory: false },
      };
      await noteLive(fixture.table, live, startMs);
      fixture.platform.answers.set(postId, { views: 1 });
    }
    await fixture.sweepAt(startMs + 2 * hourMs);
    expect(fixture.platform.asked.flat().toSorted()).toEqual(ids.toSorted());
    expect(Math.max(...fixture.platform.asked.map((asked) => asked.length))).toBe(50);
  });
});

describe('a platform that does not answer', () => {
  it('is asked again after a growing wait, and its row then waits for the next age', async () => {
    const target = await fixture.goLive(startMs);
    fixture.platform.error = new PlatformError('retry', 'busy');
    await fixture.sweepAt(startMs + hourMs + lagMs);
    await fixture.sweepAt(startMs + hourMs + 10 * minuteMs);
    expect(fixture.platform.asked).toHaveLength(1);
    expect((await rowOf(target))?.failures).toBe(1);
    fixture.platform.error = undefined;
    await fixture.sweepAt(startMs + hourMs + 20 * minuteMs);
    const row = await rowOf(target);
    expect([row?.r1h?.at, row?.failures, row?.dueAt]).toEqual([
      toTimestamp(startMs + hourMs + 20 * minuteMs),
      undefined,
      target.publishedAt,
    ]);
    await fixture.sweepAt(startMs + dayMs + hourMs + lagMs);
    expect((await rowOf(target))?.r1d).toBeDefined();
  });

  it('is not asked before the time that it names', async () => {
    await fixture.goLive(startMs);
    fixture.platform.error = new PlatformError('retry', 'busy', { retryAfterSeconds: 7_200 });
    await fixture.sweepAt(startMs + hourMs + lagMs);
    await fixture.sweepAt(startMs + 2 * hourMs);
    expect(fixture.platform.asked).toHaveLength(1);
    await fixture.sweepAt(startMs + 3 * hourMs + 2 * lagMs);
    expect(fixture.platform.asked).toHaveLength(2);
  });

  it('is given up for an age, and asked again at the next', async () => {
    const target = await fixture.goLive(startMs);
    fixture.platform.error = new PlatformError('retry', 'busy');
    for (let hours = 1; hours <= 24 * 6; hours += 1) await fixture.sweepAt(startMs + hours * hourMs + lagMs);
    expect((await rowOf(target))?.failures).toBeUndefined();
    fixture.platform.error = undefined;
    await fixture.sweepAt(startMs + 7 * dayMs + hourMs + lagMs);
    const row = await rowOf(target);
    expect([row?.r1d, row?.r7d !== undefined]).toEqual([undefined, true]);
  });

  it('does not stop the others: an error on our side is reported, and that account is tried later', async () => {
    const other = await storeAccount(fixture.table, fixture.context.workspaceId, {
      scopes: instagramScopes,
    });
    const broken = await fixture.goLive(startMs, { accountId: other.id });
    const target = await fixture.goLive(startMs);
    await updateItem(fixture.table, accountKey(other.workspaceId, other.id), {
      set: { status: 'of a later release' },
      if: unconditionally,
    });
    const count = await fixture.sweepAt(startMs + hourMs + lagMs);
    expect(count).toMatchObject({ read: 1, failures: 1 });
    expect((await rowOf(target))?.r1h).toBeDefined();
    expect((await rowOf(broken))?.failures).toBe(1);
  });

  it('is asked for other accounts, however many have lost a permission', async () => {
    const { table, context, ports } = fixture;
    for (let accounts = 0; accounts < 12; accounts += 1) {
      const { id: accountId } = await storeAccount(table, context.workspaceId, { scopes: instagramScopes });
      await fixture.goLive(startMs, { accountId });
    }
    const target = await fixture.goLive(startMs);
    const accessToken: typeof ports.accessToken = async ({ id }) => {
      if (id === fixture.account.id) return 'token';
      throw new PlatformError('reauthorise', 'the token was revoked');
    };
    fixture.clock.time = startMs + hourMs + lagMs;
    await readDueNumbers({ ...ports, accessToken }, fixture.clock.time + minuteMs);
    expect((await rowOf(target))?.r1h).toBeDefined();
  });

  it('is not asked for the others in a run in which it has failed for some accounts', async () => {
    const { table, context } = fixture;
    for (let accounts = 0; accounts < 25; accounts += 1) {
      const { id: accountId } = await storeAccount(table, context.workspaceId, { scopes: instagramScopes });
      await fixture.goLive(startMs, { accountId });
    }
    fixture.platform.error = new PlatformError('retry', 'busy');
    expect(await fixture.sweepAt(startMs + hourMs + lagMs)).toMatchObject({ putOff: 25 });
    // Ten accounts are asked at the same time.
    expect(fixture.platform.asked).toHaveLength(10);
  });

  it('is asked once in a run for an account with very many posts', async () => {
    const { workspaceId, id: accountId } = fixture.account;
    const other = await storeAccount(fixture.table, workspaceId, { scopes: instagramScopes });
    for (let posts = 0; posts < 120; posts += 1) {
      const postId = newId(startMs);
      const ids = { workspaceId, postId, accountId, platformPostId: postId };
      const live = { ...ids, platform: 'instagram' as const, publishedAt: toTimestamp(startMs) };
      await noteLive(fixture.table, { ...live, isStory: false }, startMs);
    }
    const target = await fixture.goLive(startMs, { accountId: other.id });
    const ports = {
      ...fixture.ports,
      accessToken: async ({ id }: Account) => id,
      insightsFor: async () => ({
        ...fixture.platform,
        readPosts: async (...asked: Parameters<typeof fixture.platform.readPosts>) => {
          const answer = await fixture.platform.readPosts(...asked);
          if (asked[1].accessToken === accountId)
            throw new PlatformError('retry', 'too many calls', { status: 429 });
          return answer;
        },
      }),
    };
    fixture.clock.time = startMs + hourMs + lagMs;
    const count = await readDueNumbers(ports, fixture.clock.time + minuteMs);
    expect(count).toMatchObject({ read: 1, putOff: 120 });
    expect(fixture.platform.asked).toHaveLength(2);
    expect((await rowOf(target))?.r1h).toBeDefined();
  });
});

describe('a rank that cannot be read', () => {
  it('is reported, and holds nothing up', async () => {
    const { table, context } = fixture;
    await updateItem(table, bestPostsKey(context.workspaceId, '2026-03'), {
      set: { best: 'of a later release' },
      if: unconditionally,
    });
    await fixture.goLive(startMs);
    await fixture.sweepAt(startMs);
    expect(await fixture.sweepAt(startMs + hourMs + lagMs)).toMatchObject({ read: 1, failures: 1 });
    expect(await fixture.sweepAt(startMs + hourMs + 2 * lagMs)).toMatchObject({ failures: 0 });
  });
});

describe('a row that has expired while it waited for another try', () => {
  it('leaves the place of the tries, and nothing is asked', async () => {
    const target = await fixture.goLive(startMs);
    const { publishedAt = '' } = target;
    const key = postNumbersKey({ ...target, publishedAt });
    await putOff(fixture.table, key, startMs + 2 * hourMs);
    const expiresAtSeconds = (startMs + hourMs) / 1_000;
    await updateItem(fixture.table, key, { set: { expiresAtSeconds }, if: unconditionally });
    await fixture.sweepAt(startMs + 3 * hourMs);
    expect(fixture.platform.asked).toEqual([]);
    expect((await rowOf(target))?.dueShard).toBe(numbersShard(target.postId, false));
  });
});

describe('a post that the platform does not have any more', () => {
  it('is marked, with its target, and never asked for again', async () => {
    const target = await fixture.goLive(startMs);
    fixture.platform.answers.set(target.platformPostId ?? '', 'gone');
    expect(await fixture.sweepAt(startMs + hourMs + lagMs)).toMatchObject({ gone: 1 });
    const item = await getItem(fixture.table, targetKey(target.workspaceId, target.postId, target.accountId));
    const stored = item && targetFromItem(item);
    expect([stored?.status, stored?.removedAt]).toEqual(['published', toTimestamp(startMs + hourMs + lagMs)]);
    expect((await rowOf(target))?.goneAt).toBe(toTimestamp(startMs + hourMs + lagMs));
    await fixture.sweepAt(startMs + dayMs + hourMs + lagMs);
    expect(fixture.platform.asked).toHaveLength(1);
  });

  it('leaves a thread alone whose next part may be live', async () => {
    const [at, token] = [toTimestamp(startMs), {}];
    const call = { intentAt: at, endedAt: at, token, outcome: 'unknown', lookups: 1, misses: 1 } as const;
    const thread = [{ content: 'Two', mediaItems: [] }];
    const target = await fixture.goLive(startMs, { status: 'partial', thread, calls: [call] });
    fixture.platform.answers.set(target.platformPostId ?? '', 'gone');
    expect(await fixture.sweepAt(startMs + hourMs + lagMs)).toMatchObject({ gone: 1 });
    const item = await getItem(fixture.table, targetKey(target.workspaceId, target.postId, target.accountId));
    expect(item?.['removedAt']).toBeUndefined();
  });

  it('is looked at again if a worker holds its target', async () => {
    const leaseUntil = toTimestamp(startMs + hourMs + 2 * lagMs);
    const target = await fixture.goLive(startMs, { leaseUntil });
    const stored = async () => {
      const item = await getItem(
        fixture.table,
        targetKey(target.workspaceId, target.postId, target.accountId),
      );
      return item && targetFromItem(item);
    };
    fixture.platform.answers.set(target.platformPostId ?? '', 'gone');
    await fixture.sweepAt(startMs + hourMs + lagMs);
    expect((await stored())?.removedAt).toBeUndefined();
    await fixture.sweepAt(startMs + 2 * hourMs);
    expect((await stored())?.removedAt).toBe(toTimestamp(startMs + 2 * hourMs));
    expect((await rowOf(target))?.goneAt).toBe(toTimestamp(startMs + 2 * hourMs));
  });
});

describe('an account', () => {
  it('without the feature is not asked, and nothing is written', async () => {
    fixture = await openInsights({
      scopes: ['instagram_business_basic', 'instagram_business_content_publish'],
    });
    const target = await fixture.goLive(startMs);
    const before = await rowOf(target);
    await fixture.sweepAt(startMs + hourMs + lagMs);
    expect(fixture.platform.asked).toEqual([]);
    expect(await rowOf(target)).toEqual(before);
  });

  it('that is disconnected loses its numbers, and a reading that comes late does not bring them back', async () => {
    const target = await fixture.goLive(startMs);
    await fixture.sweepAt(startMs + hourMs + lagMs);
    const row = await rowOf(target);
    if (!row) throw new Error('no row');
    const { context, table } = fixture;
    await disconnectAccount(
      {
        ...context,
        verb: 'account.disconnect',
        now: startMs + 2 * hourMs,
        authorizationFor: () => undefined,
        countWaitingSteps: async () => 0,
        report: () => {},
      } as unknown as Parameters<typeof disconnectAccount>[0],
      fixture.account.id,
    );
    const atMs = startMs + 3 * hourMs;
    await sweepOverdue(
      sweepPorts(table, () => atMs),
      atMs + minuteMs,
    );
    expect(await rowOf(target)).toBeUndefined();
    const day = accountNumbersKey(target.workspaceId, target.accountId, '2026-03-01');
    expect(await getItem(table, day)).toBeUndefined();
    const reading = { at: toTimestamp(atMs), n: [] };
    const options = { isAnnounced: false, isRetried: false };
    expect(await storeReading(table, targetOf(row), '1d', reading, options)).toBeUndefined();
    expect(await rowOf(target)).toBeUndefined();
  });

  it('that is disconnected while it is read gets no numbers of days', async () => {
    await fixture.goLive(startMs);
    const { table, account } = fixture;
    const ports = {
      ...fixture.ports,
      insightsFor: async () => ({
        ...fixture.platform,
        readAccount: async (...asked: Parameters<typeof fixture.platform.readAccount>) => {
          await endConnection(table, account, fixture.clock.time);
          return fixture.platform.readAccount(...asked);
        },
      }),
    };
    fixture.clock.time = startMs + hourMs + lagMs;
    await readDueNumbers(ports, fixture.clock.time + minuteMs);
    expect(fixture.platform.accountsAsked).toHaveLength(1);
    const day = accountNumbersKey(account.workspaceId, account.id, '2026-03-01');
    expect(await getItem(table, day)).toBeUndefined();
  });

  it('whose own numbers cannot be read because of an error on our side has its posts read all the same', async () => {
    const target = await fixture.goLive(startMs);
    const ports = {
      ...fixture.ports,
      insightsFor: async () => ({
        ...fixture.platform,
        readAccount: () => Promise.reject(new TypeError('a bug')),
      }),
    };
    fixture.clock.time = startMs + hourMs + lagMs;
    const count = await readDueNumbers(ports, fixture.clock.time + minuteMs);
    expect(count).toMatchObject({ read: 1, failures: 1 });
    expect((await rowOf(target))?.failures).toBeUndefined();
    const best = await listBest({ ...fixture.context, now: fixture.clock.time }, { month: '2026-03' });
    expect(best.posts).toHaveLength(1);
  });

  it('is read itself once a day, together with its posts', async () => {
    await fixture.goLive(startMs);
    await fixture.goLive(startMs + 10 * minuteMs);
    await fixture.sweepAt(startMs + hourMs + lagMs);
    await fixture.sweepAt(startMs + hourMs + 20 * minuteMs);
    expect(fixture.platform.accountsAsked).toEqual([fixture.account.platformAccountId]);
    const { workspaceId, id } = fixture.account;
    const row = await getItem(fixture.table, accountNumbersKey(workspaceId, id, '2026-03-01'));
    expect(row).toMatchObject({
      at: toTimestamp(startMs + hourMs + lagMs),
      n: [100, 7, null, null, null, null],
    });
  });
});

it('many posts of an account are read in one run, each once', async () => {
  const live = [];
  for (let index = 0; index < 30; index += 1) live.push(await fixture.goLive(startMs + index));
  const count = await fixture.sweepAt(startMs + hourMs + lagMs);
  expect(count.read).toBe(live.length);
});
