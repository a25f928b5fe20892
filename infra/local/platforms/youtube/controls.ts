import type { Operation, Workbench } from '../kit/types.ts';
import { userControls } from '../kit/user-controls.ts';
import type { Credentials } from './credentials.ts';
import { channelIdOf, type State, type User } from './state.ts';

/** A user to add. */
export interface UserSeed {
  readonly username: string;
  readonly title?: string;
  /** False for a Google account without a channel. */
  readonly hasChannel?: boolean;
  readonly isVerified?: boolean;
}

/** Adds a user, or changes the given fields of an existing one. The id of a channel never changes. */
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

/** Control operations that add users and revoke their grants. */
export function youtubeControls(
  workbench: Workbench,
  state: State,
  credentials: Credentials,
): readonly Operation[] {
  return userControls(workbench, {
    usernames: { pattern: /^[\w.-]{3,30}$/, rule: '3 to 30 letters, digits, underscores, dots or hyphens' },
    find: (username) => state.users.get(username),
    add: (username, { title, hasChannel, isVerified }) =>
      seedUser(state, {
        username,
        ...(typeof title === 'string' && { title }),
        ...(typeof hasChannel === 'boolean' && { hasChannel }),
        ...(typeof isVerified === 'boolean' && { isVerified }),
      }),
    revoke: ({ username }) => credentials.revokeAll(username),
  });
}

/** The accounts as `GET {control}/accounts` shows them. A user without a channel has the id null. */
export function listAccounts({ users }: State, credentials: Credentials): readonly unknown[] {
  return users.list().map(({ channelId, ...user }) => ({
    id: channelId ?? null,
    ...user,
    isConnected: credentials.hasLiveGrant(user.username),
  }));
}
