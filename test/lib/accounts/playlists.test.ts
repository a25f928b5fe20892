import { playlistIdOf } from '@herald/platform-simulators/youtube/state.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listPlaylists, type PlaylistsContext } from '../../../lib/accounts/ask-platform.ts';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { playlistsReaderFor } from '../../../lib/platforms/registry/playlists.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Fixture, openFixture } from '../../contract/fixture.ts';
import { login, rowOf } from '../../contract/rows.ts';
import { openWorkspace, storeAccount } from '../../support/builders.ts';
import { type FixtureServer, serveFixtures } from '../../support/fixture-server.ts';
import { createTestTable } from '../../support/table.ts';

let fixtures: FixtureServer;
let fixture: Fixture;
let table: Table;
let account: Account;
let context: PlaylistsContext;
beforeAll(async () => {
  [fixtures, table] = await Promise.all([serveFixtures(), createTestTable()]);
});
afterAll(() => fixtures.close());
beforeEach(async () => {
  fixture = await openFixture(rowOf('youtube'), fixtures);
  const { context: base } = await openWorkspace(table);
  account = await storeAccount(table, base.workspaceId, { platform: 'youtube' });
  context = {
    ...base,
    accessToken: async () => fixture.account.tokens.accessToken,
    toolsFor: async () => fixture.tools,
    playlistsReaderFor,
  };
});
afterEach(() => fixture.close());

describe('the playlists of an account', () => {
  it('are those that the channel has now, with their privacy and size', async () => {
    expect(await listPlaylists(context, account.id)).toEqual([
      { id: playlistIdOf(login, 'Mornings'), title: 'Mornings', privacy: 'public', itemCount: 0 },
      { id: playlistIdOf(login, 'Outtakes'), title: 'Outtakes', privacy: 'unlisted', itemCount: 0 },
    ]);
  });

  it('are read page by page', async () => {
    const playlists = Array.from({ length: 120 }, (_, index) => ({ title: `Playlist ${index}` }));
    await fixture.control('users', 'POST', { username: login, playlists });
    expect(await listPlaylists(context, account.id)).toHaveLength(122);
  });

  it('are refused for an account of another platform, naming the field', async () => {
    const pinterest = await storeAccount(table, context.workspaceId, { platform: 'pinterest' });
    await expect(listPlaylists(context, pinterest.id)).rejects.toMatchObject({
      code: 'account_platform',
      message: 'id: must be a YouTube account: Pinterest has no playlists',
    });
  });

  it.each([
    ['error:authError', 'account_expired'],
    ['error:insufficientPermissions', 'account_expired'],
    ['error:503', 'platform_unavailable'],
    ['error:quotaExceeded', 'platform_unavailable'],
  ])('are refused if YouTube answers %s: %s', async (fault, code) => {
    await fixture.plan('playlists.list', fault, 9);
    await expect(listPlaylists(context, account.id)).rejects.toMatchObject({ code });
  });
});
