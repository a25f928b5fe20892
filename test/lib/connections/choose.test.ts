import { beforeEach, describe, expect, it } from 'vitest';
import { listAccounts } from '../../../lib/accounts/read.ts';
import { makeChoice, showChoice } from '../../../lib/connections/choose.ts';
import { answerTo } from '../../../lib/connections/pages.ts';
import { minuteMs } from '../../../lib/kernel/clock.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { connectable } from '../../support/authorization.ts';
import { type ConnectingFixture, noon, openConnectingFixture, platform } from '../../support/connecting.ts';

const redirectUrl = 'https://app.example/done';

let fixture: ConnectingFixture;
beforeEach(async () => {
  fixture = await openConnectingFixture();
  fixture.authorization.answers.exchange = async () => ['a', 'b', 'c'].map((id) => connectable(id, noon));
});

/** Returns from a login with several accounts, and gives the token of the choice. */
async function beginChoice(target: string | undefined = redirectUrl): Promise<string> {
  const { state } = await fixture.begin(target);
  const answer = answerTo(await fixture.comeBack({ state, code: 'code-1' }));
  const url = new URL('redirectTo' in answer ? answer.redirectTo : 'missing:');
  expect(url.origin + url.pathname).toBe('https://api.example/oauth/youtube/choose');
  return url.searchParams.get('choice') ?? '';
}

const show = (token: string, name: string = platform) => showChoice(fixture.context(), name, token);
const choose = (token: string, ...ids: string[]) => makeChoice(fixture.context(), platform, token, ids);
const connectedNames = async () =>
  (await listAccounts(fixture.context(), {})).accounts.map(({ username }) => username).sort();

describe('a login with several accounts', () => {
  it('connects nothing before the user has chosen, and stores no token in plain text', async () => {
    const token = await beginChoice();
    const stored = await fixture.dump();
    expect(stored).not.toMatch(/"(ACCOUNT|TOKENS)#/);
    expect(stored).not.toContain('secret-');
    expect(stored).not.toContain(token);
    expect(fixture.authorization.asked).toEqual(['exchange code-1']);
  });

  it('counts an account that is listed twice only once', async () => {
    fixture.authorization.answers.exchange = async () => [connectable('a', noon), connectable('a', noon)];
    const { state } = await fixture.begin();
    expect(await fixture.comeBack({ state, code: 'code-1' })).toMatchObject({ kind: 'connected' });
  });

  it('is shown with a checkbox for each account', async () => {
    const answer = answerTo(await show(await beginChoice()));
    expect(answer).toMatchObject({ status: 200 });
    const { html } = answer as { html: string };
    for (const id of ['a', 'b', 'c']) {
      expect(html).toContain(`<input type="checkbox" name="account" value="${id}">`);
      expect(html).toContain(`The ${id}`);
    }
  });

  it('connects the chosen accounts', async () => {
    const outcome = await choose(await beginChoice(), 'a', 'c');
    expect(await connectedNames()).toEqual(['a', 'c']);
    const answer = answerTo(outcome);
    const back = new URL('redirectTo' in answer ? answer.redirectTo : 'missing:');
    const ids = (await listAccounts(fixture.context(), {})).accounts.map(({ id }) => id);
    expect(back.searchParams.get('connected')?.split(',').sort()).toEqual(ids.sort());
    expect(fixture.authorization.asked).toEqual(['exchange code-1', 'afterConnect a', 'afterConnect c']);
  });

  it('asks again if the choice is empty or names no offered account', async () => {
    const token = await beginChoice();
    for (const ids of [[], ['someone-else']]) {
      const answer = answerTo(await choose(token, ...ids));
      expect(answer).toMatchObject({ status: 400, html: expect.stringContaining('at least one account') });
    }
    expect(await connectedNames()).toEqual([]);
    expect(await choose(token, 'b')).toMatchObject({ kind: 'connected' });
  });

  it('connects at most as many accounts at a time as fit in one transaction', async () => {
    const many = Array.from({ length: 25 }, (_, index) => `page-${index}`);
    fixture.authorization.answers.exchange = async () =>
      many.map((id) => connectable(id, noon, { loginId: 'person' }));
    const token = await beginChoice();
    expect(await choose(token, ...many)).toMatchObject({
      kind: 'choose',
      problem: expect.stringMatching(/24/),
    });
    expect(await choose(token, ...many.slice(1))).toMatchObject({ kind: 'connected' });
    expect(await connectedNames()).toHaveLength(24);
  });

  it('is refused if its accounts do not fit in one item', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => connectable(`page-${index}`, noon));
    fixture.authorization.answers.exchange = async () => many;
    const { state } = await fixture.begin();
    expect(await fixture.comeBack({ state, code: 'code-1' })).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('2000 accounts'),
    });
  });
});

describe('a choice', () => {
  it('can be made once', async () => {
    const token = await beginChoice();
    await choose(token, 'a');
    const again = { kind: 'refused', reason: expect.stringContaining('already been used'), redirectUrl };
    expect(await choose(token, 'b')).toEqual(again);
    expect(await show(token)).toEqual(again);
    expect(await connectedNames()).toEqual(['a']);
  });

  it('is made once if the form is sent several times concurrently', async () => {
    const token = await beginChoice();
    const outcomes = await Promise.all(['a', 'b', 'c', 'a', 'b'].map((id) => choose(token, id)));
    expect(outcomes.filter(({ kind }) => kind === 'connected')).toHaveLength(1);
    expect(await connectedNames()).toHaveLength(1);
  });

  it('can be made again if the platform failed, because nothing was connected', async () => {
    const token = await beginChoice();
    fixture.authorization.answers.afterConnect = async ({ platformAccountId }) => {
      if (platformAccountId === 'b') throw new PlatformError('rejected', 'Page b is locked');
    };
    expect(await choose(token, 'a', 'b')).toEqual({
      kind: 'refused',
      reason: 'Page b is locked',
      redirectUrl,
    });
    expect(await connectedNames()).toEqual([]);
    expect(await choose(token, 'a')).toMatchObject({ kind: 'connected' });
  });

  it('removes the tokens of the other accounts', async () => {
    const token = await beginChoice();
    expect(await fixture.dump()).toContain('"candidates"');
    await choose(token, 'a');
    expect(await fixture.dump()).not.toContain('"candidates"');
  });

  it('expires after ten minutes', async () => {
    const token = await beginChoice();
    fixture.clock.time += 10 * minuteMs;
    const expired = { kind: 'refused', reason: expect.stringContaining('ten minutes'), redirectUrl };
    expect(await show(token)).toEqual(expired);
    expect(await choose(token, 'a')).toEqual(expired);
    expect(await connectedNames()).toEqual([]);
  });

  it('can only be found by its own token', async () => {
    const { state } = await fixture.begin();
    const token = await beginChoice();
    for (const forged of ['', state, `${token}x`, token.slice(1), 'CHOICE']) {
      expect(await choose(forged, 'a')).toMatchObject({
        kind: 'refused',
        reason: expect.stringContaining('not valid'),
      });
    }
    expect(await connectedNames()).toEqual([]);
  });

  it('cannot be used at the URL of another platform', async () => {
    expect(await show(await beginChoice(), 'instagram')).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('another platform'),
    });
  });
});
