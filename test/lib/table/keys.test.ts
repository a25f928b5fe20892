import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { isId, newId } from '../../../lib/kernel/ids.ts';
import * as keys from '../../../lib/table/keys.ts';

const ids = fc.uuid({ version: 7 }).map((id) => id.toLowerCase());
const instants = fc.integer({ min: 0, max: Date.parse('9999-12-31T23:59:59.999Z') });

it('writes timestamps and ids so that text order is time order', () => {
  fc.assert(
    fc.property(instants, instants, (one, other) => {
      fc.pre(one < other);
      expect(toTimestamp(one) < toTimestamp(other)).toBe(true);
      expect(keys.mediaKey('w', newId(one)).sk < keys.mediaKey('w', newId(other)).sk).toBe(true);
    }),
  );
});

it('keeps a post and its targets in one partition, the post first', () => {
  fc.assert(
    fc.property(ids, ids, (postId, accountId) => {
      const post = keys.postKey('w', postId);
      const target = keys.targetKey('w', postId, accountId);
      expect(target.pk).toBe(post.pk);
      expect(post.sk < target.sk).toBe(true);
    }),
  );
});

it('sorts the times of a calendar before everything else of the account', () => {
  fc.assert(
    fc.property(instants, instants, ids, (one, other, id) => {
      fc.pre(one < other);
      const entry = (atMs: number) =>
        keys.calendarEntryKey({
          workspaceId: 'w',
          accountId: 'a',
          postId: id,
          scheduledFor: toTimestamp(atMs),
        });
      const others = [keys.calendarVersionKey('w', 'a'), keys.rhythmKey('w', 'a', id)];
      expect(new Set([entry(one), ...others].map(({ pk }) => pk)).size).toBe(1);
      expect(entry(one).sk < entry(other).sk).toBe(true);
      expect(entry(other).sk < keys.afterCalendarEntries).toBe(true);
      for (const { sk } of others) expect(keys.afterCalendarEntries < sk).toBe(true);
    }),
  );
});

it('gives different things different keys', () => {
  fc.assert(
    fc.property(ids, ids, ids, (one, two, three) => {
      fc.pre(new Set([one, two, three]).size === 3);
      const all = [
        keys.workspaceKey(one),
        keys.directoryKey(one),
        keys.listedKeyKey(one, two),
        keys.keyDigestKey(one),
        keys.accountKey(one, two),
        keys.tokensKey(one, two),
        keys.connectionKey(one),
        keys.postKey(one, two),
        keys.postKey(two, one),
        keys.targetKey(one, two, three),
        keys.targetKey(two, one, three),
        keys.calendarEntryKey({ workspaceId: one, accountId: two, postId: three, scheduledFor: '' }),
        keys.calendarEntryKey({ workspaceId: one, accountId: three, postId: two, scheduledFor: '' }),
        keys.calendarVersionKey(one, two),
        keys.calendarVersionKey(two, one),
        keys.rhythmKey(one, two, three),
        keys.rhythmKey(one, three, two),
        keys.idempotencyKey(one, two),
        keys.mediaKey(one, two),
        keys.rateKey(one, 1),
      ];
      expect(new Set(all.map(({ pk, sk }) => `${pk}\n${sk}`)).size).toBe(all.length);
    }),
  );
});

it('keeps workspaces apart: none of its lists is the list of another', () => {
  const lists = (workspaceId: string) => [
    keys.workspaceList(workspaceId),
    keys.statusList(workspaceId, 'draft'),
    keys.accountList(workspaceId, 'a'),
    keys.mediaPartition(workspaceId),
  ];
  const [one, other] = [lists('one'), lists('other')];
  expect(one.filter((list) => other.includes(list))).toEqual([]);
});

describe('the shards of due items', () => {
  it('give the same item the same shard, which is one of the listed shards', () => {
    fc.assert(
      fc.property(ids, (id) => {
        expect(isId(id)).toBe(true);
        expect(keys.allDueShards).toContain(keys.dueShard(id));
        expect(keys.dueShard(id)).toBe(keys.dueShard(id));
      }),
    );
  });

  it('are used about equally', () => {
    const counts = new Map<string, number>();
    for (let made = 0; made < 8_000; made += 1) {
      const shard = keys.dueShard(newId(made));
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([...keys.allDueShards].sort());
    expect(Math.min(...counts.values())).toBeGreaterThan(800);
  });
});
