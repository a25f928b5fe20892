import { describe, expect, it } from 'vitest';
import { conditionOf, handleOf, nameOf, sortAccounts } from '../../lib/panel/accounts/account.ts';
import { hoursOf, isWholeIn } from '../../lib/panel/pages/accounts/rhythm-draft.ts';
import { nextOf } from '../../lib/panel/pages/accounts/upcoming.ts';
import { words } from '../../lib/panel/words/words.ts';
import { Feature } from '../../lib/platforms/contract/features.ts';
import { accountOf, dayMs, instagram, linkedin, postFor, tiktok } from './support/accounts.ts';

const now = Date.parse('2026-03-02T12:00:00.000Z');
const at = (ms: number) => new Date(now + ms).toISOString();

describe('the condition of an account', () => {
  it.each([
    ['works', {}, 'ok'],
    ['works, if it can be renewed for long', { meta: { reconnectBy: at(7 * dayMs + 1) } }, 'ok'],
    ['ends soon', { meta: { reconnectBy: at(7 * dayMs) } }, 'expiring'],
    ['ends soon, even if the time is over', { meta: { reconnectBy: at(-dayMs) } }, 'expiring'],
    ['works, if the platform says nonsense', { meta: { reconnectBy: 'soon' } }, 'ok'],
    ['works, if the platform says no text', { meta: { reconnectBy: 3 } }, 'ok'],
    ['is restricted', { status: 'error' }, 'error'],
    ['has expired, whatever else', { status: 'expired', meta: { reconnectBy: at(dayMs) } }, 'expired'],
  ] as const)('%s', (_what, changes, condition) => {
    expect(conditionOf(accountOf(1, changes), now)).toBe(condition);
  });
});

it.each(Feature.options)('the feature %s has a name and a text', (feature) => {
  expect(words.accountsPage.features[feature]).toMatch(/^[A-Z]/);
  expect(words.accountsPage.featureTexts[feature]).toMatch(/^[A-Z]/);
});

describe('the name of an account', () => {
  it.each([
    ['Nordlicht', 'nord', 'Nordlicht', '@nord'],
    [null, 'nord', 'nord', undefined],
    ['nord', 'nord', 'nord', undefined],
    ['Nordlicht', '@nord', 'Nordlicht', '@nord'],
    ['Nordlicht', null, 'Nordlicht', undefined],
    [null, null, 'Instagram account …0001', undefined],
    [' \u200F ', '\u202E', 'Instagram account …0001', undefined],
    ['a\u202Eb\nc', 'x\u2066y', 'abc', '@xy'],
    ['👩‍👩‍👧‍👦', null, '👩‍👩‍👧‍👦', undefined],
  ])('%j and %j are shown as %j and %j', (displayName, username, name, handle) => {
    const account = accountOf(1, { displayName, username });
    expect([nameOf(account), handleOf(account)]).toEqual([name, handle]);
  });
});

describe('the order of accounts', () => {
  it('is that of the platforms, then of the names, with numbers by their value', () => {
    const named = (platform: 'instagram' | 'facebook', displayName: string) => ({
      ...instagram,
      platform,
      displayName,
    });
    const given = [
      named('facebook', 'Store 2'),
      named('instagram', 'store 10'),
      named('instagram', 'Store 9'),
    ];
    expect(sortAccounts(given).map(nameOf)).toEqual(['Store 9', 'store 10', 'Store 2']);
  });
});

describe('the next post of an account', () => {
  const post = postFor(1, instagram, at(2 * dayMs));
  const [target] = post.platforms;
  const withTarget = (changes: object) =>
    ({ ...post, platforms: [{ ...target, ...changes }] }) as typeof post;

  it('is the earliest of those that are scheduled', () => {
    const posts = [post, postFor(2, instagram, at(dayMs)), postFor(3, linkedin, at(3 * dayMs))];
    expect(nextOf(posts)).toEqual({ [instagram.id]: at(dayMs), [linkedin.id]: at(3 * dayMs) });
    expect(nextOf(posts)[tiktok.id]).toBeUndefined();
  });

  it('has the time of its own destination, or else of the post', () => {
    expect(nextOf([withTarget({ scheduledFor: at(5) })])).toEqual({ [instagram.id]: at(5) });
    expect(nextOf([withTarget({ scheduledFor: null })])).toEqual({ [instagram.id]: at(2 * dayMs) });
  });

  it.each(['draft', 'published', 'failed', 'publishing'] as const)('is none that is %s', (status) => {
    expect(nextOf([withTarget({ status })])).toEqual({});
  });
});

describe('a number of a rhythm', () => {
  it.each([
    ['1', true],
    ['100', true],
    [' 7 ', true],
    ['0', false],
    ['101', false],
    ['1.5', false],
    ['1e1', false],
    ['', false],
    ['-1', false],
  ])('%j is allowed from 1 to 100: %j', (text, isAllowed) => {
    expect(isWholeIn(text, [1, 100])).toBe(isAllowed);
  });

  it.each([
    ['59', undefined],
    ['60', 1],
    ['90', 1.5],
    ['10080', 168],
    ['x', undefined],
  ])('%j minutes are as many hours: %j', (minutes, hours) => {
    expect(hoursOf(minutes)).toBe(hours);
  });
});
