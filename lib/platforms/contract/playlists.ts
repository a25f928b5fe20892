import type { PlatformTools } from './tools.ts';

/** A playlist of an account. A live video can be added to it. */
export interface Playlist {
  readonly id: string;
  readonly title: string;
  /** The platform's own word for who can see the playlist. */
  readonly privacy: string | null;
  readonly itemCount: number | null;
}

/** Reads all playlists of an account, as the platform has them now. @throws PlatformError */
export type ReadPlaylists = (accessToken: string, tools: PlatformTools) => Promise<Playlist[]>;
