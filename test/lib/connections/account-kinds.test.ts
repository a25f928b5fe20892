import { beforeEach, describe, expect, it } from 'vitest';
import { beginConnection } from '../../../lib/connections/begin.ts';
import { completeLogin } from '../../../lib/connections/callback.ts';
import { showChoice } from '../../../lib/connections/choose.ts';
import { leaveForPlatform } from '../../../lib/connections/introduce.ts';
import type { AccountKind } from '../../../lib/platforms/contract/names.ts';
import {
  connectable,
  type ScriptedAuthorization,
  scriptedAuthorization,
} from '../../support/authorization.ts';
import { type ConnectingFixture, openConnectingFixture } from '../../support/connecting.ts';

/** A platform with two apps, like LinkedIn. Each has its own authorization flow. */
let flows: Record<AccountKind, ScriptedAuthorization>;

let fixture: ConnectingFixture;
beforeEach(async () => {
  fixture = await openConnectingFixture();
  flows = { member: scriptedAuthorization(), organization: scriptedAuthorization() };
  flows.member.answers.exchange = async () => [connectable('urn:li:person:a', fixture.clock.time)];
  flows.organization.answers.exchange = async () =>
    ['1', '2'].map((id) => connectable(`urn:li:organization:${id}`, fixture.clock.time));
});

const context = () => ({
  ...fixture.context(),
  authorizationFor: (_platform: unknown, as: AccountKind = 'member') => flows[as],
});
/** Goes through the platform, and returns what the page to choose accounts offers. */
const connect = async (as?: AccountKind) => {
  const { state } = await beginConnection(context(), 'linkedin', as ? { as } : {});
  const visit = fixture.visit(state, {}, { platform: 'linkedin' });
  const left = await leaveForPlatform(context(), visit);
  const browserSecret = left.kind === 'continue' ? left.browserSecret : undefined;
  const answer = new URLSearchParams({ state, code: `code-of-${as}` });
  await completeLogin(context(), { platform: 'linkedin', browserSecret }, answer);
  const shown = await showChoice(context(), { ...visit, browserSecret });
  return shown.kind === 'choose' ? shown.candidates.map((each) => each.platformAccountId) : shown;
};

describe('connecting to a platform with an app for members and one for organizations', () => {
  it('offers the member by default', async () => {
    for (const as of [undefined, 'member'] as const) {
      expect(await connect(as)).toEqual(['urn:li:person:a']);
    }
    expect(flows.organization.asked).toEqual([]);
  });

  it('returns to the flow that it began with, and lets the user choose between several organizations', async () => {
    expect(await connect('organization')).toEqual(['urn:li:organization:1', 'urn:li:organization:2']);
    expect(flows.organization.asked).toEqual(['exchange code-of-organization']);
  });

  it('finishes a login that began before the operator changed the app for its kind', async () => {
    const { features } = flows.member;
    const others = { ...features, scopes: { publish: ['publish elsewhere'] } };
    let offered = features;
    Object.assign(flows.member, {
      featuresWith: () => offered,
      featuresOf: (scopes: readonly string[]) => (scopes.includes('publish') ? features : others),
    });
    flows.member.answers.exchange = async () => {
      offered = others;
      return [connectable('urn:li:person:a', fixture.clock.time)];
    };
    expect(await connect('member')).toEqual(['urn:li:person:a']);
  });

  it('rejects `as` for every other platform', async () => {
    await expect(beginConnection(context(), 'youtube', { as: 'member' })).rejects.toMatchObject({
      code: 'contradictory_fields',
      fields: { as: ['is for linkedin only'] },
    });
  });
});
