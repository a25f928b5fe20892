import { json } from '../kit/answers.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Call, Operation } from '../kit/types.ts';
import { revokeTokens } from './oauth.ts';
import { openIdOf, type State, type User } from './state.ts';

/** A creator as a test or the local run describes one. */
export type UserSeed = Pick<User, 'username'> & Partial<Omit<User, 'openId'>>;

const usual = {
  isPrivate: false,
  isBanned: false,
  commentDisabled: false,
  duetDisabled: false,
  stitchDisabled: false,
  maxVideoSeconds: 600,
} as const;

/** Adds a creator, or changes what is given of one; ids never change. */
export function seedUser({ users }: State, seed: UserSeed): User {
  const { username } = seed;
  const known = users.get(username) ?? { ...usual, displayName: username };
  const user = { ...known, ...seed, openId: openIdOf(username) };
  users.put(username, user);
  return user;
}

/** What a test calls to play the creators. */
export function userControls(state: State): Operation[] {
  function addUser({ fields }: Call): Answer {
    const { username, displayName, maxVideoSeconds } = fields;
    if (typeof username !== 'string' || !/^[\w.]{2,24}$/.test(username)) {
      return refuse('username: 2 to 24 characters');
    }
    const flags = ['isPrivate', 'isBanned', 'commentDisabled', 'duetDisabled', 'stitchDisabled'];
    const given = flags.flatMap((name) => (typeof fields[name] === 'boolean' ? [[name, fields[name]]] : []));
    const seed = {
      username,
      ...Object.fromEntries(given),
      ...(typeof displayName === 'string' && { displayName }),
      ...(typeof maxVideoSeconds === 'number' && { maxVideoSeconds }),
    };
    return json(seedUser(state, seed), 201);
  }

  /** As when the person removes the app; they may connect again. */
  function revoke({ fields }: Call): Answer {
    const { username } = fields;
    if (typeof username !== 'string' || state.users.get(username) === undefined) {
      return refuse('username: no such user');
    }
    revokeTokens(state, username);
    return json({ ok: true });
  }

  return [
    operation('users', 'POST', '_control/users', addUser),
    operation('revoke', 'POST', '_control/revoke', revoke),
  ];
}

/** The accounts as `GET {control}/accounts` shows them. */
export function listAccounts({ users }: State): readonly unknown[] {
  return users.list().map(({ openId, ...user }) => ({ id: openId, ...user }));
}

function refuse(error: string): Answer {
  return json({ error }, 400);
}
