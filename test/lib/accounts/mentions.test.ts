import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findMentions } from '../../../lib/accounts/mentions.ts';
import { Vault } from '../../../lib/accounts/vault.ts';
import { saveAccounts } from '../../../lib/connections/save-accounts.ts';
import type { AccountKind } from '../../../lib/platforms/contract/names.ts';
import { mentionPlatformFor } from '../../../lib/platforms/registry/mentions.ts';
import { type Fixture, openFixture } from '../../contract/fixture.ts';
import { app, login, rowOf } from '../../contract/rows.ts';
import { actOf } from '../../support/acts.ts';
import { storeAccount } from '../../support/builders.ts';
import { memoryDataKeys } from '../../support/data-keys.ts';
import { type FixtureServer, serveFixtures } from '../../support/fixture-server.ts';
import { createTestTable } from '../../support/table.ts';

let fixtures: FixtureServer;
let fixture: Fixture;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());
afterEach(() => fixture.close());

const workspaceId = randomUUID();
const name = 'Harbour [Museum]';

/** Connects an account beside an organization with a museum and a follower. */
async function connected(as: AccountKind, followers = false) {
  const apps = { ...app, organization: { ...app.organization, followers } };
  fixture = await openFixture({ ...rowOf('linkedin', as), app: apps }, fixtures);
  const organizations = [
    { vanityName: 'harbour-museum', name },
    { vanityName: login, follows: true },
  ];
  await fixture.control('users', 'POST', { username: 'ada.keeper', name: 'Ada Keeper', organizations });
  const { clock, authorization, tools } = fixture;
  const table = await createTestTable();
  const context = {
    ...{ table, workspaceId, cursorSecret: '', now: clock.now(), mentionPlatformFor },
    ...actOf('', 'account.read'),
    vault: new Vault(memoryDataKeys(), clock.now),
    toolsFor: async () => tools,
  };
  const ports = { ...context, publicBaseUrl: 'https://api.example', authorizationFor: () => authorization };
  // A login that requests the followers as well.
  const [account] = await fixture.connect();
  if (!account) throw new Error('no account');
  const [saved] = (await saveAccounts(ports, { workspaceId, platform: 'linkedin' }, [account])) ?? [];
  if (!saved) throw new Error('not saved');
  const find = (query: string, id = saved.id) => findMentions(context, id, query);
  return { find, table };
}

const museum = {
  kind: 'organization',
  name,
  description: 'harbour-museum',
  text: expect.stringMatching(/^@\[Harbour {2}Museum \]\(urn:li:organization:\d+\)$/),
};
const keeper = {
  kind: 'person',
  name: 'Ada Keeper',
  description: expect.any(String),
  text: expect.stringMatching(/^@\[Ada Keeper\]\(urn:li:person:\w+\)$/),
};

describe('whom a post on LinkedIn can mention', () => {
  it.each([
    ['harbour-museum', [museum]],
    ['Harbour Museum', [museum]],
    ['https://www.linkedin.com/company/harbour-museum/about/?a=b', [museum]],
    ['museum', []],
    ['a/b', []],
    ['', []],
  ])('an organization is found by its vanity name: %s', async (query, expected) => {
    const { find } = await connected('organization');
    expect(await find(query)).toEqual(expected);
  });

  it.each([
    ['kee', [keeper]],
    ['eeper', []],
  ])('a follower is found by the beginning of a name, if the app may: %s', async (query, expected) => {
    const { find } = await connected('organization', true);
    expect(await find(query)).toEqual(expected);
  });

  it('no follower is looked for by an app that may not', async () => {
    const { find } = await connected('organization');
    expect(await find('kee')).toEqual([]);
  });

  it('a member cannot look anybody up', async () => {
    const { find } = await connected('member');
    await expect(find('harbour-museum')).rejects.toMatchObject({ code: 'feature_missing' });
  });

  it('other platforms have no search', async () => {
    const { find, table } = await connected('organization');
    const { id } = await storeAccount(table, workspaceId, { platform: 'threads' });
    await expect(find('harbour-museum', id)).rejects.toMatchObject({ code: 'account_platform' });
  });

  it.each([
    ['error:503', 'platform_unavailable'],
    ['error:ACCESS_DENIED', 'account_expired'],
  ])('is refused if LinkedIn answers %s', async (fault, code) => {
    const { find } = await connected('organization');
    await fixture.plan('organizations.finder', fault, 9);
    await expect(find('harbour-museum')).rejects.toMatchObject({ code });
  });
});
