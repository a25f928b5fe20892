import { randomUUID } from 'node:crypto';
import { boardIdOf } from '@herald/platform-simulators/pinterest/state.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBoard, createSection, listBoards, listSections } from '../../../lib/accounts/boards/boards.ts';
import { CreateBoardBody } from '../../../lib/accounts/boards/operations.ts';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { findAccount } from '../../../lib/accounts/store.ts';
import { Vault } from '../../../lib/accounts/vault.ts';
import { saveAccounts } from '../../../lib/connections/save-accounts.ts';
import type { StageFeatures } from '../../../lib/platforms/contract/features.ts';
import { boardPlatformFor } from '../../../lib/platforms/registry/boards.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Fixture, openFixture } from '../../contract/fixture.ts';
import { login, rowOf } from '../../contract/rows.ts';
import { actOf } from '../../support/acts.ts';
import { memoryDataKeys } from '../../support/data-keys.ts';
import { type FixtureServer, serveFixtures } from '../../support/fixture-server.ts';
import { createTestTable } from '../../support/table.ts';

let fixtures: FixtureServer;
let fixture: Fixture;
let table: Table;
beforeAll(async () => {
  fixtures = await serveFixtures();
});
afterAll(() => fixtures.close());
beforeEach(async () => {
  [fixture, table] = await Promise.all([openFixture(rowOf('pinterest'), fixtures), createTestTable()]);
});
afterEach(() => fixture.close());

const workspaceId = randomUUID();

async function connected() {
  const { clock, authorization, tools, account } = fixture;
  const context = {
    table,
    vault: new Vault(memoryDataKeys(), clock.now),
    workspaceId,
    ...actOf('', 'board.create'),
    cursorSecret: '',
    now: clock.now(),
    toolsFor: async () => tools,
    boardPlatformFor,
    stageFeatures: {} as StageFeatures,
  };
  const ports = { ...context, publicBaseUrl: 'https://api.example', authorizationFor: () => authorization };
  const [saved] = (await saveAccounts(ports, { workspaceId, platform: 'pinterest' }, [account])) ?? [];
  if (!saved) throw new Error('not saved');
  const stored = async (): Promise<Account | undefined> => findAccount(table, workspaceId, saved.id);
  return { context, id: saved.id, stored };
}

const addBoard = (name: string, more: object = {}) =>
  fixture.control('users', 'POST', { username: login, boards: [{ name, ...more }] });
const harbour = boardIdOf(login, 'Harbour');

describe('the boards of an account', () => {
  it('are those that Pinterest has now, and `meta.boards` follows', async () => {
    const { context, id, stored } = await connected();
    await addBoard('Newer');
    await addBoard('Ads', { isAdsOnly: true });
    await addBoard('Diary', { privacy: 'SECRET' });
    const boards = await listBoards(context, id);
    expect(boards.map(({ name }) => name).sort()).toEqual(['Diary', 'Harbour', 'Newer', 'Recipes']);
    expect(boards).toContainEqual({ id: harbour, name: 'Harbour', description: '', privacy: 'PUBLIC' });
    expect(boards).toContainEqual(expect.objectContaining({ name: 'Diary', privacy: 'SECRET' }));
    const { meta } = (await stored()) ?? {};
    expect(meta).toEqual({ boards: boards.map(({ id: boardId, name }) => ({ id: boardId, name })) });
  });

  it('are read page by page', async () => {
    const { context, id } = await connected();
    const boards = Array.from({ length: 260 }, (_, index) => ({ name: `Board ${index}` }));
    await fixture.control('users', 'POST', { username: login, boards });
    expect(await listBoards(context, id)).toHaveLength(262);
  });

  it('are not created if the operator has not enabled that', async () => {
    const { context, id } = await connected();
    const without = { ...context, stageFeatures: { pinterest: ['publish'] as const } };
    const refusal = {
      code: 'feature_missing',
      fields: {
        id: ['needs the feature boards, which the operator of this service has not enabled on Pinterest'],
      },
    };
    await expect(createBoard(without, id, { name: 'Boats' })).rejects.toMatchObject(refusal);
    await expect(createSection(without, id, harbour, { name: 'Boats' })).rejects.toMatchObject(refusal);
    expect(await listBoards(without, id)).toHaveLength(2);
  });

  it('can be created, are in `meta.boards`, and take Pins', async () => {
    const { context, id, stored } = await connected();
    const board = await createBoard(context, id, { name: 'Boats', description: 'All afloat' });
    expect(board).toMatchObject({ name: 'Boats', description: 'All afloat', privacy: 'PUBLIC' });
    expect((await stored())?.meta).toMatchObject({
      boards: expect.arrayContaining([{ id: board.id, name: 'Boats' }]),
    });
    const pin = await fixture.publisher({ media: ['image.jpg'], options: { boardId: board.id } });
    await pin.publish();
    expect(await fixture.posts()).toMatchObject([{ details: { board_id: board.id } }]);
  });

  it('have sections, which can be created', async () => {
    const { context, id } = await connected();
    const section = await createSection(context, id, harbour, { name: 'Evenings' });
    expect(await listSections(context, id, harbour)).toEqual([
      { id: expect.any(String), name: 'Mornings' },
      section,
    ]);
  });
});

describe('a request about boards is refused', () => {
  it('for an unknown account, and a board that is unknown or whose id is not a number', async () => {
    const { context, id } = await connected();
    await expect(listBoards(context, randomUUID())).rejects.toMatchObject({ code: 'not_found' });
    await expect(listBoards({ ...context, workspaceId: randomUUID() }, id)).rejects.toMatchObject({
      code: 'not_found',
    });
    for (const boardId of ['12', '../pins', '']) {
      await expect(listSections(context, id, boardId)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('for an account of a platform without boards', async () => {
    const { context, id } = await connected();
    const without = { ...context, boardPlatformFor: () => undefined };
    await expect(listBoards(without, id)).rejects.toMatchObject({
      code: 'account_platform',
      message: expect.stringContaining('pinterest have no boards'),
    });
  });

  it('with the words of Pinterest if the name is taken', async () => {
    const { context, id } = await connected();
    await expect(createBoard(context, id, { name: 'Harbour' })).rejects.toMatchObject({
      code: 'platform_rejected',
      message: expect.stringContaining('already have a board'),
    });
  });

  it.each([
    ['expire-token', 'account_expired'],
    ['rate-limit', 'platform_unavailable'],
    ['error:500', 'platform_unavailable'],
    ['html', 'platform_unavailable'],
  ])('after %s as %s, and changes nothing about the account', async (fault, code) => {
    const { context, id, stored } = await connected();
    const before = await stored();
    await fixture.plan('boards.list', fault);
    await expect(listBoards(context, id)).rejects.toMatchObject({ code });
    expect(await stored()).toEqual(before);
  });

  it.each([
    ['no name', {}],
    ['an empty name', { name: '  ' }],
    ['181 characters', { name: 'a'.repeat(181) }],
    ['a description that is not a text', { name: 'a', description: 1 }],
  ])('with %s', (_what, body) => {
    expect(CreateBoardBody.safeParse(body).success).toBe(false);
  });
});
