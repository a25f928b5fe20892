import { describe, expect, it } from 'vitest';
import { formatDuration } from '../../../lib/panel/duration.ts';
import { canEdit, canRemove, isNearDue, refreshEveryMs, riskOf } from '../../../lib/panel/posts/post.ts';
import { placeToCheck, reasonIn, remedyOfPost, remedyOfTarget } from '../../../lib/panel/posts/remedy.ts';

import { dayMs, instagram, linkedin, some, threads, tiktok } from '../support/accounts.ts';
import { failedTargetOf, liveTargetOf } from '../support/post-page.ts';
import { listedPostOf, targetOf } from '../support/posts.ts';

const now = Date.now();
const at = (ms: number) => new Date(now + ms).toISOString();
const accounts = new Map(some.map((account) => [account.id, account]));
const minute = 60_000;

describe('what helps a destination', () => {
  const detail = (category: 'retryable' | 'reconnect') => ({
    error: 'it waits',
    errorDetail: { code: 'x', category, platformMessage: null, retryAt: null },
  });
  const partialOf = (category: Parameters<typeof failedTargetOf>[1]) => ({
    ...failedTargetOf(instagram, category),
    status: 'partial' as const,
  });
  it.each([
    ['whose outcome is unknown', failedTargetOf(instagram, 'unknown'), 'check'],
    ['that may succeed next time', failedTargetOf(instagram, 'retryable'), 'retry'],
    ['that the platform never takes', failedTargetOf(instagram, 'content'), 'correct'],
    ['about which somebody must act there', failedTargetOf(instagram, 'platform'), 'look'],
    ['whose account has expired', failedTargetOf(tiktok, 'reconnect'), 'reconnect'],
    ['whose account was connected again', failedTargetOf(instagram, 'reconnect'), 'retry'],
    [
      'whose account is disconnected',
      { ...failedTargetOf(instagram, 'reconnect'), accountId: 'gone' },
      'reconnect',
    ],
    ['whose thread may go on', partialOf('retryable'), 'retry'],
    ['of whose thread a part has an unknown outcome', partialOf('unknown'), 'check'],
    ['of whose thread the platform does not take a part', partialOf('content'), 'look'],
    ['that waits for a limit', targetOf(instagram, detail('retryable')), 'wait'],
    ['that waits for its account', targetOf(tiktok, detail('reconnect')), 'reconnect'],
    ['that waits, and whose account is back', targetOf(instagram, detail('reconnect')), 'wait'],
    ['that is live', liveTargetOf(instagram, at(0), 3), 'none'],
    ['that is live without its comment', liveTargetOf(instagram, at(0), 3, detail('retryable')), 'look'],
    ['that is scheduled', targetOf(instagram), 'none'],
  ] as const)('%s', (_which, target, remedy) => {
    expect(remedyOfTarget(target, accounts, now)).toBe(remedy);
  });

  it('of a post begins with what could be published twice', () => {
    const platforms = [failedTargetOf(linkedin, 'retryable'), failedTargetOf(instagram, 'unknown')];
    const { remedy, target } = remedyOfPost(listedPostOf(1, { platforms }), accounts, now);
    expect([remedy, target?.accountId]).toEqual(['check', instagram.id]);
  });
});

describe('a post can be changed or deleted', () => {
  it.each([
    ['a draft', [targetOf(instagram, { status: 'draft' })], true, true],
    ['without destinations', [], true, true],
    ['that is scheduled', [targetOf(instagram), targetOf(linkedin)], true, true],
    ['that has failed', [failedTargetOf(instagram, 'content')], false, true],
    [
      'that is partly live',
      [failedTargetOf(instagram, 'content'), liveTargetOf(linkedin, at(0), 1)],
      false,
      false,
    ],
    ['on its way', [targetOf(instagram, { status: 'publishing' })], false, false],
  ])('%s', (_which, platforms, isEditable, isRemovable) => {
    const post = listedPostOf(1, { platforms });
    expect([canEdit(post), canRemove(post)]).toEqual([isEditable, isRemovable]);
  });
});

describe('a post is near its time', () => {
  const due = (ms: number, status: 'scheduled' | 'published' | 'publishing' = 'scheduled') =>
    listedPostOf(1, { scheduledFor: at(ms), platforms: [targetOf(instagram, { status })] });
  it.each([
    ['in five minutes', due(5 * minute), true],
    ['later', due(5 * minute + 1), false],
    ['a little late', due(-10 * minute), true],
    ['kept back for hours', due(-60 * minute), false],
    ['on its way', due(-60 * minute, 'publishing'), true],
    ['live', due(0, 'published'), false],
    ['a draft without a time', listedPostOf(1, { platforms: [targetOf(instagram)] }), false],
  ])('%s', (_when, post, isNear) => {
    expect(isNearDue(post, now)).toBe(isNear);
    expect(refreshEveryMs([post], now)).toBe(isNear ? 5_000 : 15_000);
  });
});

describe('a destination that is planned', () => {
  it.each([
    ['to an account that works', targetOf(instagram), at(dayMs), undefined],
    ['to one that has expired', targetOf(tiktok), at(dayMs), 'expired'],
    ['to one that is restricted', targetOf(threads), at(dayMs), 'restricted'],
    ['before access ends', targetOf(linkedin), at(dayMs), undefined],
    ['after access ends', targetOf(linkedin), at(6 * dayMs), 'expiring'],
    ['to a disconnected one', { ...targetOf(instagram), accountId: 'gone' }, at(dayMs), 'disconnected'],
    ['and is live already', targetOf(tiktok, { status: 'published' }), at(0), undefined],
  ] as const)('%s', (_which, target, time, risk) => {
    expect(riskOf(target, time, accounts, now)).toBe(risk);
    expect(riskOf(target, time, undefined, now)).toBeUndefined();
  });
});

describe('an unknown outcome', () => {
  it('names the address to look at, but none in words of the platform', () => {
    const error =
      'outcome unknown: check https://www.threads.net/@nord before retrying (see https://evil.test)';
    expect(placeToCheck(error)).toBe('https://www.threads.net/@nord');
    expect(placeToCheck('refused: check https://evil.test before retrying')).toBeUndefined();
    expect(placeToCheck('outcome unknown: check the profile before retrying')).toBeUndefined();
    expect(placeToCheck('outcome unknown: check javascript:alert(1) before retrying')).toBeUndefined();
    expect(placeToCheck(null)).toBeUndefined();
    expect(reasonIn(error)).toMatch(/^check https/);
  });
});

describe('a duration', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1_000, '1 s'],
    [1_905, '1.9 s'],
    [9_949, '9.9 s'],
    [9_950, '10 s'],
    [59_499, '59 s'],
    [59_500, '1 min'],
    [252_000, '4 min 12 s'],
    [3 * 3_600_000 + 5 * minute, '3 h 5 min'],
    [2 * dayMs, '2 d'],
    [400 * dayMs + 3_600_000, '400 d 1 h'],
  ])('of %i ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});
