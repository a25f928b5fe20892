import type { PlatformFeatures } from '../contract/features.ts';

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;

/**
 * The features that Google grants separately. Writing to a playlist needs `youtube`, `youtube.force-ssl` or
 * `youtubepartner`, and comments need `youtube.force-ssl`, so both request that one.
 * https://developers.google.com/youtube/v3/docs/commentThreads/insert,
 * https://developers.google.com/youtube/v3/docs/playlistItems/insert
 */
export const youtubeFeatures: PlatformFeatures = {
  scopes: {
    publish: [scope('youtube.upload'), scope('youtube.readonly')],
    comments: [scope('youtube.force-ssl')],
    playlists: [scope('youtube.force-ssl')],
  },
  formerScopes: [scope('youtube.upload'), scope('youtube.readonly')],
};
