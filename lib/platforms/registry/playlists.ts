import type { Platform } from '../contract/names.ts';
import type { ReadPlaylists } from '../contract/playlists.ts';
import { listPlaylists } from '../youtube/playlists.ts';

const readers: Readonly<Partial<Record<Platform, ReadPlaylists>>> = { youtube: listPlaylists };

/** Returns the reader of the playlists of the platform's accounts; undefined for a platform without playlists. */
export function playlistsReaderFor(platform: Platform): ReadPlaylists | undefined {
  return readers[platform];
}
