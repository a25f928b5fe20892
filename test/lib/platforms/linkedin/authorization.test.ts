import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { namesOf, scopesToRequest } from '../../../../lib/platforms/contract/features.ts';
import type { AccountKind } from '../../../../lib/platforms/contract/names.ts';
import type { OrganizationApp } from '../../../../lib/platforms/contract/tools.ts';
import { linkedinMemberAuthorization } from '../../../../lib/platforms/linkedin/authorization.ts';
import { type Fixture, openFixture } from '../../../contract/fixture.ts';
import { app, login, redirectUri, rowOf } from '../../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../../support/fixture-server.ts';

let fixtures: FixtureServer;
let fixture: Fixture;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());
afterEach(() => fixture.close());

async function open(as: AccountKind, more: Partial<OrganizationApp> = {}): Promise<Fixture> {
  const apps = { ...app, organization: { ...app.organization, ...more } };
  fixture = await openFixture({ ...rowOf('linkedin', as), app: apps }, fixtures);
  return fixture;
}

const scopesOf = (url: string) => new URL(url).searchParams.get('scope')?.split(' ');
const authorizationUrl = () =>
  fixture.authorization.authorizationUrl(
    {
      state: 's',
      redirectUri,
      scopes: scopesToRequest(
        fixture.authorization.featuresWith?.(fixture.tools.app) ?? fixture.authorization.features,
      ),
    },
    fixture.tools,
  );

describe('connecting a member', () => {
  it('requests no organization scopes from the app for members', async () => {
    await open('member');
    expect(scopesOf(authorizationUrl())).toEqual(['openid', 'profile', 'w_member_social']);
    expect(new URL(authorizationUrl()).searchParams.get('client_id')).toBe(app.clientId);
    expect(new URL(authorizationUrl()).searchParams.has('prompt')).toBe(false);
  });

  it('returns the member, identified by the URN that authors their posts', async () => {
    await open('member');
    expect(fixture.account).toMatchObject({
      platformAccountId: expect.stringMatching(/^urn:li:person:\w+$/),
      username: null,
      displayName: login,
      avatarUrl: expect.stringMatching(/^https:/),
      meta: { as: 'member' },
    });
  });

  it('asks to reauthorise after 60 days, without a refresh token', async () => {
    await open('member');
    const { authorization, account, tools, clock } = fixture;
    expect(Date.parse(account.tokens.expiresAt ?? '') - clock.now()).toBe(60 * 86_400_000);
    await expect(authorization.refresh(account.tokens, tools)).rejects.toMatchObject({
      remedy: 'reauthorise',
      message: expect.stringContaining('60 days'),
    });
  });
});

describe('connecting a member through the app of organizations', () => {
  const openPartner = () => open('member', { members: true });

  it('requests what members and organizations may do there, because another set would end earlier logins', async () => {
    await openPartner();
    expect(scopesOf(authorizationUrl())).toEqual([
      'r_basicprofile',
      'w_member_social',
      'w_member_social_feed',
      'w_organization_social',
      'r_organization_social',
      'rw_organization_admin',
      'w_organization_social_feed',
      'r_organization_social_feed',
    ]);
    expect(new URL(authorizationUrl()).searchParams.get('client_id')).toBe(app.organization.clientId);
  });

  it('returns the member, with the id that this app knows', async () => {
    await open('member');
    const { platformAccountId } = fixture.account;
    await fixture.close();
    await openPartner();
    expect(fixture.account).toMatchObject({
      platformAccountId: expect.stringMatching(/^urn:li:person:\w+$/),
      username: 'harbour-coffee',
      displayName: login,
      meta: { as: 'member' },
    });
    expect(fixture.account.platformAccountId).not.toBe(platformAccountId);
  });

  it('lasts a year, because this app gets refresh tokens', async () => {
    await openPartner();
    const { authorization, account, tools, clock } = fixture;
    clock.time += 50 * 86_400_000;
    const renewed = await authorization.refresh(account.tokens, tools);
    expect(renewed.accessToken).not.toBe(account.tokens.accessToken);
    expect(renewed.scopes).toEqual(account.tokens.scopes);
  });

  it('leaves the organizations of the same person connected, and the other way round', async () => {
    await open('organization', { members: true, followers: true });
    const { tools } = fixture;
    const connectAs = async (as: AccountKind) => {
      const flow = as === 'member' ? linkedinMemberAuthorization : fixture.authorization;
      const offered = flow.featuresWith?.(tools.app) ?? flow.features;
      const scopes = scopesToRequest(offered, namesOf(offered));
      const address = new URL(flow.authorizationUrl({ state: 's', redirectUri, scopes }, tools));
      for (const [name, value] of Object.entries({ login, approve: '1' }))
        address.searchParams.set(name, value);
      const sentTo = new URL((await fixture.visit(address)).headers.get('location') ?? '');
      return flow.exchange({ code: sentTo.searchParams.get('code') ?? '', redirectUri, scopes }, tools);
    };
    const [person] = await connectAs('member');
    const publisher = await fixture.publisher({ media: [] });
    expect((await publisher.publish()).warning).toBeUndefined();
    await connectAs('organization');
    expect(
      await linkedinMemberAuthorization.refresh(person?.tokens ?? fixture.account.tokens, tools),
    ).toBeDefined();
  });

  it.each([
    ['without', ['publish', 'comments']],
    ['with', ['publish', 'comments', 'insights']],
  ] as const)('requests the same scopes for members and organizations, %s numbers', async (_, chosen) => {
    await open('organization', { members: true });
    const { tools } = fixture;
    const [ofMember, ofOrganization] = [linkedinMemberAuthorization, fixture.authorization].map((flow) => {
      const scopes = scopesToRequest(flow.featuresWith?.(tools.app) ?? flow.features, chosen);
      return scopesOf(flow.authorizationUrl({ state: 's', redirectUri, scopes }, tools))?.toSorted();
    });
    expect(ofMember).toEqual(ofOrganization);
    expect(ofMember?.includes('r_member_postAnalytics')).toBe(chosen.length === 3);
  });

  it('lets the member comment, which the app of members cannot', async () => {
    await openPartner();
    const publisher = await fixture.publisher({ media: [], options: { firstComment: 'Which one?' } });
    expect((await publisher.publish()).warning).toBeUndefined();
    expect(await fixture.control('comments')).toMatchObject([{ text: 'Which one?' }]);
  });
});

