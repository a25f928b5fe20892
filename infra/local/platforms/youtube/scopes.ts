const scope = (name: string) => `https://www.googleapis.com/auth/${name}`;

/** Scopes that let a token read channels, videos and playlists. */
export const readScopes: readonly string[] = [
  scope('youtube.readonly'),
  scope('youtube'),
  scope('youtube.force-ssl'),
];

/** Scopes that let a token upload videos and set thumbnails. */
export const uploadScopes: readonly string[] = [
  scope('youtube.upload'),
  scope('youtube'),
  scope('youtube.force-ssl'),
];

/** Scopes that let a token delete videos ("videos.delete"). */
export const manageScopes: readonly string[] = [scope('youtube'), scope('youtube.force-ssl')];

/** Scopes that let a token add videos to playlists. Discovery document of 2026-09-24, `playlistItems.insert`. */
export const playlistScopes: readonly string[] = [scope('youtube'), scope('youtube.force-ssl')];

/** The scope that lets a token read and write comments. Discovery document of 2026-09-24, `commentThreads`. */
export const commentScopes: readonly string[] = [scope('youtube.force-ssl')];

/** The scope that lets a token read reports. https://developers.google.com/youtube/analytics/reference/reports/query */
export const analyticsScopes: readonly string[] = [scope('yt-analytics.readonly')];

/** The scopes that an app may request at the consent page. */
export const knownScopes: ReadonlySet<string> = new Set([
  ...readScopes,
  ...uploadScopes,
  ...analyticsScopes,
  'openid',
  'email',
  'profile',
  scope('userinfo.email'),
  scope('userinfo.profile'),
]);
