import { describe, expect, it } from 'vitest';
import { verbNames, verbs } from '../../../lib/access/verbs.ts';
import { formatBytes } from '../../../lib/panel/bytes.ts';
import { auditVerbs, rangeOf, textsOf } from '../../../lib/panel/pages/settings/audit-rules.ts';
import { browserName } from '../../../lib/panel/pages/settings/browser-name.ts';
import { isDay } from '../../../lib/panel/time.ts';
import { clockIn, listZones } from '../../../lib/panel/zones.ts';
import { agents } from './support/data.ts';

describe('the words for the audit log', () => {
  it('exist for every verb that it can have, and for no other', () => {
    expect(auditVerbs.toSorted()).toEqual(verbNames.filter((verb) => !verbs[verb].isRead).toSorted());
  });

  it('name a verb of another release as it is', () => {
    expect(textsOf('post.merge').did).toBe('did “post.merge”');
    expect(textsOf('toString').did).toBe('did “toString”');
  });
});

describe('a range of days', () => {
  it.each([
    ['2026-03-14', true],
    ['0002-03-14', false],
    ['2026-02-30', false],
    ['2026-3-14', false],
    ['', false],
  ])('has %s as a day: %s', (text, isOne) => {
    expect(isDay(text)).toBe(isOne);
  });

  it.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    // Clocks skip midnight.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', '2026-04-24T21:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z', '2026-01-01T10:00:00.000Z'],
    ['America/New_York', '2026-01-01', '2026-01-01T05:00:00.000Z', '2026-01-02T05:00:00.000Z'],
  ])('in %s has all of %s', (zone, day, from, to) => {
    expect(rangeOf({ from: day, to: day }, zone)).toEqual({ from, to });
  });

  it('is open where no day is given, and nothing if it ends before it begins', () => {
    expect(rangeOf({ from: '', to: 'nonsense' }, 'UTC')).toEqual({});
    expect(rangeOf({ from: '2026-03-02', to: '2026-03-01' }, 'UTC')).toBeUndefined();
  });
});

describe('the name of a browser', () => {
  it.each([
    [agents.firefox, 'Firefox 141', 'Linux', false],
    [agents.safari, 'Safari 19', 'iPhone', true],
    [agents.edge, 'Edge 142', 'Windows', false],
    [
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36',
      'Chrome 142',
      'Android',
      true,
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36 OPR/120.0',
      'Opera 120',
      'macOS',
      false,
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML',
      undefined,
      'macOS',
      false,
    ],
    ['curl/8.9', undefined, undefined, false],
    ['', undefined, undefined, false],
  ])('in %j', (userAgent, browser, system, isPhone) => {
    expect(browserName(userAgent)).toEqual({ browser, system, isPhone });
  });
});

describe('the time zones', () => {
  it('begin with UTC, have the workspace’s zone, and each zone once', () => {
    const ids = listZones('Etc/GMT+5').map(({ id }) => id);
    expect(ids[0]).toBe('UTC');
    expect(ids).toContain('Etc/GMT+5');
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('have places by their present names', () => {
    const ids = listZones('UTC').map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['Asia/Kolkata', 'Europe/Kyiv', 'America/Nuuk']));
    expect(ids).not.toContain('Asia/Calcutta');
  });

  it('show their clocks, with the offset of the season', () => {
    expect(clockIn('Europe/Berlin', new Date('2026-01-01T12:00:00Z'))).toEqual({
      offset: 'GMT+1',
      time: '13:00',
    });
    expect(clockIn('Europe/Berlin', new Date('2026-07-01T12:00:00Z'))).toEqual({
      offset: 'GMT+2',
      time: '14:00',
    });
    expect(clockIn('Asia/Kolkata', new Date('2026-01-01T20:00:00Z'))).toEqual({
      offset: 'GMT+5:30',
      time: '01:30',
    });
  });
});

describe('an amount of bytes', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [1_023, '1,023 bytes'],
    [1_024, '1 KiB'],
    [1_536, '1.5 KiB'],
    [734_003_200, '700 MiB'],
    [1_073_741_823, '1,024 MiB'],
    [10_737_418_240, '10 GiB'],
    [11_274_289_152, '10.5 GiB'],
    [5_497_558_138_880_000, '5,000 TiB'],
  ])('%i is %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });
});