describe('connecting organizations', () => {
  const member = 'north.light';
  const add = (organizations: unknown) =>
    fixture.control('users', 'POST', { username: member, organizations });

  it('requests followers only if the operator’s app may have them', async () => {
    await open('organization', { followers: true });
    expect(scopesOf(authorizationUrl())).toContain('r_organization_followers');
    expect(fixture.account.tokens.scopes).toContain('r_organization_followers');
  });

  it('uses the app for organizations', async () => {
    await open('organization');
    expect(scopesOf(authorizationUrl())).toEqual([
      'w_organization_social',
      'r_organization_social',
      'rw_organization_admin',
      'w_organization_social_feed',
      'r_organization_social_feed',
    ]);
    expect(new URL(authorizationUrl()).searchParams.get('client_id')).toBe(app.organization.clientId);
  });

  it.each(['organization', 'organizationTarget'])(
    'returns each organization that the member may post for, once (%s)',
    async (aclKey) => {
      await open('organization');
      await fixture.set({ aclKey });
      await add([
        { vanityName: 'lighthouse', name: 'The Lighthouse' },
        { vanityName: 'harbour', role: 'CONTENT_ADMIN' },
        { vanityName: 'pier', role: 'CONTENT_ADMINISTRATOR' },
        { vanityName: 'watcher', role: 'ANALYST' },
        { vanityName: 'asked', state: 'REQUESTED' },
      ]);
      const accounts = await fixture.connect({ login: member });
      expect(accounts.map(({ username }) => username)).toEqual(['lighthouse', 'harbour', 'pier']);
      expect(accounts[0]).toMatchObject({
        platformAccountId: expect.stringMatching(/^urn:li:organization:\d+$/),
        displayName: 'The Lighthouse',
        avatarUrl: expect.stringMatching(/^https:\/\/media\.licdn\.com\/dms\/image\/\d+\/logo\.png$/),
        meta: { as: 'organization' },
      });
    },
  );

  it('returns an organization without its logo if LinkedIn does not show that', async () => {
    await open('organization');
    await add([{ vanityName: 'lighthouse', name: 'The Lighthouse' }]);
    await fixture.plan('images.get', 'error:500');
    expect(await fixture.connect({ login: member })).toMatchObject([
      { displayName: 'The Lighthouse', avatarUrl: null },
    ]);
  });

  it('says what is missing if there is none', async () => {
    await open('organization');
    await add([{ vanityName: 'watcher', role: 'ANALYST' }]);
    await expect(fixture.connect({ login: member })).rejects.toMatchObject({
      remedy: 'rejected',
      message: expect.stringContaining('may not post for any organization'),
    });
  });

  it('is unavailable if the operator has not registered an app for it', async () => {
    await open('organization');
    const { clientId, clientSecret } = app;
    const tools = { ...fixture.tools, app: { clientId, clientSecret } };
    expect(() =>
      fixture.authorization.authorizationUrl({ state: 's', redirectUri, scopes: [] }, tools),
    ).toThrow(expect.objectContaining({ code: 'platform_not_configured' }));
  });

  it('refreshes tokens with either flow, until a year after the consent', async () => {
    await open('organization');
    const { account, tools, clock } = fixture;
    const refreshExpiresAt = new Date(clock.time + 365 * 86_400_000).toISOString();
    expect(account.tokens).toMatchObject({ refreshExpiresAt });
    clock.time += 30.5 * 86_400_000 + 1;
    const renewed = await linkedinMemberAuthorization.refresh(account.tokens, tools);
    expect(renewed).toMatchObject({
      refreshToken: account.tokens.refreshToken,
      refreshExpiresAt,
      scopes: account.tokens.scopes,
    });
    clock.time += 366 * 86_400_000;
    await expect(linkedinMemberAuthorization.refresh(renewed, tools)).rejects.toMatchObject({
      remedy: 'reauthorise',
    });
  });

  it("does not blame the account if the app's secret is wrong", async () => {
    await open('organization');
    const organization = { ...app.organization, clientSecret: 'another' };
    const tools = { ...fixture.tools, app: { ...app, organization } };
    await expect(fixture.authorization.refresh(fixture.account.tokens, tools)).rejects.toMatchObject({
      remedy: 'retry',
    });
  });
});
