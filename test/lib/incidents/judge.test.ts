import { describe, expect, it } from 'vitest';
import { judge, nothingWatched } from '../../../lib/incidents/judge.ts';
import { type PutOff, sampleSize, type Watch } from '../../../lib/incidents/schemas.ts';
import { minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { startMs } from '../../support/builders.ts';

const minute = (number: number) => startMs + number * minuteMs;
const putOff = (number: number, changes: Partial<PutOff> = {}): PutOff => ({
  workspaceId: `workspace ${number}`,
  postId: `post ${number}`,
  accountId: `account ${number}`,
  platform: 'threads',
  since: toTimestamp(startMs),
  lateSince: toTimestamp(startMs),
  code: 'platform_unavailable',
  reason: 'HTTP 503',
  ...changes,
});
const many = (count: number, changes?: Partial<PutOff>) =>
  Array.from({ length: count }, (_, number) => putOff(number, changes));
const kindsOf = ({ incidents }: Watch) => incidents.map(({ kind }) => kind);

describe('an outage', () => {
  it.each<[string, readonly PutOff[], number, string[]]>([
    ['begins with five destinations of two accounts after 15 minutes', many(5), 15, ['outage']],
    ['does not begin before', many(5, { lateSince: undefined }), 14, []],
    ['does not begin with four', many(4, { lateSince: undefined }), 60, []],
    [
      'does not begin with destinations of one account',
      many(5, { accountId: 'one', lateSince: undefined }),
      60,
      [],
    ],
    [
      'does not begin with one post for many accounts, which may have a bad file',
      many(8, { postId: 'one', lateSince: undefined }),
      60,
      [],
    ],
  ])('%s', (_, found, minutes, expected) => {
    expect(kindsOf(judge(nothingWatched, { putOff: found, recovered: [] }, minute(minutes)))).toEqual(
      expected,
    );
  });

  it('lasts while any destination is put off, and keeps its beginning', () => {
    const begun = judge(nothingWatched, { putOff: many(5), recovered: [] }, minute(15));
    const later = [putOff(9, { since: toTimestamp(minute(20)), lateSince: undefined })];
    const lasting = judge(begun, { putOff: later, recovered: [] }, minute(21));
    expect(lasting.incidents).toEqual([{ platform: 'threads', kind: 'outage', since: toTimestamp(startMs) }]);
    expect(judge(lasting, { putOff: [], recovered: [] }, minute(22)).incidents).toEqual([]);
  });

  it('ends with the first recovery, and what was put off before begins no other one for an hour', () => {
    const begun = judge(nothingWatched, { putOff: many(6), recovered: [] }, minute(15));
    const rest = many(5);
    let watch = judge(begun, { putOff: rest, recovered: ['threads'] }, minute(16));
    for (let at = 16; at < 76; at += 1) {
      expect(kindsOf(watch), `minute ${at}`).toEqual([]);
      watch = judge(watch, { putOff: rest, recovered: [] }, minute(at + 1));
    }
    expect(kindsOf(watch)).toEqual(['outage']);
  });

  it('begins again with what is put off after a recovery', () => {
    const recovered = judge(nothingWatched, { putOff: [], recovered: ['threads'] }, minute(0));
    const found = many(5, { since: toTimestamp(minute(1)), lateSince: toTimestamp(minute(1)) });
    expect(kindsOf(judge(recovered, { putOff: found, recovered: [] }, minute(16)))).toEqual(['outage']);
  });
});

describe('a late destination', () => {
  it.each<[string, Partial<PutOff>, string[]]>([
    ['is an incident after five minutes', {}, ['late']],
    ['is none if the platform has asked for the wait', { lateSince: undefined }, []],
    ['is none before it is due for five minutes', { lateSince: toTimestamp(minute(1)) }, []],
    ['is none if it has only begun to fail', { since: toTimestamp(minute(4)) }, []],
  ])('%s', (_, changes, expected) => {
    const found = [putOff(1, changes)];
    expect(kindsOf(judge(nothingWatched, { putOff: found, recovered: [] }, minute(5)))).toEqual(expected);
  });
});

describe('the notes', () => {
  it('keep the evidence for another outage, although more destinations than fit are stuck since before', () => {
    const stuck = many(2 * sampleSize.ofPlatform);
    const recovered = judge(nothingWatched, { putOff: stuck, recovered: ['threads'] }, minute(16));
    const since = { since: toTimestamp(minute(20)), lateSince: undefined };
    const fresh = Array.from({ length: 6 }, (_, number) => putOff(100 + number, since));
    const seen = judge(recovered, { putOff: [...stuck, ...fresh], recovered: [] }, minute(21));
    expect(seen.putOff).toHaveLength(sampleSize.ofPlatform);
    expect(kindsOf(judge(seen, { putOff: seen.putOff, recovered: [] }, minute(35)))).toEqual(['outage']);
  });

  it('are bounded, and keep room for other accounts', () => {
    const noisy = many(50, { accountId: 'noisy', since: toTimestamp(minute(-60)) });
    const { putOff: kept } = judge(
      nothingWatched,
      { putOff: [...noisy, ...many(50)], recovered: [] },
      startMs,
    );
    expect(kept).toHaveLength(sampleSize.ofPlatform);
    expect(kept.filter(({ accountId }) => accountId === 'noisy')).toHaveLength(sampleSize.ofAccount);
  });
});
