import type { PlatformFeatures } from '../contract/features.ts';

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;

const forceSsl = scope('youtube.force-ssl');

/**
 * Returns true if Herald may change and delete videos: `videos.update` and `videos.delete` need `youtube`, `youtube.force-ssl` or
 * `youtubepartner`. https://developers.google.com/youtube/v3/docs/videos/update
 *
 * @param scopes the granted scopes; absent if they are not known
 */
export const mayChangeVideos = (scopes: readonly string[] = []): boolean => scopes.includes(forceSsl);

/**
 * The features that Google grants separately. Writing to a playlist needs `youtube`, `youtube.force-ssl` or
 * `youtubepartner`, and comments and captions need `youtube.force-ssl`, so all request that one. It also allows videos to be changed.
 * https://developers.google.com/youtube/v3/docs/commentThreads/insert, https://developers.google.com/youtube/v3/docs/captions/insert,
 * https://developers.google.com/youtube/v3/docs/playlistItems/insert
 */
export const youtubeFeatures: PlatformFeatures = {
  scopes: {
    publish: [scope('youtube.upload'), scope('youtube.readonly')],
    comments: [forceSsl],
    playlists: [forceSsl],
    captions: [forceSsl],
    removal: [forceSsl],
    // `videos.list` needs no more than `youtube.readonly`, reports of the channel need the other one.
    // https://developers.google.com/youtube/analytics/reference/reports/query
    insights: [scope('youtube.readonly'), scope('yt-analytics.readonly')],
  },
  formerScopes: [scope('youtube.upload'), scope('youtube.readonly')],
};
