import { invalidField } from '../kernel/errors.ts';
import { type Platform, platformTitles } from '../platforms/contract/names.ts';
import type { Playlist, ReadPlaylists } from '../platforms/contract/playlists.ts';
import { type AskContext, askPlatform } from './ask-platform.ts';

export interface PlaylistsContext extends AskContext {
  readonly playlistsReaderFor: (platform: Platform) => ReadPlaylists | undefined;
}

/**
 * Returns the playlists of an account as the platform has them now.
 *
 * @throws HeraldError as {@link askPlatform}; `invalid` if the platform has no playlists
 */
export function listPlaylists(context: PlaylistsContext, accountId: string): Promise<Playlist[]> {
  return askPlatform(context, accountId, (platform) => {
    const read = context.playlistsReaderFor(platform);
    if (read) return read;
    throw invalidField(
      'id',
      `must be a YouTube account: ${platformTitles[platform]} has no playlists`,
      'account_platform',
    );
  });
}
