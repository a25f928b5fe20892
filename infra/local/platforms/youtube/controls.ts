import { json } from '../kit/answers.ts';
import { operation } from '../kit/router.ts';
import type { Answer, Call, Operation } from '../kit/types.ts';
import type { Credentials } from './credentials.ts';
import { channelIdOf, type State, type User } from './state.ts';

/** A demo user as a test or the local run describes one. */
export interface UserSeed {
  readonly username: string;
  readonly title?: string;
  /** False: a Google account without a channel. */
  readonly hasChannel?: boolean;
  readonly isVerified?: boolean;
}

/** Adds a user, or changes what is given of one; the id of a channel never changes. */
export function seedUser({ users }: State, { username, title, hasChannel, isVerified }: UserSeed): User {
  const known = users.get(username);
  const keepsChannel = hasChannel ?? (known === undefined || known.channelId !== undefined);
  const user = {
    username,
    title: title ?? known?.title ?? username,
    isVerified: isVerified ?? known?.isVerified ?? true,
    ...(keepsChannel && { channelId: channelIdOf(username) }),
  };
  users.put(username, user);
  return user;
}

/** What a test calls to play the people with Google accounts. */
export function userControls(state: State, credentials: Credentials): readonly Operation[] {
  function addUser({ fields }: Call): Answer {
    const { username, title, hasChannel, isVerified } = fields;
    if (typeof username !== 'string' || !/^[\w.-]{3,30}$/.test(username)) {
      return refuse('username: 3 to 30 characters');
    }
    const user = seedUser(state, {
      username,
      ...(typeof title === 'string' && { title }),
      ...(typeof hasChannel === 'boolean' && { hasChannel }),
      ...(typeof isVerified === 'boolean' && { isVerified }),
    });
    return json(user, 201);
  }

  /** Every token issued so far is dead from now on; the user may connect again. */
  function revoke({ fields }: Call): Answer {
    const { username } = fields;
    if (typeof username !== 'string' || state.users.get(username) === undefined) {
      return refuse('username: no such user');
    }
    credentials.revokeAll(username);
    return json({ ok: true });
  }

  return [
    operation('users', 'POST', '_control/users', addUser),
    operation('revoke', 'POST', '_control/revoke', revoke),
  ];
}

/** The accounts as `GET {control}/accounts` shows them; without a channel there is no id. */
export function listAccounts({ users }: State, credentials: Credentials): readonly unknown[] {
  return users.list().map(({ channelId, ...user }) => ({
    id: channelId ?? null,
    ...user,
    isConnected: credentials.hasLiveGrant(user.username),
  }));
}

function refuse(error: string): Answer {
  return json({ error }, 400);
}
