/**
 * Programs that open links nobody has clicked: to show a preview, to index the page, to look for harm. Texts that
 * stand in their `User-Agent`, in lower case. Only the fetcher's own name may stand here: an app's browser, in which
 * people click, names the app too (`Instagram 300.0 …`, `[FBAN/FBIOS …]`, `LinkedInApp`, `Snapchat/…`).
 */
const previewAgents = [
  // Facebook, Instagram, Messenger, Threads; iMessage gives itself out as the first.
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

/** Apps whose name at the very beginning tells their own fetcher: their browsers begin with `Mozilla/5.0`. */
const previewBeginnings = ['whatsapp/', 'instagram ', 'viber'] as const;

/** What crawlers call themselves: `Googlebot/2.1`, `(compatible; PetalBot;+https://…)`. A CUBOT is a telephone. */
const crawler = /(?<!cu)(?:bot|crawler|spider)(?:\/\d|;)/;

/** Whether a program that makes previews or crawls says so in its `User-Agent`. */
export function isPreviewAgent(userAgent: string): boolean {
  const agent = userAgent.slice(0, 512).toLowerCase();
  return (
    previewAgents.some((name) => agent.includes(name)) ||
    previewBeginnings.some((name) => agent.startsWith(name)) ||
    crawler.test(agent)
  );
}

/** Whether a browser says that it loads the page ahead of a click that may never come. */
export function isPrefetch(headers: Readonly<Record<string, string | undefined>>): boolean {
  const purpose = `${headers['sec-purpose'] ?? ''} ${headers['purpose'] ?? ''} ${headers['x-purpose'] ?? ''} ${headers['x-moz'] ?? ''}`;
  return /prefetch|preview/i.test(purpose);
}
