import { describe, expect, it } from 'vitest';
import { isClick, isPrefetch, isPreviewAgent } from '../../../lib/links/preview.ts';
import { cpuMsOf } from '../../support/cpu-time.ts';

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const android =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/124.0 Mobile Safari/537.36';

describe('a preview fetcher or crawler', () => {
  it.each([
    'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
    'facebookexternalhit/1.1;line-poker/1.0',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
    'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    'meta-externalfetcher/1.1',
    'Instagram 219.0.0.12.117 Android (29/10; 420dpi; 1080x2009; samsung; SM-A705FN; a70q; qcom; de_DE; 340011805)',
    'WhatsApp/2.23.20.0',
    'WhatsApp/2.2409.2 N',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Slackbot 1.0 (+https://api.slack.com/robots)',
    'Slack-ImgProxy (+https://api.slack.com/robots)',
    'Twitterbot/1.0',
    'TelegramBot (like TwitterBot)',
    'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    `${android} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
    'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
    'Mozilla/5.0 (compatible; PetalBot;+https://webmaster.petalsearch.com/site/petalbot)',
    'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
    'Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)',
    'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
    'Pinterest/0.2 (+https://www.pinterest.com/bot.html)',
    'Mozilla/5.0 (compatible; Pinterestbot/1.0; +https://www.pinterest.com/bot.html)',
    'Mozilla/5.0 (Windows NT 6.1) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
    'Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots',
    'Mozilla/5.0 (compatible; redditbot/1.0; +https://www.reddit.com/feedback)',
    'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)',
    'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    'http.rb/5.1 (Mastodon/4.2.1; +https://mastodon.social/) Bot',
    'GoogleImageProxy',
  ])('is recognized: %s', (userAgent) => {
    expect(isPreviewAgent(userAgent)).toBe(true);
  });

  it.each([
    '',
    'node',
    'curl/8.5.0',
    `${iphone} Version/17.5 Mobile/15E148 Safari/604.1`,
    android,
    // In-app browsers, in which people click.
    `${iphone} Mobile/15E148 Instagram 332.0.7.26.109 (iPhone15,3; iOS 17_5; de_DE; de; scale=3.00; 1290x2796; 600)`,
    `${android} Instagram 332.0.0.38.90 Android (34/14; 420dpi; 1080x2209; Google/google; Pixel 8; shiba; de_DE)`,
    `${iphone} Mobile/15E148 [FBAN/FBIOS;FBAV/463.0.0.30.107;FBBV/596221909;FBDV/iPhone15,3]`,
    `${android} [FB_IAB/FB4A;FBAV/463.0.0.47.109;]`,
    `${iphone} Mobile/15E148 [LinkedInApp]/9.29.7587`,
    `${iphone} Mobile/15E148 Snapchat/12.87.0.40 (like Safari/604.1)`,
    `${iphone} Mobile/15E148 [Pinterest/iOS]`,
    `${iphone} Mobile/15E148 Twitter for iPhone/10.41`,
    `${android} Line/14.6.2/IAB`,
    `${iphone} Mobile/15E148 musical_ly_34.5.0 BytedanceWebview/d8a21c6`,
    'Mozilla/5.0 (Linux; Android 11; CUBOT NOTE 20) AppleWebKit/537.36 Chrome/124.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Linux; Android 9; CUBOT; wv) AppleWebKit/537.36 Chrome/124.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/124.0 Safari/537.36 Edg/124.0',
  ])('is not %j', (userAgent) => {
    expect(isPreviewAgent(userAgent)).toBe(false);
  });

  it('is recognized quickly in long texts', () => {
    for (const text of ['bo'.repeat(50_000), '.'.repeat(100_000), 'cubot'.repeat(20_000)])
      expect(cpuMsOf(() => isPreviewAgent(text))).toBeLessThan(500);
  });
});

describe('a page that is prefetched', () => {
  it.each([
    [{ 'sec-purpose': 'prefetch' }, true],
    [{ 'sec-purpose': 'prefetch;prerender' }, true],
    [{ purpose: 'prefetch' }, true],
    [{ 'x-purpose': 'preview' }, true],
    [{ 'x-moz': 'prefetch' }, true],
    [{}, false],
    [{ purpose: 'click' }, false],
  ])('%j: %s', (headers, expected) => {
    expect(isPrefetch(headers)).toBe(expected);
  });
});

describe('a visit', () => {
  const visit = { method: 'GET', userAgent: android, headers: {} };

  it.each([
    ['is a click', visit, true],
    ['is no click if it asks for the headers only', { ...visit, method: 'HEAD' }, false],
    ['is no click of a preview fetcher', { ...visit, userAgent: 'facebookexternalhit/1.1' }, false],
    ['is no click if it is a prefetch', { ...visit, headers: { 'sec-purpose': 'prefetch' } }, false],
  ])('%s', (_what, each, counts) => {
    expect(isClick(each)).toBe(counts);
  });
});
