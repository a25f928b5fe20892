import { useEffect, useState } from 'react';
import type { listAutomationsOperation } from '../../automations/operations.ts';
import type { listMediaOperation } from '../../media/operations.ts';
import type { listPostsOperation } from '../../posts/operations.ts';
import { handleOf, nameOf } from '../accounts/account.ts';
import { platformTitles } from '../accounts/platforms.ts';
import { useAccountsById } from '../accounts/use-accounts.ts';
import { useGet } from '../api/hooks.ts';
import type { IconName } from '../components/icon.tsx';
import { excerptOf } from '../posts/post.ts';
import { canBeSearched } from '../posts/search.ts';
import { conditionOfPost, lookOf } from '../posts/state.ts';
import { formatTime, zoneName } from '../time.ts';
import { words } from '../words/words.ts';
import { useWorkspace } from '../workspace.tsx';

const texts = words.palette;

/** Begins the ids of what was found, which no command has. */
export const foundPrefix = 'found:';

/** A thing that was found, with the page that shows it. */
export interface Found {
  readonly id: string;
  readonly name: string;
  readonly note: string;
  readonly icon: IconName;
  readonly href: string;
}

export interface FoundGroup {
  readonly title: string;
  readonly found: readonly Found[];
}

export interface PaletteSearch {
  /** The words that the groups are for; empty if there are too few. */
  readonly words: string;
  readonly groups: readonly FoundGroup[];
  readonly isSearching: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

const typingMs = 250;
const fewest = 2;
const mostCharacters = 100;
const mostEach = 5;
/** The most automations of a page of the service. Older ones are in their own list. */
const newest = '200';

/** Finds posts by their words, and accounts, automations and files by their names, a moment after somebody has typed. */
export function usePaletteSearch(
  typed: string,
  matches: (name: string, words: string) => boolean,
): PaletteSearch {
  const search = typed.trim().slice(0, mostCharacters);
  const isLongEnough = [...search].length >= fewest;
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(isLongEnough ? search : ''), typingMs);
    return () => clearTimeout(timer);
  }, [search, isLongEnough]);
  const isEnabled = settled !== '';
  const once = { isEnabled, refetchEveryMs: false } as const;
  const { timezone } = useWorkspace();
  const accounts = useAccountsById();
  // `search` is not in the schemas of the lists yet.
  const query = { search: settled, limit: String(mostEach) } as Record<never, never>;
  const posts = useGet<typeof listPostsOperation>(
    '/v1/posts',
    { query },
    { ...once, isEnabled: isEnabled && canBeSearched(settled) },
  );
  const automations = useGet<typeof listAutomationsOperation>(
    '/v1/comment-automations',
    { query: { limit: newest } },
    once,
  );
  const media = useGet<typeof listMediaOperation>('/v1/media', { query }, once);
  const found = (all: readonly Found[], words: string) =>
    all.filter(({ name, note }) => matches(`${name} ${note}`, words)).slice(0, mostEach);
  const reads = [posts, automations, media];
  const foundPosts = (posts.data?.posts ?? []).slice(0, mostEach).map((post): Found => {
    const at = post.scheduledFor === null ? undefined : new Date(post.scheduledFor);
    const time = at ? `${formatTime(at, timezone, 'full')} ${zoneName(at, timezone)}` : texts.untimed;
    return {
      id: `${foundPrefix}post:${post.id}`,
      name: excerptOf(post, 70) ?? words.post.noText,
      note: `${lookOf(conditionOfPost(post)).word} · ${time}`,
      icon: 'posts',
      href: `/posts/${post.id}`,
    };
  });
  const groups: FoundGroup[] = !isEnabled
    ? []
    : [
        { title: texts.posts, found: foundPosts.length === 0 ? [] : [...foundPosts, allPosts(settled)] },
        {
          title: texts.accounts,
          found: found(
            [...(accounts?.values() ?? [])].map((account) => ({
              id: `${foundPrefix}account:${account.id}`,
              name: nameOf(account),
              note: [platformTitles[account.platform], handleOf(account)].filter(Boolean).join(' · '),
              icon: 'accounts',
              href: `/accounts/${account.id}`,
            })),
            settled,
          ),
        },
        {
          title: texts.automations,
          found: found(
            (automations.data?.automations ?? []).map(({ id, name, keywords }) => ({
              id: `${foundPrefix}automation:${id}`,
              name: name ?? (keywords.join(', ') || texts.everyComment),
              note: name === null ? '' : keywords.join(', '),
              icon: 'automations',
              href: `/automations/${id}`,
            })),
            settled,
          ),
        },
        {
          title: texts.files,
          found: (media.data?.media ?? []).slice(0, mostEach).map(({ id, filename, contentType }) => ({
            id: `${foundPrefix}file:${id}`,
            name: filename,
            note: contentType,
            icon: 'image',
            href: `/media?${new URLSearchParams({ q: filename })}`,
          })),
        },
      ];
  return {
    words: settled,
    groups: groups.filter((group) => group.found.length > 0),
    isSearching: isLongEnough && (search !== settled || reads.some(({ isLoading }) => isLoading)),
    error: reads.find(({ error, data }) => error !== null && data === undefined)?.error ?? null,
    retry: () => {
      for (const { error, refetch } of reads) if (error !== null) void refetch();
    },
  };
}

/** Leads to the page of posts, which also has those that the list of commands has no space for. */
const allPosts = (search: string): Found => ({
  id: `${foundPrefix}posts`,
  name: texts.allPosts(search),
  note: '',
  icon: 'search',
  href: `/posts?${new URLSearchParams({ q: search })}`,
});
