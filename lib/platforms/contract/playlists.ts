import type { PlatformTools } from './tools.ts';

/** A playlist of an account, to which a live video can be added. */
export interface Playlist {
  readonly id: string;
  readonly title: string;
  /** As the platform names it. */
  readonly privacy: string | null;
  readonly itemCount: number | null;
}

/** Reads all playlists of an account, as the platform has them now. @throws PlatformError */
export type ReadPlaylists = (accessToken: string, tools: PlatformTools) => Promise<Playlist[]>;
