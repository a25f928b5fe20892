import { secondMs } from '../../kernel/clock.ts';
import type { LastCall } from '../contract/last-call.ts';

/** The tolerance for clock skew between a platform and Herald, and for timestamps without milliseconds. */
export const clockSlackMs = 30 * secondMs;

/** The tolerance for timestamps without milliseconds, with clocks that differ as usual. Our judgement. */
const timestampMs = 2 * secondMs;

/**
 * The time to look for a post that only a list can show. Our judgement: lists have been seen to lag by seconds, and no
 * platform documents a bound. So a list that does not show the post for about five minutes ends the search.
 */
export const listLookups = { readLagSeconds: 120, lookups: 3, gapSeconds: 60 } as const;

/** The number of pages to read. If the list of a busy account does not reach back to the call by then, that proves nothing. */
const maxPages = 40;

/** The reason why a listed post may be the one that a call made: it has the call's own media, or only the same text. */
export type Likeness = 'media' | 'text' | undefined;

/** The functions that recognize the post of a call in a platform's list. */
export interface Recognition<Post> {
  readonly idOf: (post: Post) => string;
  /** Returns the time at which the post was created, in epoch milliseconds; undefined or NaN if the platform does not say. */
  readonly createdMs: (post: Post) => number | undefined;
  readonly likeness: (post: Post) => Likeness;
}

/**
 * Searches a platform's list, newest post first, for the post that a last call made. Reads page by page until a page is
 * older than the call. Prefers a post with the call's own media; without one, takes the first post with the same text
 * that was made since the call, or else the last one before it, because the platform's clock may be slow. Ignores posts
 * that other targets have claimed, posts that are older than the call, and posts without a time.
 *
 * @returns the post; undefined if the list does not show it, which proves nothing
 */
export async function findListed<Post>(
  pages: AsyncIterable<readonly Post[]>,
  { sinceMs, isTaken }: Pick<LastCall, 'sinceMs' | 'isTaken'>,
  { idOf, createdMs, likeness }: Recognition<Post>,
): Promise<Post | undefined> {
  const isRecent = (post: Post) => (createdMs(post) ?? Number.NaN) >= sinceMs - clockSlackMs;
  const isSinceCall = (post: Post) => (createdMs(post) ?? Number.NaN) >= sinceMs - timestampMs;
  let sinceCall: Post | undefined;
  let beforeCall: Post | undefined;
  let pagesRead = 0;
  for await (const page of pages) {
    for (const post of page) {
      const like = isRecent(post) ? likeness(post) : undefined;
      if (like === undefined || (await isTaken(idOf(post)))) continue;
      if (like === 'media') return post;
      if (isSinceCall(post)) sinceCall = post;
      else beforeCall ??= post;
    }
    pagesRead += 1;
    // One older post is not enough: it may be pinned, and the platform may not promise the order.
    const isOlder = page.length > 0 && page.every((post) => !isRecent(post));
    if (isOlder || pagesRead === maxPages) break;
  }
  return sinceCall ?? beforeCall;
}

const urls = /(?:https?:\/\/|www\.|lnkd\.in\/)\S+/gi;

/**
 * Normalizes a text for comparison with what a platform shows. Platforms shorten links, trim, change line ends, collapse
 * whitespace and change the encoding of accents.
 */
export function comparableText(text = ''): string {
  return text.normalize('NFC').replaceAll(urls, '<url>').replaceAll(/\s+/g, ' ').trim();
}

/**
 * The hosts of the platforms' short links and redirects. LinkedIn shows some URLs with its own. The others are a
 * precaution: Meta does not promise to show a text's URLs as they were sent.
 */
const shorteners = new Set([
  'lnkd.in',
  'fb.me',
  'l.facebook.com',
  'lm.facebook.com',
  'l.instagram.com',
  'l.threads.com',
  'l.threads.net',
]);

/**
 * Returns true if a platform shows the text that was sent, apart from what platforms change: see
 * {@link comparableText}. Only a platform's own shortener can replace a URL. Any other URL makes another text.
 */
export function isSameText(shown: string | undefined, sent: string): boolean {
  if (comparableText(shown) !== comparableText(sent)) return false;
  const sentUrls = sent.match(urls) ?? [];
  return (shown?.match(urls) ?? []).every((url, index) => {
    const original = sentUrls[index] ?? '';
    return url === original || shorteners.has(hostOf(url));
  });
}

/**
 * Returns true if a post shows another page of the sent link's site. A page of another site proves nothing: the sent
 * link may redirect there, and platforms add parameters to a link.
 */
export function isOtherPage(shown: string, sent: string): boolean {
  const [shownUrl, sentUrl] = [URL.parse(shown), URL.parse(sent)];
  if (!shownUrl || !sentUrl) return false;
  const pathOf = ({ pathname }: URL) => pathname.replace(/\/+$/, '');
  return shownUrl.host === sentUrl.host && pathOf(shownUrl) !== pathOf(sentUrl);
}

function hostOf(url: string): string {
  return (
    url
      .replace(/^https?:\/\//i, '')
      .split(/[/?#]/)[0]
      ?.toLowerCase() ?? ''
  );
}
