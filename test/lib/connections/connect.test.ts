import { createHash, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { listAccounts, readAccount } from '../../../lib/accounts/read.ts';
import { beginConnection } from '../../../lib/connections/begin.ts';
import { answerTo } from '../../../lib/connections/pages.ts';
import { minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { connectable, tokenSet } from '../../support/authorization.ts';
import { type ConnectingFixture, noon, openConnectingFixture } from '../../support/connecting.ts';

const redirectUrl = 'https://app.example/done';

let fixture: ConnectingFixture;
beforeEach(async () => {
  fixture = await openConnectingFixture();
  fixture.authorization.answers.exchange = async () => [connectable('a', fixture.clock.time)];
});

const connectedAccounts = async () => (await listAccounts(fixture.context(), {})).accounts;

describe('beginning a connection', () => {
  it('returns the URL of the consent page, with a state that is valid for ten minutes', async () => {
    const begun = await fixture.begin();
    const query = new URL(begun.authUrl).searchParams;
    expect(begun.expiresAt).toBe(toTimestamp(noon + 10 * minuteMs));
    expect(query.get('state')).toBe(begun.state);
    expect(query.get('redirectUri')).toBe('https://api.example/oauth/youtube/callback');
  });

  it('stores the digest of the state and not the state', async () => {
    const { state } = await fixture.begin();
    expect(await fixture.dump()).not.toContain(state);
  });

  it('sends the S256 challenge of the verifier that it later sends with the code (RFC 7636)', async () => {
    const { authUrl, state } = await fixture.begin();
    await fixture.comeBack({ state, code: 'code-1' });
    const verifier = fixture.authorization.grants[0]?.codeVerifier ?? '';
    expect(verifier).toMatch(/^[\w.~-]{43,128}$/);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    expect(new URL(authUrl).searchParams.get('codeChallenge')).toBe(challenge);
  });

  it('refuses a platform that is not supported yet, naming the field', async () => {
    await expect(beginConnection(fixture.context(), 'tiktok', {})).rejects.toMatchObject({
      code: 'invalid',
      fields: { platform: [expect.stringContaining('tiktok')] },
    });
  });
});

describe('returning from the platform', () => {
  it('connects the account', async () => {
    const { state } = await fixture.begin(redirectUrl);
    const outcome = await fixture.comeBack({ state, code: 'code-1' });
    const accounts = await connectedAccounts();
    expect(accounts).toMatchObject([
      { platform: 'youtube', username: 'a', status: 'ok', meta: { kind: 'page' } },
    ]);
    expect(answerTo(outcome)).toEqual({ redirectTo: `${redirectUrl}?connected=${accounts[0]?.id}` });
    expect(fixture.authorization.asked).toEqual(['exchange code-1', 'afterConnect a']);
  });

  it('shows a page if no redirectUrl was given', async () => {
    const { state } = await fixture.begin();
    expect(answerTo(await fixture.comeBack({ state, code: 'code-1' }))).toMatchObject({
      status: 200,
      html: expect.stringContaining('The a (YouTube)'),
    });
  });

  it('stores no token in plain text', async () => {
    await fixture.connect();
    const stored = await fixture.dump();
    expect(stored).toContain('ciphertext');
    expect(stored).not.toContain('secret-');
  });

  it('keeps two workspaces apart that connect the same account', async () => {
    const other = randomUUID();
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

  const refusals: [string, () => Promise<Record<string, string>>, RegExp][] = [
    ['the user declines', async () => ({ error: 'access_denied' }), /did not give permission on YouTube/],
    [
      'the user declines at LinkedIn',
      async () => ({ error: 'user_cancelled_login' }),
      /did not give permission/,
    ],
    [
      'the platform reports another error',
      async () => ({ error: 'invalid_scope', error_description: 'Scope <x> is not\nallowed' }),
      /YouTube refused: Scope <x> is not allowed/,
    ],
    ['there is no code', async () => ({}), /an answer without a code/],
    [
      'a scope is missing',
      async () => {
        const tokens = tokenSet('a', noon, { scopes: ['read'] });
        fixture.authorization.answers.exchange = async () => [connectable('a', noon, { tokens })];
        return { code: 'code-1' };
      },
      /Missing: publish/,
    ],
    [
      'the login has no account',
      async () => {
        fixture.authorization.answers.exchange = async () => [];
        return { code: 'code-1' };
      },
      /no account to publish to/,
    ],
    [
      'the platform refuses the code',
      async () => {
        fixture.authorization.answers.exchange = async () => {
          throw new PlatformError('rejected', 'The code was used.');
        };
        return { code: 'code-1' };
      },
      /^The code was used\.$/,
    ],
    [
      'the platform does not answer',
      async () => {
        fixture.authorization.answers.exchange = async () => {
          throw new PlatformError('unknown', 'No answer within 20 s');
        };
        return { code: 'code-1' };
      },
      /^No answer within 20 s\. Connect the account again/,
    ],
    [
      'the platform’s last step fails',
      async () => {
        fixture.authorization.answers.afterConnect = async () => {
          throw new PlatformError('rejected', 'No subscription');
        };
        return { code: 'code-1' };
      },
      /^No subscription$/,
    ],
    [
      'we have an error of our own, whose message is not shown',
      async () => {
        fixture.authorization.answers.exchange = async () => {
          throw new Error('password of the database');
        };
        return { code: 'code-1' };
      },
      /^Something went wrong on our side/,
    ],
  ];

  it.each(refusals)('redirects with the reason, and connects nothing, if %s', async (_when, fail, reason) => {
    const { state } = await fixture.begin(redirectUrl);
    const answer = answerTo(await fixture.comeBack({ state, ...(await fail()) }));
    const back = new URL('redirectTo' in answer ? answer.redirectTo : 'missing:');
    expect(back.origin + back.pathname).toBe(redirectUrl);
    expect(back.searchParams.get('error')).toMatch(reason);
    expect(await fixture.dump()).not.toMatch(/"(ACCOUNT|TOKENS)#/);
  });
});

describe('a state', () => {
  it('works once', async () => {
    const { state } = await fixture.begin(redirectUrl);
    await fixture.comeBack({ state, code: 'code-1' });
    expect(await fixture.comeBack({ state, code: 'code-2' })).toEqual({
      kind: 'refused',
      reason: expect.stringContaining('already been used'),
      redirectUrl,
    });
    expect(fixture.authorization.asked).not.toContain('exchange code-2');
  });

  it('works once if the browser returns several times concurrently', async () => {
    const { state } = await fixture.begin();
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => fixture.comeBack({ state, code: `code-${index}` })),
    );
    expect(outcomes.filter(({ kind }) => kind === 'connected')).toHaveLength(1);
    expect(fixture.authorization.grants).toHaveLength(1);
  });

  it('works once even if the user declined', async () => {
    const { state } = await fixture.begin(redirectUrl);
    await fixture.comeBack({ state, error: 'access_denied' });
    expect(await fixture.comeBack({ state, code: 'code-1' })).toMatchObject({ kind: 'refused' });
  });

  it.each([
    ['just before', -1, 'connected'],
    ['at', 0, 'refused'],
    ['an hour after', 60 * minuteMs, 'refused'],
  ])('%s its expiry after ten minutes: %s ms', async (_when, offsetMs, kind) => {
    const { state } = await fixture.begin(redirectUrl);
    fixture.clock.time += 10 * minuteMs + offsetMs;
    expect(await fixture.comeBack({ state, code: 'code-1' })).toMatchObject({ kind, redirectUrl });
  });

  it('is refused at the URL of another platform, and remains valid at its own', async () => {
    const { state } = await fixture.begin(redirectUrl);
    expect(await fixture.comeBack({ state, code: 'code-1' }, 'instagram')).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('another platform'),
      redirectUrl,
    });
    expect(await fixture.comeBack({ state, code: 'code-1' })).toMatchObject({ kind: 'connected' });
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
