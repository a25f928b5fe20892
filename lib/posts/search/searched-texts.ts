import { sha256 } from '../../kernel/ids.ts';
import type { Target } from '../../targets/schemas.ts';
import type { Post } from '../stored/schemas.ts';

/** The fields of a post and its targets by which the search finds it. */
export interface Searched {
  readonly post: Pick<Post, 'content' | 'chain'>;
  readonly targets: readonly Pick<Target, 'accountId' | 'content' | 'thread' | 'options'>[];
}

/** The options of platforms that are texts or titles. */
const textOptions = ['title', 'documentTitle', 'description', 'firstComment'];

/** Returns the texts of a post: its own, then titles and other texts of its destinations, then those of its chain. Pure. */
export function searchedTexts({ post, targets }: Searched): string[] {
  const ofTargets = targets.flatMap(({ content, thread = [], options }) => [
    ...textOptions.map((name) => options[name]),
    content,
    ...thread.map((part) => part.content),
  ]);
  const ofChain = (post.chain ?? []).map(({ content }) => content);
  return [...new Set([post.content, ...ofTargets, ...ofChain])].filter((text) => typeof text === 'string');
}

/** Returns the ids of all accounts on which the visibility of a post depends, in a stable order. Pure. */
export function concernedAccounts({ post, targets }: Searched): string[] {
  const ofChain = (post.chain ?? []).flatMap(({ accountIds }) => accountIds);
  return [...new Set([...targets.map(({ accountId }) => accountId), ...ofChain])].sort();
}

/** Raised by a release that divides texts into other words, so that `workspace rebuild` writes the index again. */
const edition = 1;

/** Returns a digest of all that the search finds a post by. Pure. */
export function searchDigest(searched: Searched): string {
  const parts = [edition, searchedTexts(searched), concernedAccounts(searched)];
  return sha256(JSON.stringify(parts)).slice(0, 16);
}
