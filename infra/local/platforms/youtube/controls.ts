import { json } from '../kit/answers.ts';
import { operation } from '../kit/router.ts';
import type { Operation, Workbench } from '../kit/types.ts';
import { userControls } from '../kit/user-controls.ts';
import type { Credentials } from './credentials.ts';
import type { PrivacyStatus } from './metadata.ts';
import { channelIdOf, playlistIdOf, type State, type User } from './state.ts';

export interface UserSeed {
  readonly username: string;
  readonly title?: string;
  /** False for a Google account without a channel. */
  readonly hasChannel?: boolean;
  readonly isVerified?: boolean;
  /** Default for a new user with a channel: the public `Mornings` and the unlisted `Outtakes`. */
  readonly playlists?: readonly PlaylistSeed[];
}

export interface PlaylistSeed {
  readonly title: string;
  readonly privacyStatus?: PrivacyStatus;
}

const usualPlaylists: readonly PlaylistSeed[] = [
  { title: 'Mornings' },
  { title: 'Outtakes', privacyStatus: 'unlisted' },
];

/** Adds a user, or changes the given fields of an existing one. The id of a channel never changes. */
export function seedUser(state: State, seed: UserSeed): User {
  const { users } = state;
  const { username, title, hasChannel, isVerified } = seed;
  const known = users.get(username);
  const keepsChannel = hasChannel ?? (known === undefined || known.channelId !== undefined);
  const user = {
    username,
    title: title ?? known?.title ?? username,
    isVerified: isVerified ?? known?.isVerified ?? true,
    ...(keepsChannel && { channelId: channelIdOf(username) }),
  };
  users.put(username, user);
  const playlists = seed.playlists ?? (known === undefined ? usualPlaylists : []);
  if (keepsChannel) for (const playlist of playlists) seedPlaylist(state, username, playlist);
  return user;
}

function seedPlaylist(
  { playlists }: State,
  username: string,
  { title, privacyStatus = 'public' }: PlaylistSeed,
) {
  const id = playlistIdOf(username, title);
  playlists.put(id, { id, channelId: channelIdOf(username), title, privacyStatus, createdAt: 0 });
}

/** Returns control operations that add users, revoke their grants, and list all videos: `posts` lists only what others see. */
export function youtubeControls(
  workbench: Workbench,
  state: State,
  credentials: Credentials,
): readonly Operation[] {
  const videos = operation('videos', 'GET', '_control/videos', () =>
    json(
      state.videos.list().map(({ id, channelId, metadata: { title, privacyStatus } }) => ({
        id,
        channelId,
        title,
        privacyStatus,
      })),
    ),
  );
  const ofUsers = userControls(workbench, {
    usernames: { pattern: /^[\w.-]{3,30}$/, rule: '3 to 30 letters, digits, underscores, dots or hyphens' },
    find: (username) => state.users.get(username),
    add: (username, { title, hasChannel, isVerified, playlists }) =>
      seedUser(state, {
        username,
        ...(typeof title === 'string' && { title }),
        ...(typeof hasChannel === 'boolean' && { hasChannel }),
        ...(typeof isVerified === 'boolean' && { isVerified }),
        ...(isSeedList(playlists) && { playlists }),
      }),
    revoke: ({ username }) => credentials.revokeAll(username),
  });
  return [videos, ...ofUsers];
}

function isSeedList(value: unknown): value is readonly PlaylistSeed[] {
  return Array.isArray(value) && value.every((entry) => typeof entry?.title === 'string');
}

/** Returns the accounts as `GET {control}/accounts` shows them. A user without a channel has the id null. */
export function listAccounts({ users }: State, credentials: Credentials): readonly unknown[] {
  return users.list().map(({ channelId, ...user }) => ({
    id: channelId ?? null,
    ...user,
    isConnected: credentials.hasLiveGrant(user.username),
  }));
}
