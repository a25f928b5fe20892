import { json } from '../kit/answers.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Operation, Workbench } from '../kit/types.ts';
import { userControls, userNamed } from '../kit/user-controls.ts';
import { callbackControls } from '../meta/callbacks.ts';
import type { MetaApp } from '../meta/platform.ts';
import { killTokens, liveTokens } from '../meta/tokens.ts';
import { nextId, type State, type User } from './state.ts';

export interface UserSeed {
  readonly username: string;
  readonly name?: string;
}

/** Adds a user, or changes the given fields of an existing one. Ids never change. */
export function seedUser({ ledger }: Workbench, state: State, seed: UserSeed): User {
  const known = userNamed(state.users, seed.username);
  const user = { ...known, ...seed, id: known?.id ?? nextId(ledger, 'user') };
  state.users.put(user.id, user);
  return user;
}

/** Returns control operations that add users, revoke their tokens, send callbacks and list replies. */
export function threadsControls(workbench: Workbench, state: State, app: MetaApp): Operation[] {
  const find = (username: string) => userNamed(state.users, username);
  const people = userControls(workbench, {
    usernames: { pattern: /^[\w.]{1,30}$/, rule: '1 to 30 letters, digits, underscores or dots' },
    find,
    add: (username, { name }) =>
      seedUser(workbench, state, { username, ...(typeof name === 'string' && { name }) }),
    revoke: ({ id }, fields) => killTokens(state.tokens, id, fields),
  });

  function listReplies(): Answer {
    return json(state.media.list().filter(({ replyToId }) => replyToId !== undefined));
  }

  const callbacks = callbackControls(workbench, {
    app,
    find,
    idsOf: ({ id }) => ({ user: id }),
    end: ({ id }) => killTokens(state.tokens, id, { subcode: 458 }),
  });
  return [...people, ...callbacks, operation('replies', 'GET', '_control/replies', listReplies)];
}

/** Returns the accounts as `GET {control}/accounts` shows them. */
export function listAccounts(state: State, now: number): readonly unknown[] {
  return state.users.list().map(({ id, username, name }) => ({
    id,
    username,
    name,
    liveTokens: liveTokens(state.tokens, id, now).length,
  }));
}
