import { Parser } from 'htmlparser2';
import { cardLimits, type LinkCard } from '../platforms/contract/link-card.ts';
import { cutText, visibleText } from '../platforms/shared/text.ts';

/** A page that is parsed while it arrives. */
export interface ParsedPage {
  /** Parses more of the page. @returns false once nothing more is needed */
  write(html: string): boolean;
  /**
   * Returns the card that the page describes: Open Graph first, then Twitter's card, then the usual elements of HTML.
   *
   * @param url the address in the text
   * @param pageUrl the address at which the page was found, after redirects
   * @returns undefined if the page has no title
   */
  card(url: string, pageUrl: string): LinkCard | undefined;
}

const titles = ['og:title', 'twitter:title'];
const descriptions = ['og:description', 'twitter:description', 'description'];
const images = ['og:image:secure_url', 'og:image:url', 'og:image', 'twitter:image', 'twitter:image:src'];
const wanted = new Set([...titles, ...descriptions, ...images]);

/**
 * The most elements to read. Heads have far fewer. The parser searches its open elements for each end tag, so a page of
 * nested elements would take it a time that grows with the square of their number.
 */
const maxElements = 1_000;
/** The most pieces of text to read: each entity is one. */
const maxTexts = 20_000;
/** Longer texts are cut before anything else is done with them. */
const longestText = 8_192;

export function parsePage(): ParsedPage {
  const found = new Map<string, string>();
  let title: string | undefined;
  let isInTitle = false;
  let base: string | undefined;
  let elements = 0;
  let texts = 0;
  let isHeadOver = false;
  const parser = new Parser({
    onopentag(name, { property, name: named, content, href }) {
      elements += 1;
      if (name === 'title' && title === undefined) {
        title = '';
        isInTitle = true;
      }
      if (name === 'base') base ??= href;
      if (name === 'body') isHeadOver = true;
      const key = (property ?? named ?? '').trim().toLowerCase();
      if (name !== 'meta' || !wanted.has(key) || found.has(key) || !content?.trim()) return;
      found.set(key, content.slice(0, longestText));
    },
    ontext(text) {
      texts += 1;
      if (isInTitle && title !== undefined && title.length < longestText) title += text;
    },
    onclosetag(name) {
      if (name === 'title') isInTitle = false;
      if (name === 'head') isHeadOver = true;
    },
  });
  const first = (names: readonly string[]) =>
    names.map((name) => found.get(name)).find((value) => value !== undefined);
  const isEnough = () => elements >= maxElements || texts >= maxTexts;
  const titleOf = () => plainText(first(titles) ?? '') || plainText(title ?? '');

  return {
    write(html) {
      // In pieces, so that a page stops soon after its last needed element.
      for (let at = 0; at < html.length && !isEnough(); at += pieceCharacters)
        parser.write(html.slice(at, at + pieceCharacters));
      return !isEnough() && !(isHeadOver && titleOf() !== '');
    },

    card(url, pageUrl) {
      const text = titleOf();
      if (text === '') return undefined;
      const description = plainText(first(descriptions) ?? '');
      const imageUrl = addressOf(first(images), base, pageUrl);
      return {
        url,
        title: shortened(text, cardLimits.title),
        ...(description !== '' && { description: shortened(description, cardLimits.description) }),
        ...(imageUrl !== undefined && { imageUrl }),
      };
    },
  };
}

const pieceCharacters = 4_096;

/**
 * Returns the text in one line, without control characters and marks that turn the direction of what follows; empty if it shows
 * nothing.
 */
const plainText = (text: string): string =>
  visibleText(
    text
      .slice(0, longestText)
      .toWellFormed()
      .replaceAll(/[\p{Cc}\s\u202a-\u202e\u2066-\u2069]+/gu, ' '),
  ) ?? '';

/** Shortens a text to a number of UTF-16 code units: a character has at most two. The text of a page must not fail a post. */
function shortened(text: string, maxUnits: number): string {
  const cut = cutText(text, maxUnits);
  return cut.length <= maxUnits ? cut : cutText(text, maxUnits / 2);
}

/** Returns the absolute https address of a picture; undefined if there is none that can be fetched. */
function addressOf(given: string | undefined, base: string | undefined, pageUrl: string): string | undefined {
  if (given === undefined) return undefined;
  const root = base === undefined ? undefined : URL.parse(base, pageUrl);
  const url = URL.parse(given.trim(), (root ?? new URL(pageUrl)).href);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  url.hash = '';
  return url.href.length <= cardLimits.address ? url.href : undefined;
}
