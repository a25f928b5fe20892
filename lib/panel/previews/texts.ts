import type { Platform } from '../../platforms/contract/names.ts';

/**
 * The part of a text that a platform shows before the reader asks for more, as we observed it: platforms fold by the width of the screen.
 */
export interface FoldRule {
  readonly characters: number;
  readonly lines: number;
}

interface Folded {
  /** The part that is shown; without white space at its end if something follows. */
  readonly shown: string;
  readonly isFolded: boolean;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** Platforms do not fold for the sake of a few characters. */
const tolerance = 1.1;

/**
 * Cuts a text where a platform folds it: after so many lines or characters, at the end of a word if one ends near, and never within an
 * emoji or a letter with its accents.
 *
 * @param lineCharacters how many characters a line of the preview has, so that long paragraphs count as several lines
 */
export function fold(text: string, { characters, lines }: FoldRule, lineCharacters = 45): Folded {
  const trimmed = text.trimEnd();
  const most = firstLines(trimmed, lines, lineCharacters);
  const isShort = most === trimmed.length && graphemeCount(trimmed, characters * tolerance);
  if (isShort) return { shown: trimmed, isFolded: false };
  const cut = atWord(trimmed.slice(0, most), characters);
  return { shown: cut.trimEnd(), isFolded: cut.length < trimmed.length };
}

/** The length of the text's first lines, in UTF-16 units. */
function firstLines(text: string, lines: number, lineCharacters: number): number {
  let left = lines;
  let end = 0;
  for (const line of text.split('\n')) {
    if (left <= 0) return Math.max(0, end - 1);
    left -= Math.max(1, Math.ceil(line.length / lineCharacters));
    end += line.length + 1;
  }
  return text.length;
}

function graphemeCount(text: string, most: number): boolean {
  if (text.length <= most) return true;
  let count = 0;
  for (const _ of graphemes.segment(text)) {
    count += 1;
    if (count > most) return false;
  }
  return true;
}

function atWord(text: string, characters: number): string {
  let kept = '';
  let count = 0;
  for (const { segment } of graphemes.segment(text)) {
    if (count === characters) {
      // A word that has just ended stays.
      if (/^\s/u.test(segment)) return kept;
      const space = kept.search(/\s\S*$/u);
      return space > kept.length * 0.7 ? kept.slice(0, space) : kept;
    }
    kept += segment;
    count += 1;
  }
  return kept;
}

/** A part of a text, as the platform shows it. */
interface Run {
  readonly kind: 'text' | 'hashtag' | 'mention' | 'link';
  readonly text: string;
}

type Marked = Exclude<Run['kind'], 'text'>;

/** The parts that a platform turns into links. Captions of Instagram, TikTok and Pinterest show addresses as plain text. */
const markedBy: Readonly<Record<Platform, readonly Marked[]>> = {
  instagram: ['hashtag', 'mention'],
  // Pages that post by the API cannot mention anyone.
  facebook: ['hashtag', 'link'],
  threads: ['hashtag', 'mention', 'link'],
  youtube: ['hashtag', 'mention', 'link'],
  pinterest: ['hashtag'],
  tiktok: ['hashtag', 'mention'],
  linkedin: ['hashtag', 'link'],
};

/** Links, hashtags and mentions, as the platforms' text rules find them; an address ends before punctuation. */
const marks =
  /(?<link>https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]}'»”’])|(?<hashtag>(?<![\p{L}\p{N}\p{M}_&/])[#\uFF03][\p{L}\p{N}\p{M}_]+)|(?<mention>(?<![\p{L}\p{N}\p{M}_.+-])@[A-Za-z0-9_][A-Za-z0-9_.]*)/gu;

/** Splits a text into what the platform marks and what it does not. Together, the runs are the text. */
export function runsOf(text: string, platform: Platform): readonly Run[] {
  const marked = markedBy[platform];
  const runs: Run[] = [];
  let plainFrom = 0;
  for (const { index, 0: found, groups = {} } of text.matchAll(marks)) {
    const kind = marked.find((each) => groups[each] !== undefined);
    if (kind === undefined || (platform === 'threads' && kind === 'hashtag' && runs.some(isHashtag)))
      continue;
    if (index > plainFrom) runs.push({ kind: 'text', text: text.slice(plainFrom, index) });
    runs.push({ kind, text: found });
    plainFrom = index + found.length;
  }
  if (plainFrom < text.length) runs.push({ kind: 'text', text: text.slice(plainFrom) });
  return runs;
}

/** Threads makes the first hashtag the topic, and shows the others as they are written. */
const isHashtag = ({ kind }: Run) => kind === 'hashtag';

/** The first address in a text, which Facebook and Threads show as a card. */
export const firstLink = (text: string): string | undefined =>
  [...text.matchAll(marks)].find(({ groups }) => groups?.['link'] !== undefined)?.[0];

/** `example.com` of `https://www.example.com/path`; the text itself if it is no address. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : address;
}
