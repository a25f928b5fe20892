import { json } from '../kit/answers.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Call, Operation, Workbench } from '../kit/types.ts';
import { killToken } from './sessions.ts';
import { nextId, type State, type User } from './state.ts';

/** A demo user as a test or the local run describes one. */
export interface UserSeed {
  readonly username: string;
  readonly name?: string;
}

/** Adds a user, or changes what is given of one; ids never change. */
export function seedUser({ ledger }: Workbench, state: State, seed: UserSeed): User {
  const known = userNamed(state, seed.username);
  const user = { ...known, ...seed, id: known?.id ?? nextId(ledger, 'user') };
  state.users.put(user.id, user);
  return user;
}

/** What a test calls to play the users of Threads. */
export function userControls(workbench: Workbench, state: State): Operation[] {
  function addUser({ fields }: Call): Answer {
    const { username, name } = fields;
    if (typeof username !== 'string' || !/^[\w.]{1,30}$/.test(username)) {
      return refuse('username: 1 to 30 characters');
    }
    return json(seedUser(workbench, state, { username, ...(typeof name === 'string' && { name }) }), 201);
  }

  /** Every token issued so far is dead from now on; the user may connect again. */
  function revoke({ fields }: Call): Answer {
    const { username, subcode = 460 } = fields;
    const user = typeof username === 'string' ? userNamed(state, username) : undefined;
    if (user === undefined) return refuse('username: no such user');
    if (typeof subcode !== 'number') return refuse('subcode: a number');
    for (const { value } of state.tokens.list({ owner: user.id })) killToken(state, value, subcode);
    return json({ ok: true });
  }

  function listReplies(): Answer {
    return json(state.media.list().filter(({ replyToId }) => replyToId !== undefined));
  }

  return [
    operation('users', 'POST', '_control/users', addUser),
    operation('revoke', 'POST', '_control/revoke', revoke),
    operation('replies', 'GET', '_control/replies', listReplies),
  ];
}

/** The accounts as `GET {control}/accounts` shows them. */
export function listAccounts(state: State, now: number): readonly unknown[] {
  return state.users.list().map(({ id, username, name }) => ({
    id,
    username,
    name,
    liveTokens: state.tokens
      .list({ owner: id })
      .filter(({ deadSubcode, expiresAt }) => deadSubcode === undefined && expiresAt > now).length,
  }));
}

function userNamed(state: State, username: string): User | undefined {
  return state.users.list().find((user) => user.username === username);
}

function refuse(error: string): Answer {
  return json({ error }, 400);
}
