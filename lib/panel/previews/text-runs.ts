import type { Platform } from '../../platforms/contract/names.ts';

/** A part of a text, as the platform shows it. */
export interface Run {
  readonly kind: 'text' | 'hashtag' | 'mention' | 'link';
  readonly text: string;
}

type Marked = Exclude<Run['kind'], 'text'>;

/** What a platform turns into links. Captions of Instagram, TikTok and Pinterest show addresses as plain text. */
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

/** As `hashtags` and `mentions` of the platforms' text rules find them; an address ends before punctuation. */
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
