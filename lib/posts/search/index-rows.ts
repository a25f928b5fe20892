import * as z from 'zod';
import { sha256 } from '../../kernel/ids.ts';
import type { Item } from '../../table/items.ts';
import { postWordKey, searchedPostKey } from '../../table/keys.ts';
import { concernedAccounts, type Searched, searchDigest, searchedTexts } from './searched-texts.ts';
import { distinctWords, stemOf } from './words.ts';

/**
 * The words of a post, one row per post. It decides whether a post is found. The rows by word ({@link PostWord}) only lead to it:
 * one of them may be older than the post for a moment, or left over.
 */
export const SearchedPost = z.object({
  postId: z.string(),
  /** All words, with spaces between them. */
  words: z.string(),
  /** A {@link codeOf} each account that a key must be allowed to use to see the post, one after the other. */
  accounts: z.string(),
  /** The digest of the post's texts from which the words were taken. */
  digest: z.string(),
  /** Incremented by every write that begins a change of the rows by word. */
  revision: z.int(),
  /** The stems under which there may be rows by word; present until a change of them is done. */
  stems: z.array(z.string()).optional(),
});
export type SearchedPost = z.infer<typeof SearchedPost>;

/**
 * The words of a post that have a stem, one row per post and stem. It has what decides about a search for several words, so that
 * one query answers it. At most 1 KB for 200 usual words and ten accounts.
 */
export const PostWord = z.object({
  postId: z.string(),
  /** The words with this stem, with spaces between them. */
  words: z.string(),
  /** A {@link codeOf} each word of the post, one after the other. */
  codes: z.string(),
  accounts: z.string(),
});
export type PostWord = z.infer<typeof PostWord>;

/** Words in a row are separated by a space, which no word contains. */
export const wordsOf = (row: Pick<SearchedPost, 'words'>): string[] => row.words.split(' ');

/** The rows that a post should have. */
export interface IndexEntry {
  readonly row: Pick<SearchedPost, 'postId' | 'words' | 'accounts' | 'digest'>;
  readonly wordsByStem: ReadonlyMap<string, readonly string[]>;
}

/** Returns the rows that a post should have; `undefined` if it has no words. Pure. */
export function indexEntry(postId: string, searched: Searched): IndexEntry | undefined {
  const words = distinctWords(searchedTexts(searched));
  if (words.length === 0) return undefined;
  const accounts = concernedAccounts(searched).map(codeOf).join('');
  return {
    row: { postId, words: words.join(' '), accounts, digest: searchDigest(searched) },
    wordsByStem: Map.groupBy(words, stemOf),
  };
}

export function searchedPostItem(workspaceId: string, row: SearchedPost): Item {
  return { ...searchedPostKey(workspaceId, row.postId), kind: 'searchedPost', ...row };
}

/** Returns the rows by word of a post. */
export function postWordItems(workspaceId: string, { row, wordsByStem }: IndexEntry): Item[] {
  const { postId, accounts } = row;
  const codes = wordsOf(row).map(codeOf).join('');
  return [...wordsByStem].map(([stem, words]) => {
    const item: PostWord = { postId, words: words.join(' '), codes, accounts };
    return { ...postWordKey(workspaceId, stem, postId), kind: 'postWord', ...item };
  });
}

const codeLength = 4;

/**
 * Returns four characters that stand for a word or an id: 24 bits of its digest. Two texts with the same code only make the search
 * look at a post that it then leaves out.
 */
export const codeOf = (text: string): string =>
  Buffer.from(sha256(text).slice(0, 6), 'hex').toString('base64url');

/** Returns true if a code is among codes that are written one after the other. */
export function hasCode(codes: string, code: string): boolean {
  for (let at = codes.indexOf(code); at >= 0; at = codes.indexOf(code, at + 1))
    if (at % codeLength === 0) return true;
  return false;
}

/** Divides codes that are written one after the other. */
export const codesIn = (codes: string): string[] =>
  Array.from({ length: codes.length / codeLength }, (_, index) =>
    codes.slice(index * codeLength, (index + 1) * codeLength),
  );
