import { describe, expect, it } from 'vitest';
import { dayMs } from '../../../../lib/kernel/clock.ts';
import { apiVersions, sunsetWarning } from '../../../../lib/platforms/contract/api-versions.ts';
import { platformNames } from '../../../../lib/platforms/contract/names.ts';
import { hasAdapter } from '../../../../lib/platforms/registry/adapters.ts';

const sunsetOn = '2027-09-15';
const end = Date.parse('2027-09-15T00:00:00.000Z');
const warning = (daysBefore: number) =>
  sunsetWarning('linkedin', { name: '202609', sunsetOn }, end - daysBefore * dayMs);

describe('the sunset of an API version', () => {
  it.each([400, 61, 60.01])('causes no warning %d days before', (days) => {
    expect(warning(days)).toBeUndefined();
  });

  it.each([
    [60, 'linkedin serves version 202609 of its API for 60 more days, until 2027-09-15'],
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
    if (version?.sunsetOn !== undefined) {
      expect(new Date(version.sunsetOn).toISOString().slice(0, 10)).toBe(version.sunsetOn);
    }
  });
});
