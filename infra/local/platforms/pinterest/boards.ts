import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { refuse } from './errors.ts';
import type { Gate } from './gate.ts';
import { type Board, boardIdOf, type State, sectionIdOf, type Token } from './state.ts';

/** Finds the caller's board with this id. @throws Refusal for an invalid or foreign id, or a secret board without the scope */
export function ownBoard({ boards }: State, { username, scopes, isSandbox }: Token, id: string): Board {
  if (!/^\d+$/.test(id)) refuse('400/1', `'${id}' does not match '^\\\\d+$'`);
  const board = boards.get(id);
  if (board === undefined || (board.isSandbox ?? false) !== isSandbox) return refuse('404/40');
  if (board.username !== username) refuse('403/29');
  if (board.privacy === 'SECRET' && !scopes.includes('boards:read_secret')) refuse('403/29');
  return board;
}

const secretScopes = ['boards:read_secret', 'boards:write_secret', 'pins:read_secret', 'pins:write_secret'];

/**
 * Checks that the caller may write to a board. The descriptions of the scopes: `boards:write_secret` is "Create, update, or delete your
 * secret boards", `pins:write_secret` "Create, update, or delete your secret Pins". https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/
 *
 * @throws Refusal for a secret board without these scopes
 */
export function requireWritable({ privacy }: Board, { scopes }: Token): void {
  if (privacy === 'SECRET' && !secretScopes.every((scope) => scopes.includes(scope))) refuse('403/29');
}

/** Creates and deletes boards, and creates their sections. */
export function boardOperations({ ledger }: Workbench, state: State, gate: Gate): Operation[] {
  const { boards, pins } = state;

  /** `BoardCreate` of the OpenAPI description 5.23. Creates public boards only. */
  function createBoard(call: Call): Answer {
    const { username, isSandbox } = gate.checkCall(call, 'write', ['boards:read', 'boards:write']);
    const { name, description = null } = call.fields;
    if (typeof name !== 'string' || name === '') refuse('400/1', "Invalid request: 'name' is required");
    if (description !== null && typeof description !== 'string') {
      refuse('400/1', "Invalid request: 'description' is not a string");
    }
    const id = boardIdOf(isSandbox ? `sandbox/${username}` : username, name);
    if (boards.get(id) !== undefined) refuse('400/58');
    const board: Board = {
      id,
      username,
      name,
      description,
      privacy: 'PUBLIC',
      isAdsOnly: false,
      isSandbox,
      sections: [],
    };
    boards.put(id, board);
    return json(boardBody(board), 201);
  }

  /** `BoardSection` of the OpenAPI description 5.23: a name of 1 to 180 characters. */
  function createSection(call: Call): Answer {
    const token = gate.checkCall(call, 'write', ['boards:read', 'boards:write']);
    const board = ownBoard(state, token, call.params['boardId'] ?? '');
    const { name } = call.fields;
    if (typeof name !== 'string' || name === '' || name.length > 180) {
      refuse('400/1', 'Invalid board section parameters.');
    }
    const section = { id: sectionIdOf(board.id, name), name };
    if (board.sections.some(({ id }) => id === section.id)) refuse('409/58');
    boards.put(board.id, { ...board, sections: [...board.sections, section] });
    return json(section, 201);
  }

  /** Deletes a board and its Pins: `boards/delete` of the OpenAPI description 5.23. */
  function deleteBoard(call: Call): Answer {
    const token = gate.checkCall(call, 'write', ['boards:read', 'boards:write']);
    const { id } = ownBoard(state, token, call.params['boardId'] ?? '');
    ledger.transaction(() => {
      for (const pin of pins.list({ owner: id })) {
        pins.delete(pin.id);
        ledger.posts.delete(pin.id);
      }
      boards.delete(id);
    });
    return { status: 204 };
  }

  const api = 'api.pinterest.com/v5';
  return [
    operation('boards.delete', 'DELETE', `${api}/boards/:boardId`, deleteBoard),
    operation('boards.create', 'POST', `${api}/boards`, createBoard),
    operation('board_sections.create', 'POST', `${api}/boards/:boardId/sections`, createSection),
  ];
}

/** Returns a board as the API returns it. */
export function boardBody({ id, username, name, description = '', privacy, isAdsOnly }: Board) {
  return {
    id,
    name,
    description,
    privacy,
    owner: { username },
    is_ads_only: isAdsOnly,
    pin_count: 0,
    collaborator_count: 0,
    created_at: '2026-01-01T00:00:00',
    media: { image_cover_url: null, pin_thumbnail_urls: [] },
  };
}
