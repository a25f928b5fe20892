import { createHash, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { listAccounts, readAccount } from '../../../lib/accounts/read.ts';
import { readAttempt } from '../../../lib/connections/attempts.ts';
import { beginConnection } from '../../../lib/connections/begin.ts';
import { showChoice } from '../../../lib/connections/choose.ts';
import { introduce, leaveForPlatform } from '../../../lib/connections/introduce.ts';
import { answerTo } from '../../../lib/connections/pages.ts';
import { minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { sha256 } from '../../../lib/kernel/ids.ts';
import { PlatformError, UnusableLoginError } from '../../../lib/platforms/contract/errors.ts';
import type { StageFeatures } from '../../../lib/platforms/contract/features.ts';
import { updateItem } from '../../../lib/table/items.ts';
import { connectionKey } from '../../../lib/table/keys.ts';
import { removed } from '../../../lib/table/update.ts';
import { setRedirectHosts } from '../../../lib/workspaces/manage.ts';
import { anOperator } from '../../support/acts.ts';
import { connectable, tokenSet } from '../../support/authorization.ts';
import { type ConnectingFixture, noon, openConnectingFixture, platform } from '../../support/connecting.ts';

const redirectUrl = 'https://app.example/done';

let fixture: ConnectingFixture;
beforeEach(async () => {
  fixture = await openConnectingFixture();
  fixture.authorization.answers.exchange = async () => [connectable('a', fixture.clock.time)];
});

const connectedAccounts = async () => (await listAccounts(fixture.context(), {})).accounts;
const statusOf = async (state: string) => (await readAttempt(fixture.context(), state)).status;

describe('beginning a connection', () => {
  it('returns the URL of a page of ours, with a state that is valid for ten minutes', async () => {
    const begun = await fixture.begin();
    expect(begun.authUrl).toBe(`https://api.example/oauth/youtube/begin?state=${begun.state}`);
    expect(begun.expiresAt).toBe(toTimestamp(noon + 10 * minuteMs));
  });

  it('stores the digest of the state and not the state', async () => {
    const { state } = await fixture.begin();
    expect(await fixture.dump()).not.toContain(state);
  });

  it.each<[string, StageFeatures, string[]]>([
    ['of all features', {}, ['publish', 'read', 'comment']],
    ['of the features that the operator has enabled', { youtube: [] }, ['publish', 'read']],
  ])('requests the scopes %s, until the code is exchanged', async (_which, stageFeatures, scopes) => {
    const context = () => ({ ...fixture.context(), stageFeatures });
    const { state } = await beginConnection(context(), platform, {});
    const left = await fixture.leave(state);
    const url = new URL(left.kind === 'continue' ? left.url : '');
    expect(url.searchParams.get('scope')).toBe(scopes.join(' '));
    await fixture.comeBack({ state, code: 'code-1' });
    expect(fixture.authorization.grants).toMatchObject([{ scopes }]);
  });

  it('by an earlier release requests what that release did', async () => {
    const { state } = await fixture.begin();
    const { table } = fixture.context();
    await updateItem(table, connectionKey(sha256(state)), { set: { scopes: removed }, if: {} });
    const left = await fixture.leave(state);
    const url = new URL(left.kind === 'continue' ? left.url : '');
    expect(url.searchParams.get('scope')).toBe('publish read');
  });

  it('refuses a platform that is not supported yet, naming the field', async () => {
    await expect(beginConnection(fixture.context(), 'tiktok', {})).rejects.toMatchObject({
      code: 'platform_unsupported',
      fields: { platform: [expect.stringContaining('tiktok')] },
    });
  });

  it('refuses `claim` without a redirectUrl, which would receive the code', async () => {
    await expect(fixture.begin({ claim: true })).rejects.toMatchObject({
      code: 'field_required',
      fields: { redirectUrl: [expect.stringContaining('claim')] },
    });
  });

  it.each([
    ['https://app.example/done', true],
    ['https://app.example:8443/done', true],
    ['https://APP.example/done', true],
    ['https://sub.app.example/done', false],
    ['https://app.example.evil.example/done', false],
    ['https://evil.example/?app.example', false],
    ['http://localhost:3000/done', false],
  ])('with hosts allowed for the workspace: %s is allowed: %s', async (url, isAllowed) => {
    const { table, workspaceId, now } = fixture.context();
    await setRedirectHosts(anOperator(table, now, 'workspace.set-redirect-hosts'), {
      workspaceId,
      hosts: ['App.example', 'localhost.example'],
    });
    const begun = fixture.begin({ redirectUrl: new URL(url).href });
    if (isAllowed) await begun;
    else
      await expect(begun).rejects.toMatchObject({
        code: 'redirect_host_not_allowed',
        fields: { redirectUrl: [/host/] },
      });
  });
});

describe('the page behind authUrl', () => {
  const open = async (state: string, platform = 'youtube') =>
    introduce(fixture.context(), fixture.visit(state, {}, { platform }));

  it('names the workspace, the platform and where the browser ends', async () => {
    const { state } = await fixture.begin({ redirectUrl });
    const answer = answerTo(await open(state));
    expect(answer).toMatchObject({ status: 200 });
    const { html } = answer as { html: string };
    expect(html).toContain('<b><bdi>Harbour Coffee</bdi></b> asks to publish as you on YouTube');
    expect(html).toContain('<b>app.example</b>');
  });

  it('uses up nothing, however often it is opened', async () => {
    const { state } = await fixture.begin();
    const before = await fixture.items();
    for (let time = 0; time < 3; time += 1) expect(await open(state)).toMatchObject({ kind: 'introduction' });
    expect(await fixture.items()).toEqual(before);
  });

  it.each([
    ['made-up', 'youtube', 'unknown'],
    ['', 'youtube', 'unknown'],
    [undefined, 'instagram', 'wrong platform'],
  ])('refuses the state %j at the URL of %s', async (state, platform, why) => {
    const begun = await fixture.begin({ redirectUrl });
    expect(await open(state ?? begun.state, platform)).toEqual({ kind: 'unusable', why });
  });

  it('expires after ten minutes', async () => {
    const { state } = await fixture.begin({ redirectUrl });
    fixture.clock.time += 10 * minuteMs;
    expect(await open(state)).toEqual({ kind: 'unusable', why: 'expired' });
    expect(await fixture.leave(state)).toEqual({ kind: 'unusable', why: 'expired' });
    fixture.clock.time += 30 * secondMs;
    expect(await statusOf(state)).toBe('expired');
  });
});

describe('continuing to the platform', () => {
  it('leads to the consent page, with the state', async () => {
    const { state } = await fixture.begin();
    const left = await fixture.leave(state);
    const query = new URL(left.kind === 'continue' ? left.url : '').searchParams;
    expect(query.get('state')).toBe(state);
    expect(query.get('redirectUri')).toBe('https://api.example/oauth/youtube/callback');
  });

  it('sends the S256 challenge of the verifier that is later sent with the code (RFC 7636)', async () => {
    const { state } = await fixture.begin();
    const left = await fixture.leave(state);
    await fixture.comeBack({ state, code: 'code-1' });
    const verifier = fixture.authorization.grants[0]?.codeVerifier ?? '';
    expect(verifier).toMatch(/^[\w.~-]{43,128}$/);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const { searchParams } = new URL(left.kind === 'continue' ? left.url : '');
    expect(searchParams.get('codeChallenge')).toBe(challenge);
  });

  it('gives the browser a secret, of which only the digest is stored', async () => {
    const { state } = await fixture.begin();
    await fixture.leave(state);
    expect(fixture.browser.secret).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(await fixture.dump()).not.toContain(fixture.browser.secret);
  });

  it('refuses a form that another site sent', async () => {
    const { state } = await fixture.begin();
    const visit = fixture.visit(state, {}, { isSameOrigin: false });
    expect(await leaveForPlatform(fixture.context(), visit)).toEqual({
      kind: 'unusable',
      why: 'foreign form',
    });
    expect(await fixture.dump()).not.toContain('browserDigest');
  });

  it('works again after the user went back, and for two attempts in two tabs', async () => {
    const [one, two] = [await fixture.begin(), await fixture.begin()];
    for (const { state } of [one, two, one])
      expect(await fixture.leave(state)).toMatchObject({ kind: 'continue' });
    for (const { state } of [two, one]) {
      expect(await fixture.comeBack({ state, code: 'code-1' })).toMatchObject({ kind: 'continue' });
    }
  });
});

describe('returning from the platform', () => {
  it('leads to the page to confirm, and connects nothing', async () => {
    const { state } = await fixture.begin({ redirectUrl });
    await fixture.leave(state);
    const outcome = await fixture.comeBack({ state, code: 'code-1' });
    expect(answerTo(outcome)).toMatchObject({
      redirectTo: `https://api.example/oauth/youtube/choose?state=${state}`,
    });
    expect(await fixture.dump()).not.toMatch(/"(ACCOUNT|TOKENS)#/);
    expect(fixture.authorization.asked).toEqual(['exchange code-1']);
    expect(await statusOf(state)).toBe('choosing');
  });

  it('stores no token in plain text', async () => {
    await fixture.connect();
    const stored = await fixture.dump();
    expect(stored).toContain('ciphertext');
    expect(stored).not.toContain('secret-');
  });

  it('keeps two workspaces apart that connect the same account', async () => {
    const other = await fixture.addWorkspace('Other');
    const [here, there] = [await fixture.connect(), await fixture.connect(other)];
    expect(here.id).not.toBe(there.id);
    expect((await connectedAccounts()).map(({ id }) => id)).toEqual([here.id]);
    await expect(readAccount(fixture.context(other), here.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('restores the id, with status ok, when the account is connected again', async () => {
    const first = await fixture.connect();
    fixture.clock.time += minuteMs;
    fixture.authorization.answers.exchange = async () => [
      connectable('a', fixture.clock.time, { displayName: 'Renamed' }),
    ];
    const second = await fixture.connect();
    expect(second.id).toBe(first.id);
    expect(await connectedAccounts()).toMatchObject([{ id: first.id, displayName: 'Renamed', status: 'ok' }]);
  });

  const failWith = (error: Error) => async () => {
    fixture.authorization.answers.exchange = async () => {
      throw error;
    };
    return { code: 'code-1' };
  };
  const refusals: [string, () => Promise<Record<string, string>>, string, RegExp][] = [
    [
      'the user declines',
      async () => ({ error: 'access_denied' }),
      'access_denied',
      /You did not give permission/,
    ],
    [
      'the user declines at LinkedIn',
      async () => ({ error: 'user_cancelled_login' }),
      'access_denied',
      /did not give permission/,
    ],
    [
      'the platform reports another error',
      async () => ({ error: 'invalid_scope', error_description: '<b>Call</b> +1 555 0100 now' }),
      'platform_refused',
      /YouTube refused the login/,
    ],
    ['there is no code', async () => ({}), 'platform_refused', /YouTube refused the login/],
    [
      'a scope is missing',
      async () => {
        const tokens = tokenSet('a', noon, { scopes: ['read'] });
        fixture.authorization.answers.exchange = async () => [connectable('a', noon, { tokens })];
        return { code: 'code-1' };
      },
      'missing_permissions',
      /leave all permissions selected/,
    ],
    [
      'the login has no account',
      async () => {
        fixture.authorization.answers.exchange = async () => [];
        return { code: 'code-1' };
      },
      'no_accounts',
      /no YouTube channel/,
    ],
    [
      'the platform finds no account to publish to',
      failWith(new UnusableLoginError('no_accounts', 'Nothing here')),
      'no_accounts',
      /no YouTube channel/,
    ],
    [
      'the platform refuses the code',
      failWith(new PlatformError('rejected', '<b>The code was used.</b>')),
      'platform_refused',
      /YouTube refused the login/,
    ],
    [
      'the platform does not answer',
      failWith(new PlatformError('unknown', 'No answer within 20 s')),
      'platform_unavailable',
      /YouTube did not answer\. Connect again in a moment/,
    ],
    [
      'the login has too many accounts to offer',
      async () => {
        const many = Array.from({ length: 2_000 }, (_, index) => connectable(`page-${index}`, noon));
        fixture.authorization.answers.exchange = async () => many;
        return { code: 'code-1' };
      },
      'too_many_accounts',
      /too many accounts/,
    ],
    [
      'we have an error of our own, whose message is not shown',
      failWith(new Error('password of the database')),
      'server_error',
      /Something went wrong on our side/,
    ],
  ];

  it.each(refusals)('redirects with a code, and connects nothing, if %s', async (_when, fail, code) => {
    const { state } = await fixture.begin({ redirectUrl });
    await fixture.leave(state);
    const answer = answerTo(await fixture.comeBack({ state, ...(await fail()) }));
    expect(answer).toEqual({ redirectTo: `${redirectUrl}?error=${code}` });
    expect(await fixture.dump()).not.toMatch(/"(ACCOUNT|TOKENS)#|candidates/);
    expect(await readAttempt(fixture.context(), state)).toMatchObject({ status: 'refused', error: code });
  });

  it.each(refusals)(
    'shows a page with our own words, without a redirectUrl, if %s',
    async (_, fail, __, text) => {
      const { state } = await fixture.begin();
      await fixture.leave(state);
      const answer = answerTo(await fixture.comeBack({ state, ...(await fail()) }));
      expect(answer).toMatchObject({ status: 400, html: expect.stringMatching(text) });
      expect((answer as { html: string }).html).not.toMatch(/555 0100|code was used|20 s|database/);
    },
  );

  it('logs what the platform said, unless it quotes the state or the code', async () => {
    for (const description of ['Scope <x> is not\nallowed', undefined]) {
      const { state } = await fixture.begin();
      await fixture.leave(state);
      const error_description = description ?? `the state ${state} is bad`;
      await fixture.comeBack({ state, error: 'invalid_scope', error_description });
    }
    const advice = expect.stringContaining('the app lacks a requested scope');
    expect(fixture.warned).toEqual([
      { platform: 'youtube', platformCode: 'invalid_scope', advice, reason: 'Scope <x> is not allowed' },
      { platform: 'youtube', platformCode: 'invalid_scope', advice, reason: undefined },
    ]);
    await failWith(new PlatformError('rejected', 'code-1 was used'))();
    await fixture.arrive().catch(() => undefined);
    expect(fixture.warned.at(-1)).toMatchObject({ reason: undefined });
  });
});

describe('a state', () => {
  const used = { kind: 'unusable', why: 'used' };

  it('works once', async () => {
    const state = await fixture.arrive({ redirectUrl });
    expect(await fixture.comeBack({ state, code: 'code-2' })).toMatchObject(used);
    expect(fixture.authorization.asked).not.toContain('exchange code-2');
  });

  it('that was used leads to a page and never to the redirectUrl, for no browser', async () => {
    const state = await fixture.arrive({ redirectUrl });
    for (const browser of [fixture.browser, { secret: 'x'.repeat(43) }, {}]) {
      const outcomes = [
        await fixture.comeBack({ state, code: 'code-2' }, { browser }),
        await fixture.comeBack({ state, error: 'access_denied' }, { browser }),
        await introduce(fixture.context(), fixture.visit(state, browser)),
        await fixture.leave(state, browser),
      ];
      for (const outcome of outcomes) {
        expect(answerTo(outcome)).toMatchObject({
          status: 400,
          html: expect.not.stringContaining('app.example'),
        });
      }
    }
  });

  it('lets its own browser continue if the user loads an earlier page again, and no other', async () => {
    const state = await fixture.arrive({ redirectUrl });
    const continueAt = `https://api.example/oauth/youtube/choose?state=${state}`;
    expect(await fixture.comeBack({ state, code: 'code-1' })).toEqual({ ...used, continueAt });
    expect(await introduce(fixture.context(), fixture.visit(state, {}))).toEqual(used);
    await fixture.choose(state, ['a']);
    expect(await fixture.comeBack({ state, code: 'code-1' })).toEqual({ kind: 'unusable', why: 'completed' });
  });

  it('lets its own browser continue if the user loads the page again while the code is exchanged', async () => {
    const { state } = await fixture.begin();
    await fixture.leave(state);
    const continueAt = `https://api.example/oauth/youtube/choose?state=${state}`;
    fixture.authorization.answers.exchange = async () => {
      expect(await fixture.comeBack({ state, code: 'code-1' })).toEqual({ ...used, continueAt });
      expect(await showChoice(fixture.context(), fixture.visit(state))).toEqual({ ...used, continueAt });
      const stranger = await introduce(fixture.context(), fixture.visit(state, {}));
      expect(stranger).toEqual(used);
      fixture.clock.time += 10 * minuteMs;
      expect(await fixture.comeBack({ state, code: 'code-1' })).toEqual(used);
      return [connectable('a', noon)];
    };
    expect(await fixture.comeBack({ state, code: 'code-1' })).toMatchObject({ kind: 'continue' });
  });

  it('works once if the browser returns several times concurrently', async () => {
    const { state } = await fixture.begin();
    await fixture.leave(state);
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => fixture.comeBack({ state, code: `code-${index}` })),
    );
    expect(outcomes.filter(({ kind }) => kind === 'continue')).toHaveLength(1);
    expect(fixture.authorization.grants).toHaveLength(1);
  });

  it('works once even if the user declined', async () => {
    const { state } = await fixture.begin({ redirectUrl });
    await fixture.leave(state);
    await fixture.comeBack({ state, error: 'access_denied' });
    expect(await fixture.comeBack({ state, code: 'code-1' })).toEqual(used);
  });

  it.each([
    ['just before', -1, 'continue'],
    ['at', 0, 'unusable'],
    ['an hour after', 60 * minuteMs, 'unusable'],
  ])('%s its expiry after ten minutes: %s ms', async (_when, offsetMs, kind) => {
    const { state } = await fixture.begin({ redirectUrl });
    await fixture.leave(state);
    fixture.clock.time += 10 * minuteMs + offsetMs;
    expect(await fixture.comeBack({ state, code: 'code-1' })).toMatchObject({ kind });
  });

  it('is refused at the URL of another platform, and remains valid at its own', async () => {
    const { state } = await fixture.begin({ redirectUrl });
    await fixture.leave(state);
    expect(await fixture.comeBack({ state, code: 'code-1' }, { platform: 'instagram' })).toEqual({
      kind: 'unusable',
      why: 'wrong platform',
    });
    expect(await fixture.comeBack({ state, code: 'code-1' })).toMatchObject({ kind: 'continue' });
  });

  it.each([[{}], [{ state: '' }], [{ state: 'made-up' }]])(
    'that was never issued leads to a page: %o',
    async (query) => {
      const outcome = await fixture.comeBack({ code: 'code-1', ...query });
      expect(answerTo(outcome)).toMatchObject({ status: 400, html: expect.stringContaining('not valid') });
      expect(fixture.authorization.asked).toEqual([]);
    },
  );
});

describe('another browser', () => {
  const refused = { kind: 'unusable', why: 'other browser' };
  const strangers = () => [{}, { secret: '' }, { secret: randomUUID() }, { secret: 'x'.repeat(43) }];

  it('cannot return with the state: nothing is exchanged, and the right browser still can', async () => {
    const { state } = await fixture.begin({ redirectUrl });
    await fixture.leave(state);
    for (const browser of strangers()) {
      expect(await fixture.comeBack({ state, code: 'code-1' }, { browser })).toEqual(refused);
    }
    expect(fixture.authorization.asked).toEqual([]);
    expect(await fixture.comeBack({ state, code: 'code-1' })).toMatchObject({ kind: 'continue' });
  });

  it('cannot return with a state that no browser has opened', async () => {
    const { state } = await fixture.begin({ redirectUrl });
    for (const browser of strangers()) {
      expect(await fixture.comeBack({ state, code: 'code-1' }, { browser })).toEqual(refused);
    }
    expect(fixture.authorization.asked).toEqual([]);
  });

  it('that opens the link later takes the attempt over, and the first one is refused on return', async () => {
    const second = {};
    const { state } = await fixture.begin({ redirectUrl });
    await fixture.leave(state);
    await fixture.leave(state, second);
    expect(await fixture.comeBack({ state, code: 'code-1' })).toEqual(refused);
    expect(fixture.authorization.asked).toEqual([]);
    expect(await fixture.comeBack({ state, code: 'code-2' }, { browser: second })).toMatchObject({
      kind: 'continue',
    });
  });

  it('cannot take over an attempt whose browser has returned', async () => {
    const state = await fixture.arrive();
    const second = {};
    expect(await fixture.leave(state, second)).toEqual({ kind: 'unusable', why: 'used' });
    expect(await fixture.choose(state, ['a'], second)).toEqual(refused);
  });
});
