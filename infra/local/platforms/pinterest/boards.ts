import type { UserToken } from '../kit/login/user-tokens.ts';
import { refuse } from './errors.ts';
import type { Board, State } from './state.ts';

/** The caller's board with this id. @throws Refusal for an invalid or foreign id, or a secret board without the scope */
export function ownBoard({ boards }: State, { username, scopes }: UserToken, id: string): Board {
  if (!/^\d+$/.test(id)) refuse('400/1', `'${id}' does not match '^\\\\d+$'`);
  const board = boards.get(id);
  if (board === undefined) return refuse('404/40');
  if (board.username !== username) refuse('403/29');
  if (board.privacy === 'SECRET' && !scopes.includes('boards:read_secret')) refuse('403/29');
  return board;
}
