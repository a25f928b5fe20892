import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { dayMs } from '../../../../lib/kernel/clock.ts';
import { apiVersions, sunsetWarning, versionInUse } from '../../../../lib/platforms/contract/api-versions.ts';
import { platformNames } from '../../../../lib/platforms/contract/names.ts';
import { hasAdapter } from '../../../../lib/platforms/registry/adapters.ts';

const sunsetOn = '2027-09-15';
const end = Date.parse('2027-09-15T00:00:00.000Z');
const warning = (daysBefore: number) =>
  sunsetWarning('linkedin', { name: '202609', sunsetOn }, end - daysBefore * dayMs);

describe('the sunset of an API version', () => {
  it.each([400, 91, 90.01])('causes no warning %d days before', (days) => {
    expect(warning(days)).toBeUndefined();
  });

  it.each([
    [90, 'linkedin serves version 202609 of its API for 90 more days, until 2027-09-15'],
    [1.5, 'linkedin serves version 202609 of its API for 2 more days, until 2027-09-15'],
    [0.5, 'linkedin serves version 202609 of its API for 1 more day, until 2027-09-15'],
    [0, 'linkedin no longer serves version 202609 of its API, since 2027-09-15'],
    [-400, 'linkedin no longer serves version 202609 of its API, since 2027-09-15'],
  ])('causes a warning %d days before', (days, expected) => {
    expect(warning(days)).toBe(expected);
  });

  it('causes no warning if none is announced', () => {
    expect(sunsetWarning('youtube', { name: 'v3' }, end)).toBeUndefined();
  });
});

describe.each(platformNames.filter((platform) => hasAdapter(platform)))('%s', (platform) => {
  it('has an API version, with a valid sunset date if one is announced', () => {
    const version = apiVersions[platform];
    expect(version?.name).toMatch(/^(v\d+(\.\d+)?|\d{6})$/);
    expect(version?.announcedAt).toMatch(/^https:\/\//);
    expect(new Date(version?.describedOn ?? '').toISOString().slice(0, 10)).toBe(version?.describedOn);
    if (version?.sunsetOn !== undefined) {
      expect(new Date(version.sunsetOn).toISOString().slice(0, 10)).toBe(version.sunsetOn);
    }
  });
});

it.each(['pinterest', 'youtube'] as const)(
  'the day of the description of %s is that of the one that all requests are checked against',
  (platform) => {
    const name = platform === 'pinterest' ? 'pinterest-openapi.json' : 'youtube-discovery.json';
    const file = new URL(`../../../../infra/local/platforms/testing/reference/${name}`, import.meta.url);
    const { origin } = JSON.parse(readFileSync(file, 'utf8')) as { origin: { date: string } };
    expect(apiVersions[platform].describedOn).toBe(origin.date);
  },
);

describe('the version that a stage uses', () => {
  it.each<[string, object, object]>([
    ['is that of the adapter', {}, apiVersions.linkedin],
    [
      'is the operator’s, with the end that the operator has given',
      { apiVersion: '202708', apiVersionSunsetOn: '2028-08-15' },
      { name: '202708', sunsetOn: '2028-08-15' },
    ],
    ['has no known end if the operator has given none', { apiVersion: '202708' }, { name: '202708' }],
  ])('%s', (_what, chosen, version) => {
    expect(versionInUse('linkedin', chosen)).toEqual(version);
  });
});
