import { beforeEach, describe, expect, it } from 'vitest';
import { listAccounts } from '../../../lib/accounts/read.ts';
import { readAttempt } from '../../../lib/connections/attempts.ts';
import { claimAttempt } from '../../../lib/connections/claim.ts';
import { answerTo } from '../../../lib/connections/pages.ts';
import { hourMs, minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { connectable } from '../../support/authorization.ts';
import { type ConnectingFixture, noon, openConnectingFixture } from '../../support/connecting.ts';

const redirectUrl = 'https://agency.example/done?customer=17';

let fixture: ConnectingFixture;
let other: string;
beforeEach(async () => {
  fixture = await openConnectingFixture();
  other = await fixture.addWorkspace('Other');
  fixture.authorization.answers.exchange = async () => ['a', 'b'].map((id) => connectable(id, noon));
});

const claim = (state: string, code: string, workspaceId?: string) =>
  claimAttempt(fixture.context(workspaceId), state, code);
const attempt = (state: string, workspaceId?: string) => readAttempt(fixture.context(workspaceId), state);
const connectedNames = async () =>
  (await listAccounts(fixture.context(), {})).accounts.map(({ username }) => username).sort();

/** Confirms on the page, and takes the code from the redirect. */
async function confirm(...ids: string[]): Promise<{ state: string; code: string }> {
  const state = await fixture.arrive({ redirectUrl, claim: true, externalId: 'customer-17' });
  const answer = answerTo(await fixture.choose(state, ids));
  const { searchParams } = new URL('redirectTo' in answer ? answer.redirectTo : 'missing:');
  expect([...searchParams.keys()]).toEqual(['customer', 'code', 'state']);
  expect(searchParams.get('state')).toBe(state);
  return { state, code: searchParams.get('code') ?? '' };
}

describe('an attempt with `claim`', () => {
  it('connects nothing when the user confirms, and keeps only the chosen accounts, encrypted', async () => {
    const { state, code } = await confirm('a');
    expect(await connectedNames()).toEqual([]);
    expect(fixture.authorization.asked).toEqual(['exchange code-1']);
    expect(await attempt(state)).toMatchObject({ status: 'choosing', accounts: [] });
    const stored = await fixture.dump();
    expect(stored).not.toMatch(/secret-/);
    expect(stored).not.toContain(code);
    expect(stored).not.toContain(state);
  });

  it('connects the chosen accounts when the workspace claims them', async () => {
    const { state, code } = await confirm('a');
    const claimed = await claim(state, code);
    expect(claimed).toMatchObject({
      state,
      platform: 'youtube',
      status: 'connected',
      externalId: 'customer-17',
      accounts: [{ username: 'a', status: 'ok' }],
    });
    expect(await connectedNames()).toEqual(['a']);
    expect(await attempt(state)).toEqual(claimed);
    expect(await fixture.dump()).not.toContain('"candidates"');
  });

  it('returns the same for the same code again, and connects nothing again', async () => {
    const { state, code } = await confirm('a', 'b');
    const [first, ...more] = await Promise.all([claim(state, code), claim(state, code), claim(state, code)]);
    expect(more).toEqual([first, first]);
    const before = await fixture.items();
    fixture.clock.time += hourMs;
    expect(await claim(state, code)).toEqual(first);
    expect(await fixture.items()).toEqual(before);
  });

  it('is found by no other workspace', async () => {
    const { state, code } = await confirm('a');
    for (const [asked, by] of [
      [state, other],
      ['made-up', undefined],
      ['', undefined],
    ] as const) {
      const unknown = { code: 'not_found', message: 'attempt not found' };
      await expect(claim(asked, code, by)).rejects.toMatchObject(unknown);
      await expect(attempt(asked, by)).rejects.toMatchObject(unknown);
    }
    expect(await connectedNames()).toEqual([]);
  });

  it('refuses every other code, naming the field', async () => {
    const { state, code } = await confirm('a');
    const { code: ofAnother } = await confirm('b');
    for (const wrong of ['', 'x', `${code}x`, code.toLowerCase(), state, ofAnother]) {
      await expect(claim(state, wrong)).rejects.toMatchObject({
        code: 'claim_code_wrong',
        fields: { code: [expect.any(String)] },
      });
    }
    expect(await connectedNames()).toEqual([]);
    expect(await claim(state, code)).toMatchObject({ status: 'connected' });
  });

  it.each([
    ['just before', -1, true],
    ['at', 0, false],
  ])('%s the end of its ten minutes: %s ms', async (_when, offsetMs, works) => {
    const { state, code } = await confirm('a');
    fixture.clock.time += 10 * minuteMs + offsetMs;
    if (works) {
      expect(await claim(state, code)).toMatchObject({ status: 'connected' });
      return;
    }
    await expect(claim(state, code)).rejects.toMatchObject({ code: 'claim_code_expired' });
    expect(await connectedNames()).toEqual([]);
    fixture.clock.time += 30 * secondMs;
    expect(await attempt(state)).toMatchObject({ status: 'expired' });
  });

  it('has nothing to claim before the user confirms, or without `claim`', async () => {
    const pending = await fixture.begin({ redirectUrl, claim: true });
    const choosing = await fixture.arrive({ redirectUrl, claim: true });
    const unclaimed = await fixture.arrive({ redirectUrl });
    await fixture.choose(unclaimed, ['a']);
    for (const [state, code] of [
      [pending.state, 'claim_not_confirmed'],
      [choosing, 'claim_not_confirmed'],
      [unclaimed, 'claim_not_requested'],
    ] as const) {
      await expect(claim(state, 'x'.repeat(43))).rejects.toMatchObject({ code });
    }
  });

  it('can be claimed again if the platform failed', async () => {
    const { state, code } = await confirm('a');
    for (const [error, expected] of [
      [new PlatformError('retry', 'Busy <b>'), 'platform_unavailable'],
      [new PlatformError('rejected', 'Locked <b>'), 'account_refused'],
    ] as const) {
      fixture.authorization.answers.afterConnect = async () => {
        throw error;
      };
      await expect(claim(state, code)).rejects.toMatchObject({
        code: expected,
        message: expect.not.stringContaining('<b>'),
      });
    }
    expect(await connectedNames()).toEqual([]);
    fixture.authorization.answers.afterConnect = async () => {};
    expect(await claim(state, code)).toMatchObject({ status: 'connected' });
  });

  it('that is confirmed again keeps its first choice, and sends its own browser back with the same code', async () => {
    const { state, code } = await confirm('a');
    const again = { kind: 'confirmed before', redirectUrl, result: { code, state } };
    expect(await fixture.choose(state, ['b'])).toEqual(again);
    const stranger = { secret: 'x'.repeat(43) };
    expect(await fixture.choose(state, ['b'], stranger)).toEqual({ kind: 'unusable', why: 'other browser' });
    await claim(state, code);
    expect(await fixture.choose(state, ['b'])).toEqual(again);
    expect(await connectedNames()).toEqual(['a']);
  });

  it('has another code in each attempt and each browser', async () => {
    const codes = [(await confirm('a')).code, (await confirm('a')).code];
    fixture.browser.secret = undefined;
    codes.push((await confirm('a')).code);
    expect(new Set(codes).size).toBe(3);
    for (const code of codes) expect(code).toMatch(/^[\w-]{43}$/);
  });
});

describe('reading an attempt', () => {
  it('shows its status from the beginning to the end', async () => {
    const { state } = await fixture.begin({ redirectUrl });
    const view = { state, platform: 'youtube', externalId: null };
    expect(await attempt(state)).toEqual({ ...view, status: 'pending', accounts: [] });
    await fixture.leave(state);
    expect(await attempt(state)).toMatchObject({ status: 'pending' });
    await fixture.comeBack({ state, code: 'code-1' });
    expect(await attempt(state)).toMatchObject({ status: 'choosing' });
    await fixture.choose(state, ['b']);
    expect(await attempt(state)).toMatchObject({
      ...view,
      status: 'connected',
      accounts: [{ username: 'b' }],
    });
  });

  it('is possible for 24 hours after its last step ended', async () => {
    const { state } = await fixture.begin();
    fixture.clock.time += 10 * minuteMs + 24 * hourMs - 1_000;
    expect(await attempt(state)).toMatchObject({ status: 'expired' });
    fixture.clock.time += 1_000;
    await expect(attempt(state)).rejects.toMatchObject({ code: 'not_found' });
  });
});
