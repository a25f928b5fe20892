import { json } from '../kit/answers.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Call, Operation, Workbench } from '../kit/types.ts';
import { killToken } from './sessions.ts';
import { nextId, type State, type User } from './state.ts';

/** A demo user as a test or the local run describes one. */
export interface UserSeed {
  readonly username: string;
  readonly name?: string;
  readonly accountType?: User['accountType'];
  readonly followers?: number;
}

/** Adds a user, or changes what is given of one; ids never change. */
export function seedUser({ ledger }: Workbench, state: State, seed: UserSeed): User {
  const known = userNamed(state, seed.username);
  const user: User = {
    igId: known?.igId ?? nextId(ledger, 'user'),
    scopedId: known?.scopedId ?? nextId(ledger, 'scoped'),
    username: seed.username,
    name: seed.name ?? known?.name ?? seed.username,
    accountType: seed.accountType ?? known?.accountType ?? 'BUSINESS',
    followers: seed.followers ?? known?.followers ?? 1200,
  };
  state.users.put(user.igId, user);
  return user;
}

/** What a test calls to play the users of Instagram. */
export function userControls(workbench: Workbench, state: State): Operation[] {
  function addUser({ fields }: Call): Answer {
    const { username, name, accountType, followers } = fields;
    if (typeof username !== 'string' || !/^[\w.]{1,30}$/.test(username))
      return refuse('username: 1 to 30 characters');
    const user = seedUser(workbench, state, {
      username,
      ...(typeof name === 'string' && { name }),
      ...((accountType === 'BUSINESS' || accountType === 'MEDIA_CREATOR') && { accountType }),
      ...(typeof followers === 'number' && { followers }),
    });
    return json(user, 201);
  }

  /** Every token issued so far is dead from now on; the user may connect again. */
  function revoke({ fields }: Call): Answer {
    const { username, subcode = 460 } = fields;
    const user = typeof username === 'string' ? userNamed(state, username) : undefined;
    if (user === undefined) return refuse('username: no such user');
    if (typeof subcode !== 'number') return refuse('subcode: a number');
    for (const { value } of state.tokens.list({ owner: user.igId })) killToken(state, value, subcode);
    return json({ ok: true });
  }

  return [
    operation('users', 'POST', '_control/users', addUser),
    operation('revoke', 'POST', '_control/revoke', revoke),
    operation('comments', 'GET', '_control/comments', () => json(state.comments.list())),
  ];
}

/** The accounts as `GET {control}/accounts` shows them. */
export function listAccounts(state: State, now: number): readonly unknown[] {
  return state.users.list().map(({ igId, scopedId, username, name, accountType, followers }) => ({
    id: igId,
    scopedId,
    username,
    name,
    accountType,
    followers,
    liveTokens: state.tokens
      .list({ owner: igId })
      .filter(({ deadSubcode, expiresAt }) => deadSubcode === undefined && expiresAt > now).length,
    subscribedFields: state.subscriptions.get(igId) ?? [],
  }));
}

function userNamed(state: State, username: string): User | undefined {
  return state.users.list().find((user) => user.username === username);
}

function refuse(error: string): Answer {
  return json({ error }, 400);
}
