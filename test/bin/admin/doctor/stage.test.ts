import { describe, expect, it } from 'vitest';
import { checkPlatform, stackCheck, stackChecks } from '../../../../bin/admin/doctor/stage.ts';

const now = Date.parse('2027-08-01T00:00:00Z');
const check = (value: string | undefined, platform: 'linkedin' | 'threads' = 'threads') =>
  checkPlatform(platform, '/herald/dev/platforms/x', value, now);
const app = { clientId: 'id', clientSecret: 'very-secret' };

describe('a platform’s parameter', () => {
  it.each([
    ['is missing', undefined, 'warning', 'no parameter'],
    ['is no JSON', 'very-secret', 'wrong', 'is not a JSON object'],
    ['lacks a field', '{"clientId":"very-secret"}', 'wrong', 'has no valid clientSecret'],
    ['is complete', JSON.stringify(app), 'ok', 'is complete'],
  ])('that %s', (_, value, state, found) => {
    const [first] = check(value);
    expect(first).toMatchObject({ state, found: expect.stringContaining(found) });
    expect(JSON.stringify(check(value))).not.toContain('very-secret');
  });
});

describe('the version of a platform’s API', () => {
  it.each([
    ['has no known end', app, 'threads', 'ok', /no end is known/],
    [
      'follows a description, whose news are on a page',
      app,
      'threads',
      'ok',
      /description of \d{4}-\d\d-\d\d; newer ones: https:/,
    ],
    ['ends in weeks', app, 'linkedin', 'warning', /45 more days, until 2027-09-15/],
    ['was replaced by the operator', { ...app, apiVersion: '202708' }, 'linkedin', 'ok', /202708, no end/],
    [
      'was replaced by one that ends later',
      { ...app, apiVersion: '202708', apiVersionSunsetOn: '2028-08-15' },
      'linkedin',
      'ok',
      /202708 until 2028-08-15, in 380 days/,
    ],
    [
      'has ended',
      { ...app, apiVersion: '202601', apiVersionSunsetOn: '2027-01-15' },
      'linkedin',
      'wrong',
      /no longer serves version 202601/,
    ],
  ] as const)('%s', (_, value, platform, state, found) => {
    const [, version] = check(JSON.stringify(value), platform);
    expect(version).toMatchObject({ state, found: expect.stringMatching(found) });
  });
});

describe('a stack', () => {
  it.each([
    ['CREATE_COMPLETE', 'ok'],
    ['UPDATE_COMPLETE', 'ok'],
    ['UPDATE_IN_PROGRESS', 'warning'],
    ['UPDATE_ROLLBACK_COMPLETE', 'wrong'],
    ['CREATE_FAILED', 'wrong'],
    [undefined, 'wrong'],
  ])('whose status is %s', (status, state) => {
    expect(stackCheck('herald-dev-data', status).state).toBe(state);
  });
});

describe('the stacks of a stage', () => {
  it('are those that it should have, and those that it has', () => {
    const statuses = new Map([
      ['herald-dev-api-posts', 'UPDATE_ROLLBACK_COMPLETE'],
      ['herald-dev-data', 'UPDATE_COMPLETE'],
      ['herald-dev-former', 'DELETE_FAILED'],
    ]);
    const checks = stackChecks(['herald-dev-data', 'herald-dev-api-posts', 'herald-dev-panel'], statuses);
    expect(checks.map(({ check, state }) => [check, state])).toEqual([
      ['herald-dev-api-posts', 'wrong'],
      ['herald-dev-data', 'ok'],
      ['herald-dev-former', 'wrong'],
      ['herald-dev-panel', 'wrong'],
    ]);
  });
});
