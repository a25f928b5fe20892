/**
 * Parts of the `User-Agent`, in lower case, of programs that open links without a click: for previews, indexing or
 * safety checks. List only a fetcher's own name. In-app browsers, in which people do click, also name their app
 * (`Instagram 300.0 …`, `[FBAN/FBIOS …]`, `LinkedInApp`, `Snapchat/…`).
 */
const previewAgents = [
  // Facebook, Instagram, Messenger, Threads. iMessage pretends to be the first.
  'facebookexternalhit',
  'facebookcatalog',
  'facebot',
  'meta-externalagent',
  'meta-externalfetcher',
  'meta-webindexer',
  'slackbot',
  'slack-imgproxy',
  'twitterbot',
  'telegrambot',
  'discordbot',
  'linkedinbot',
  'pinterestbot',
  'pinterest.com/bot',
  'snap url preview',
  'redditbot',
  'skypeuripreview',
  'microsoftpreview',
  'vkshare',
  'kakaotalk-scrap',
  'line-poker',
  'mattermost',
  'mastodon/',
  'bluesky cardyb',
  'iframely',
  'embedly',
  'google-read-aloud',
  'google-inspectiontool',
  'google-safety',
  'googleother',
  'google-pagerenderer',
  'googleimageproxy',
  'mediapartners-google',
  'feedfetcher-google',
  'bingpreview',
  'yahoo! slurp',
  'baiduspider',
  'bytespider',
  'claude-user',
  'chatgpt-user',
  'perplexity-user',
  'duckassistbot',
  'w3c_validator',
] as const;

/**
 * The first characters of the `User-Agent` of fetchers that begin with the app's name. The apps' browsers begin with
 * `Mozilla/5.0`.
 */
const previewBeginnings = ['whatsapp/', 'instagram ', 'viber'] as const;

/** The form of crawlers' names: `Googlebot/2.1`, `(compatible; PetalBot;+https://…)`. CUBOT is a brand of phones. */
const crawler = /(?<!cu)(?:bot|crawler|spider)(?:\/\d|;)/;

/** Returns true if a `User-Agent` names a preview fetcher or a crawler. */
export function isPreviewAgent(userAgent: string): boolean {
  const agent = userAgent.slice(0, 512).toLowerCase();
  return (
    previewAgents.some((name) => agent.includes(name)) ||
    previewBeginnings.some((name) => agent.startsWith(name)) ||
    crawler.test(agent)
  );
}

/** Returns true if the headers say that a browser loads the page before a click, which may never come. */
export function isPrefetch(headers: Readonly<Record<string, string | undefined>>): boolean {
  const purpose = `${headers['sec-purpose'] ?? ''} ${headers['purpose'] ?? ''} ${headers['x-purpose'] ?? ''} ${headers['x-moz'] ?? ''}`;
  return /prefetch|preview/i.test(purpose);
}

/** A request for a link's page. */
export interface Visit {
  readonly method: string;
  readonly userAgent: string;
  /** The headers by name in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** Returns true if a visit is a person's click, which counts. Pure. */
export function isClick({ method, userAgent, headers }: Visit): boolean {
  return method === 'GET' && !isPreviewAgent(userAgent) && !isPrefetch(headers);
}
