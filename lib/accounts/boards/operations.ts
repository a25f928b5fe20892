import * as z from 'zod';
import { orNull } from '../../api-contract/fields.ts';
import { operation } from '../../api-contract/operation.ts';
import type { ApiRights } from '../../api-contract/rights.ts';
import { ById } from '../../api-contract/shapes.ts';

const BoardView = z
  .object({
    id: z.string().meta({ description: 'Use it as `platformSpecificData.boardId`' }),
    name: z.string(),
    description: z.string().nullable(),
    privacy: z.string().nullable().meta({
      description:
        'The platform’s value, such as `PUBLIC`. Only the account can see what is on a `SECRET` board',
    }),
  })
  .meta({ id: 'Board' });

const BoardSectionView = z
  .object({
    id: z.string().meta({ description: 'Use it as `platformSpecificData.boardSectionId`' }),
    name: z.string(),
  })
  .meta({ id: 'BoardSection' });

/**
 * The limits for names. Pinterest documents 1 to 180 characters for sections and no limit for boards; both get the same limit.
 */
const Name = z.string().trim().min(1, 'must not be empty').max(180, 'must have at most 180 characters');

export const CreateBoardBody = z
  .object({
    name: Name,
    description: orNull(z.string().max(500, 'must have at most 500 characters').optional()),
  })
  .meta({ id: 'CreateBoard' });
export type CreateBoardBody = z.output<typeof CreateBoardBody>;

export const CreateSectionBody = z.object({ name: Name }).meta({ id: 'CreateBoardSection' });
export type CreateSectionBody = z.output<typeof CreateSectionBody>;

const ByBoard = ById.extend({
  boardId: z.string().meta({ description: 'The id of a board: digits' }),
});

const refusals = {
  404: 'No such account in this workspace that the key may use, or no such board',
  409: 'The account must be connected again first',
  503: 'The platform does not answer; `Retry-After` gives the wait in seconds',
};

const rights: ApiRights = {
  reads: { GetItem: ['WORKSPACE#'] },
  tokens: ['Decrypt tokens'],
  platformSecrets: 'pinterest',
};
/** Also keeps the account's `meta.boards` up to date. */
const rightsWithMeta: ApiRights = { ...rights, writes: { UpdateItem: ['WORKSPACE#'] } };

/** A list of 2,000 boards takes eight calls, and each may take seconds. */
const timeoutSeconds = 29;

export const listBoardsOperation = operation({
  id: 'listBoards',
  handler: 'accounts/list-boards',
  verb: 'account.read',
  method: 'GET',
  path: '/v1/accounts/{id}/boards',
  summary: 'List the boards of a Pinterest account',
  description:
    'Asks Pinterest, and returns all boards that accept Pins: the secret ones too if the account has the capability `secretBoards`. Also updates the account’s `meta.boards`.',
  pathParameters: ById,
  replies: {
    200: { description: 'The boards as they are now', body: z.object({ boards: z.array(BoardView) }) },
  },
  refusals,
  rights: rightsWithMeta,
  timeoutSeconds,
});

export const createBoardOperation = operation({
  id: 'createBoard',
  handler: 'accounts/create-board',
  verb: 'board.create',
  method: 'POST',
  path: '/v1/accounts/{id}/boards',
  summary: 'Create a board on a Pinterest account',
  description:
    'Creates a public board and adds it to the account’s `meta.boards`. After a 503, list the boards before you try again: the board may exist.',
  pathParameters: ById,
  body: CreateBoardBody,
  replies: { 201: { description: 'The new board', body: z.object({ board: BoardView }) } },
  refusals,
  rights: rightsWithMeta,
  timeoutSeconds,
  settings: ['PLATFORM_FEATURES'],
});

export const listSectionsOperation = operation({
  id: 'listBoardSections',
  handler: 'accounts/list-board-sections',
  verb: 'account.read',
  method: 'GET',
  path: '/v1/accounts/{id}/boards/{boardId}/sections',
  summary: 'List the sections of a board',
  description: 'Asks Pinterest, and returns all sections of the board.',
  pathParameters: ByBoard,
  replies: {
    200: {
      description: 'The sections as they are now',
      body: z.object({ sections: z.array(BoardSectionView) }),
    },
  },
  refusals,
  rights,
  timeoutSeconds,
});

export const createSectionOperation = operation({
  id: 'createBoardSection',
  handler: 'accounts/create-board-section',
  verb: 'board.create',
  method: 'POST',
  path: '/v1/accounts/{id}/boards/{boardId}/sections',
  summary: 'Create a section of a board',
  description: 'List the sections before you try again after a 503: the section may exist.',
  pathParameters: ByBoard,
  body: CreateSectionBody,
  replies: { 201: { description: 'The new section', body: z.object({ section: BoardSectionView }) } },
  refusals,
  rights,
  timeoutSeconds,
  settings: ['PLATFORM_FEATURES'],
});
