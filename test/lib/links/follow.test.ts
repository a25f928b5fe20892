import { beforeEach, describe, expect, it } from 'vitest';
import { linkFollower } from '../../../lib/links/follow.ts';
import type { LinkStore } from '../../../lib/links/link-table.ts';

const code = 'abcdefghij01';
const url = 'https://example.com/shop';
const click = { method: 'GET', userAgent: 'Mozilla/5.0', headers: {} };
const justBeforeMidnight = Date.parse('2026-03-01T23:59:59.999Z');

let reads: string[];
let counted: string[];
let logged: string[];
beforeEach(() => {
  reads = [];
  counted = [];
  logged = [];
});

const working: LinkStore = {
  readDestination: async (asked) => {
    reads.push(asked);
    return asked === code ? url : undefined;
  },
  countClick: async (asked, atMs) => void counted.push(`${asked} ${new Date(atMs).toISOString()}`),
};
const failing = async () => {
  throw new Error('the table does not answer');
};
const follower = (changes: Partial<LinkStore> = {}) =>
  linkFollower({
    links: { ...working, ...changes },
    now: () => justBeforeMidnight,
    log: (level, message) => void logged.push(`${level} ${message}`),
  });

describe('following a code', () => {
  it('finds the link, and counts a click at the time of the visit', async () => {
    expect(await follower()(code, click)).toEqual({ kind: 'found', url });
    expect(counted).toEqual([`${code} ${new Date(justBeforeMidnight).toISOString()}`]);
  });

  it('finds the link for a visit that is no click, and does not count it', async () => {
    expect(await follower()(code, { ...click, method: 'HEAD' })).toEqual({ kind: 'found', url });
    expect(counted).toEqual([]);
  });

  it('finds the link even if the click cannot be counted, and logs that', async () => {
    expect(await follower({ countClick: failing })(code, click)).toEqual({ kind: 'found', url });
    expect(logged).toEqual(['WARN a click was not counted']);
  });

  it.each(['/', '_', '。', '\n'])('ignores what follows the code, such as %j', async (rest) => {
    expect((await follower()(code + rest, click)).kind).toBe('found');
  });

  it('counts nothing for an unknown code', async () => {
    expect(await follower()('unknown12345', click)).toEqual({ kind: 'unknown' });
    expect([reads, counted]).toEqual([['unknown12345'], []]);
  });

  it.each(['', '..', 'short', `\n${code}`])('does not look up what cannot be a code: %j', async (text) => {
    expect(await follower()(text, click)).toEqual({ kind: 'unknown' });
    expect([reads, counted]).toEqual([[], []]);
  });

  it('says so if the link cannot be read, logs it, and counts nothing', async () => {
    expect(await follower({ readDestination: failing })(code, click)).toEqual({ kind: 'unavailable' });
    expect([counted, logged]).toEqual([[], ['ERROR the link could not be read']]);
  });
});
