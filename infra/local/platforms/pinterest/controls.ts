import { json } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import { refuseControl } from '../kit/control.ts';
import { revokeTokens } from '../kit/login/user-tokens.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { userControls } from '../kit/user-controls.ts';
import {
  type Board,
  boardIdOf,
  type Privacy,
  type State,
  sectionIdOf,
  type User,
  userIdOf,
} from './state.ts';

export interface UserSeed {
  readonly username: string;
  readonly businessName?: string;
  /** Default for a new user: `Harbour`, with the section `Mornings`, and `Recipes`. */
  readonly boards?: readonly BoardSeed[];
}

export interface BoardSeed {
  readonly name: string;
  readonly privacy?: Privacy;
  readonly isAdsOnly?: boolean;
  readonly sections?: readonly string[];
}

const usualBoards: readonly BoardSeed[] = [{ name: 'Harbour', sections: ['Mornings'] }, { name: 'Recipes' }];

/** Adds a user, or changes the given fields of an existing one. Ids never change. */
export function seedUser(state: State, { username, businessName, boards }: UserSeed): User {
  const known = state.users.get(username);
  const name = businessName ?? known?.businessName ?? null;
  const user: User = {
    username,
    id: userIdOf(username),
    businessName: name,
    accountType: name === null ? 'PINNER' : 'BUSINESS',
  };
  state.users.put(username, user);
  const wanted = boards ?? (known === undefined ? usualBoards : []);
  for (const seed of wanted) seedBoard(state, username, seed);
  return user;
}

function seedBoard({ boards }: State, username: string, seed: BoardSeed): Board {
  const id = boardIdOf(username, seed.name);
  const { name, privacy = 'PUBLIC', isAdsOnly = false, sections = [] } = seed;
  const board: Board = {
    id,
    username,
    name,
    privacy,
    isAdsOnly,
    sections: sections.map((section) => ({ id: sectionIdOf(id, section), name: section })),
  };
  boards.put(id, board);
  return board;
}

/** Returns control operations that add users, revoke their tokens, delete boards and list media. */
export function pinterestControls(workbench: Workbench, state: State): Operation[] {
  const people = userControls(workbench, {
    usernames: { pattern: /^[\w.-]{3,60}$/, rule: '3 to 60 letters, digits, underscores, dots or hyphens' },
    find: (username) => state.users.get(username),
    add(username, { businessName, boards }) {
      if (boards !== undefined && !isSeedList(boards)) {
        return refuseControl('boards must be a list of { name, privacy?, isAdsOnly?, sections? }');
      }
      const given = {
        ...(typeof businessName === 'string' && { businessName }),
        ...(boards && { boards }),
      };
      return seedUser(state, { username, ...given });
    },
    revoke: ({ username }) => revokeTokens(state, username),
  });

  /** Deletes a board, as its owner can at any time. */
  function removeBoard({ params }: Call): Answer {
    state.boards.delete(params['boardId'] ?? '');
    return json({ ok: true });
  }

  return [
    ...people,
    operation('boards', 'DELETE', '_control/boards/:boardId', removeBoard),
    operation('media', 'GET', '_control/media', () => json(state.media.list())),
  ];
}

function isSeedList(value: unknown): value is readonly BoardSeed[] {
  return (
    Array.isArray(value) &&
    value.every((entry) => typeof entry === 'object' && typeof entry?.name === 'string')
  );
}

/** Returns the answer to `GET {control}/accounts`: users and their boards. Live posts refer to these ids. */
export function listAccounts(state: State): readonly unknown[] {
  return state.users.list().map((user) => ({
    ...user,
    boards: state.boards.list({ owner: user.username }),
  }));
}
