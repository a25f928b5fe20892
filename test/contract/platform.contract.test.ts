import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PlatformError, type Remedy } from '../../lib/platforms/contract/errors.ts';
import {
  grantedFeatures,
  namesOf,
  type PlatformFeatures,
  scopesToRequest,
} from '../../lib/platforms/contract/features.ts';
import { type FixtureServer, serveFixtures } from '../support/fixture-server.ts';
import { type Fixture, openFixture } from './fixture.ts';
import { login, redirectUri, rows } from './rows.ts';

const hostile = [
  'html',
  'half-json',
  'empty',
  'ok-with-error',
  'redirect',
  'huge-body',
  'slow-body',
  'error:500',
];

let fixtures: FixtureServer;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());

/** The scopes of all features, also of those that are requested only if an operator names them. */
const allScopes = (features: PlatformFeatures) => scopesToRequest(features, namesOf(features));

const titled = rows.map((row) => [row.as ? `${row.platform} as ${row.as}` : row.platform, row] as const);

describe.each(titled)('%s', (_title, row) => {
  const { first, after } = row.operations;
  let fixture: Fixture;
  afterEach(() => fixture.close());

  const failure = async (work: Promise<unknown>): Promise<PlatformError> => {
    const error = await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(PlatformError);
    return error as PlatformError;
  };
  const expectRemedy = async (work: Promise<unknown>, remedy: Remedy) => {
    const error = await failure(work);
    expect({ remedy: error.remedy, message: error.message }).toMatchObject({ remedy });
    return error;
  };

  describe('connecting', () => {
    beforeEach(async () => {
      fixture = await openFixture(row, fixtures);
    });

    it('gives an account whose id is text, and tokens that are valid', () => {
      const { platformAccountId, tokens } = fixture.account;
      expect(platformAccountId).toMatch(/^\S{10,}$/);
      if (row.withoutUsername === undefined) expect(fixture.account.username?.replace('@', '')).toBe(login);
      else expect(fixture.account.username).toBeNull();
      expect(tokens.scopes).toEqual(expect.arrayContaining(allScopes(fixture.authorization.features)));
      if (row.withoutRenewal === undefined) {
        expect(Date.parse(tokens.expiresAt ?? '')).toBeGreaterThan(fixture.clock.now());
      }
    });

    it('is refused if a permission was declined, and names the permission', async () => {
      const error = await expectRemedy(fixture.connect({ declined: row.scope }), 'rejected');
      expect(error.message).toContain(row.scope);
    });

    it('requests no more than publishing needs if the operator leaves every other feature out', async () => {
      const { features } = fixture.authorization;
      const [account] = await fixture.connect({}, ['publish']);
      const requested = scopesToRequest(features, ['publish']);
      expect(requested).toEqual(features.scopes.publish);
      expect(account?.tokens.scopes).toEqual(expect.arrayContaining(requested));
      const more = allScopes(features).filter((scope) => !requested.includes(scope));
      expect(account?.tokens.scopes.filter((scope) => more.includes(scope))).toEqual([]);
    });

    it('succeeds if every permission was declined that publishing does not need', async () => {
      const { features } = fixture.authorization;
      const more = allScopes(features).filter((scope) => !features.scopes.publish.includes(scope));
      const [account] = await fixture.connect({ declined: more.join(' ') });
      const expected = namesOf(features).filter((name) =>
        features.scopes[name]?.every((scope) => features.scopes.publish.includes(scope)),
      );
      expect(grantedFeatures(features, account?.tokens.scopes ?? [])).toEqual(expected);
    });

    it('works with an app that lacks a permission, if the operator leaves its feature out', async (test) => {
      const { features } = fixture.authorization;
      test.skip(row.withoutAppScopes !== undefined, row.withoutAppScopes);
      const scope = allScopes(features).find((one) => !features.scopes.publish.includes(one));
      test.skip(scope === undefined, 'no feature has a permission of its own');
      await fixture.set({ unapprovedScopes: [scope] });
      await expect(fixture.connect()).rejects.toThrow();
      expect(await fixture.connect({}, ['publish'])).toHaveLength(1);
    });

    it('accepts a code only once', async () => {
      const { address, codeVerifier } = await fixture.consent();
      const code = address.searchParams.get('code') ?? '';
      const grant = {
        code,
        redirectUri,
        scopes: [],
        ...(fixture.authorization.usesPkce && { codeVerifier }),
      };
      await fixture.authorization.exchange(grant, fixture.tools);
      await expectRemedy(fixture.authorization.exchange(grant, fixture.tools), 'rejected');
    });

    it('is refused if the code was issued for another redirect address', async () => {
      const { address, codeVerifier } = await fixture.consent();
      const code = address.searchParams.get('code') ?? '';
      const grant = { code, redirectUri: 'https://elsewhere.example/cb', scopes: [], codeVerifier };
      await expectRemedy(fixture.authorization.exchange(grant, fixture.tools), 'rejected');
    });

    it('returns the browser without a code if consent was denied', async () => {
      const { address } = await fixture.consent({ approve: '0', deny: '1' });
      expect(address.searchParams.get('error')).toBe(row.denial ?? 'access_denied');
      expect(address.searchParams.has('code')).toBe(false);
    });

    const { asksAgain } = row;
    if ('by' in asksAgain) {
      it(`asks a person again who has consented before, because of ${asksAgain.by}`, async () => {
        expect(await fixture.openAgain()).toEqual(question);
        expect(await fixture.openAgain(asksAgain.by)).toEqual(straightBack);
      });
    } else {
      it('sends a person who has consented before straight back, because no parameter prevents it', async () => {
        expect(await fixture.openAgain()).toEqual(straightBack);
      });
    }

    it('asks a person again who has removed the app', async () => {
      await fixture.control('revoke', 'POST', { username: login });
      expect(await fixture.openAgain()).toEqual(question);
    });

    it('renews tokens once they are old enough, and keeps a refresh token that does not rotate', async (test) => {
      test.skip(row.withoutRenewal !== undefined, row.withoutRenewal);
      const { authorization, tools, clock, account } = fixture;
      clock.time += authorization.renewal.minimumAgeSeconds * 1_000;
      const renewed = await authorization.refresh(account.tokens, tools);
      if (row.rotatesRefreshTokens) {
        expect(renewed.refreshToken).toEqual(expect.any(String));
        expect(renewed.refreshToken).not.toBe(account.tokens.refreshToken);
        await expectRemedy(authorization.refresh(account.tokens, tools), 'reauthorise');
      } else expect(renewed.refreshToken).toBe(account.tokens.refreshToken);
      expect(renewed.accessToken).not.toBe(account.tokens.accessToken);
      expect(Date.parse(renewed.expiresAt ?? '')).toBeGreaterThan(clock.now());
      const again = await authorization.refresh(renewed, tools).catch((error: unknown) => error);
      expect(again).not.toMatchObject({ remedy: 'reauthorise' });
    });
  });

  describe('publishing', () => {
    beforeEach(async () => {
      fixture = await openFixture(row, fixtures);
    });

    it('makes exactly this content and these bytes live, with the id and permalink that it returns', async () => {
      const publisher = await fixture.publisher();
      await publisher.prepare();
      expect(await fixture.posts()).toEqual([]);
      const livePost = await publisher.goLive();
      const finished = await publisher.finish(livePost);

      expect(finished.warning).toBeUndefined();
      const [post, ...others] = await fixture.posts();
      expect(others).toEqual([]);
      expect(post).toMatchObject({
        id: finished.post.platformPostId,
        permalink: finished.post.permalink,
        accountId: fixture.account.platformAccountId,
        content: row.content,
        media: await Promise.all(row.media.map(fileFacts)),
      });
    });

    it('may repeat every preparation step', async () => {
      const publisher = await fixture.publisher();
      const { adapter, tools } = fixture;
      let job = publisher.job;
      for (let steps = 0; steps < 60; steps += 1) {
        await adapter.prepare(job, tools);
        const step = await adapter.prepare(job, tools);
        job = { ...job, preparation: step.preparation };
        if (step.state === 'ready') break;
        if (step.state === 'waiting') fixture.clock.time += step.waitSeconds * 1_000;
        await fixture.idle();
      }
      expect(await fixture.posts()).toEqual([]);
      await adapter.goLive(job, tools);
      expect(await fixture.posts()).toHaveLength(1);
    });

    it('stores no token in the preparation', async () => {
      const publisher = await fixture.publisher();
      await publisher.prepare();
      expect(JSON.stringify(publisher.job.preparation)).not.toContain(fixture.account.tokens.accessToken);
    });

    it('reports a refused request as rejected, with the platform’s own message', async () => {
      await fixture.plan(first, `error:${row.refusal}`);
      const publisher = await fixture.publisher();
      const error = await expectRemedy(publisher.prepare(), 'rejected');
      expect(error.message).toContain(row.refusal);
      expect(error.message.length).toBeGreaterThan(row.refusal.length + 20);
    });

    it.for([first, row.lastCall])(
      'asks to reauthorise if %s finds the token expired',
      async (operation, test) => {
        test.skip(
          operation !== first && row.withoutTokenAtLastCall !== undefined,
          row.withoutTokenAtLastCall,
        );
        await fixture.plan(operation, 'expire-token');
        const publisher = await fixture.publisher();
        const error = await expectRemedy(publisher.publish(), 'reauthorise');
        expect(error.message).not.toContain(fixture.account.tokens.accessToken);
        expect(await fixture.posts()).toEqual([]);
      },
    );

    it.each([first, row.lastCall])('waits for as long as the rate limit of %s demands', async (operation) => {
      await fixture.plan(operation, 'rate-limit');
      const publisher = await fixture.publisher();
      const attempt = publisher.prepare().then(() => publisher.goLive());
      const error = await expectRemedy(attempt, 'retry');
      expect(error.retryAfterSeconds).toBeGreaterThanOrEqual(1);
      await publisher.publish();
      expect(await fixture.posts()).toHaveLength(1);
    });
  });

  describe('a hostile platform', () => {
    beforeEach(async () => {
      fixture = await openFixture(row, fixtures);
    });

    it.for(hostile)('a last call that ends in %s never leads to two posts', async (fault, test) => {
      test.skip(fault === 'half-json' && row.withoutAnswerBody !== undefined, row.withoutAnswerBody);
      const publisher = await fixture.publisher();
      await publisher.prepare();
      await fixture.plan(row.lastCall, fault);
      const error = await failure(publisher.goLive());
      expect(['unknown', 'retry']).toContain(error.remedy);
      const isLive =
        error.remedy === 'unknown'
          ? (await publisher.resume()).state === 'live'
          : (await publisher.publish()).state === 'done';
      expect(await fixture.posts()).toHaveLength(isLive ? 1 : 0);
    });

    it.each(hostile)('answering the first call with %s is retried', async (fault) => {
      await fixture.plan(first, fault);
      const publisher = await fixture.publisher();
      await publisher.publish();
      expect(await fixture.posts()).toHaveLength(1);
    });

    it.for(hostile)(
      'answering with %s after the post is live leaves the post published',
      async (fault, test) => {
        test.skip(row.withoutFinishing !== undefined, row.withoutFinishing);
        await fixture.plan(after, fault, 20);
        const publisher = await fixture.publisher();
        const { post, warning } = await publisher.publish();
        expect(post.platformPostId).toBe((await fixture.posts())[0]?.id);
        expect(warning).toEqual(expect.any(String));
      },
    );

    // New tokens may have been issued and lost, so the service must remember it.
    it.for(hostile)('answering a refresh with %s leaves its outcome open', async (fault, test) => {
      test.skip(row.withoutRefreshCall !== undefined, row.withoutRefreshCall);
      const { authorization, tools, clock, account } = fixture;
      clock.time += authorization.renewal.minimumAgeSeconds * 1_000;
      await fixture.plan('*', fault);
      await expectRemedy(authorization.refresh(account.tokens, tools), 'unknown');
    });
  });
});

/** The results of `openAgain`: if the platform asks, and if it does not. */
const question = { page: expect.stringContaining(`Allow as ${login}`) };
const straightBack = {
  sentTo: expect.objectContaining({ search: expect.stringMatching(/[?&]code=[^&]+/) }),
};

async function fileFacts(name: string) {
  const bytes = await readFile(join(import.meta.dirname, '../fixtures', name));
  return expect.objectContaining({
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
}
