import type { Context } from '../../api-contract/context.ts';
import { recordAct } from '../../audit/record.ts';
import { invalidField, notFound } from '../../kernel/errors.ts';
import type { Board, BoardPlatform, BoardSection } from '../../platforms/contract/boards.ts';
import type { StageFeatures } from '../../platforms/contract/features.ts';
import type { Platform } from '../../platforms/contract/names.ts';
import type { PlatformTools } from '../../platforms/contract/tools.ts';
import { lackOf } from '../capabilities.ts';
import { type PlatformAccess, withAccess } from '../platform-access.ts';
import { getAccount } from '../read.ts';
import { type Account, accountSubject } from '../schemas.ts';
import { renewMeta } from '../store.ts';
import type { CreateBoardBody, CreateSectionBody } from './operations.ts';

export interface BoardsContext extends Context, PlatformAccess {
  readonly boardPlatformFor: (platform: Platform) => BoardPlatform | undefined;
}

/** The context for creating boards and sections. */
export interface CreatingContext extends BoardsContext {
  /** The features that the operator has enabled. */
  readonly stageFeatures: StageFeatures;
}

/**
 * Returns the boards of an account as the platform has them now. Stores their names in the account's `meta.boards`.
 *
 * All four functions throw HeraldError `not_found` for an unknown account or board, `invalid` for an account of a platform
 * without boards, for creating without the feature `boards`, or if the platform refuses the request, `conflict` if the account
 * must be connected again, `unavailable` if the platform does not answer.
 */
export function listBoards(context: BoardsContext, accountId: string): Promise<Board[]> {
  return withBoards(context, accountId, async (platform, account, accessToken, tools) => {
    const boards = await platform.listBoards(accessToken, tools);
    await renewMeta(context.table, account, { boards: platform.forMeta(boards) });
    return boards;
  });
}

/**
 * Creates a board, and adds it to the account's `meta.boards`. The audit log has an entry even if the platform refuses: our
 * transaction cannot include a change at Pinterest.
 */
export function createBoard(
  context: CreatingContext,
  accountId: string,
  body: CreateBoardBody,
): Promise<Board> {
  return withBoards(context, accountId, async (platform, account, accessToken, tools) => {
    requireBoards(account, context.stageFeatures);
    await recordAct(context, accountSubject(account));
    const board = await platform.createBoard(accessToken, body, tools);
    const { boards } = account.meta;
    const known = Array.isArray(boards) ? boards : [];
    await renewMeta(context.table, account, { boards: [...known, ...platform.forMeta([board])] });
    return board;
  });
}

/** Returns the sections of one of the account's boards. */
export function listSections(
  context: BoardsContext,
  accountId: string,
  boardId: string,
): Promise<BoardSection[]> {
  return withBoards(context, accountId, (platform, _account, accessToken, tools) => {
    requireBoardId(boardId);
    return platform.listSections(accessToken, boardId, tools);
  });
}

/** Creates a section of one of the account's boards. */
export function createSection(
  context: CreatingContext,
  accountId: string,
  boardId: string,
  { name }: CreateSectionBody,
): Promise<BoardSection> {
  return withBoards(context, accountId, async (platform, account, accessToken, tools) => {
    requireBoards(account, context.stageFeatures);
    requireBoardId(boardId);
    await recordAct(context, accountSubject(account));
    return platform.createSection(accessToken, boardId, name, tools);
  });
}

async function withBoards<T>(
  context: BoardsContext,
  accountId: string,
  call: (platform: BoardPlatform, account: Account, accessToken: string, tools: PlatformTools) => Promise<T>,
): Promise<T> {
  const account = await getAccount(context, accountId);
  const platform = context.boardPlatformFor(account.platform);
  if (!platform)
    throw invalidField('id', `accounts of ${account.platform} have no boards`, 'account_platform');
  return withAccess(context, account, 'id', (accessToken, tools) =>
    call(platform, account, accessToken, tools),
  );
}

function requireBoards(account: Account, stageFeatures: StageFeatures): void {
  const lack = lackOf(account, 'boards', stageFeatures);
  if (lack !== undefined) throw invalidField('id', lack, 'feature_missing');
}

function requireBoardId(boardId: string): void {
  if (!/^\d{1,30}$/.test(boardId)) throw notFound('board');
}
