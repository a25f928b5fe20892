import { json } from '../kit/answers.ts';
import { operation } from '../kit/router.ts';
import type { Operation, Workbench } from '../kit/types.ts';
import { userControls, userNamed } from '../kit/user-controls.ts';
import { callbackControls } from '../meta/callbacks.ts';
import { killTokens, liveTokens } from '../meta/tokens.ts';
import type { InstagramApp } from './login.ts';
import { nextId, type State, type User } from './state.ts';

/** The usernames of people and accounts. */
export const usernames = { pattern: /^[\w.]{1,30}$/, rule: '1 to 30 letters, digits, underscores or dots' };

export interface UserSeed {
  readonly username: string;
  readonly name?: string;
  readonly accountType?: User['accountType'];
  readonly followers?: number;
}

/** Adds a user, or changes the given fields of an existing one. Ids never change. */
export function seedUser({ ledger }: Workbench, state: State, seed: UserSeed): User {
  const known = userNamed(state.users, seed.username);
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

/** Returns control operations that add users, revoke their tokens, send callbacks and list comments. */
export function instagramControls(workbench: Workbench, state: State, app: InstagramApp): Operation[] {
  const find = (username: string) => userNamed(state.users, username);
  const people = userControls(workbench, {
    usernames,
    find,
    add: (username, { name, accountType, followers }) =>
      seedUser(workbench, state, {
        username,
        ...(typeof name === 'string' && { name }),
        ...((accountType === 'BUSINESS' || accountType === 'MEDIA_CREATOR') && { accountType }),
        ...(typeof followers === 'number' && { followers }),
      }),
    revoke: ({ igId }, fields) => killTokens(state.tokens, igId, fields),
  });
  const callbacks = callbackControls(workbench, {
    app,
    find,
    // The documentation does not say which of its two ids of a user Instagram sends.
    idsOf: ({ scopedId, igId }) => ({ scoped: scopedId, professional: igId }),
    secrets: {
      'Instagram app': app.secret,
      ...(app.metaSecret !== undefined && { 'Meta app': app.metaSecret }),
    },
    end: ({ igId }) => killTokens(state.tokens, igId, { subcode: 458 }),
  });
  return [
    ...people,
    ...callbacks,
    operation('comments', 'GET', '_control/comments', () => json(state.comments.list())),
  ];
}

/** Returns the accounts as `GET {control}/accounts` shows them. */
export function listAccounts(state: State, now: number): readonly unknown[] {
  return state.users.list().map(({ igId, scopedId, username, name, accountType, followers }) => ({
    id: igId,
    scopedId,
    username,
    name,
    accountType,
    followers,
    liveTokens: liveTokens(state.tokens, igId, now).length,
    subscribedFields: state.subscriptions.get(igId) ?? [],
  }));
}
