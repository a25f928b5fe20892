import { useState } from 'react';
import type { retryPostOperation } from '../../posts/operations.ts';
import { call } from '../api/client.ts';
import { useRefresh } from '../api/hooks.ts';
import { useStore } from '../api/store.ts';
import { workspaceChoice } from '../api/workspace-choice.ts';
import { Button } from '../components/button.tsx';
import { sentence } from '../components/error-notice.tsx';
import { Notice } from '../components/notice.tsx';
import { toast } from '../components/toast-list.ts';
import { words } from '../words/words.ts';
import { type ListedPost, postPaths } from './post.ts';
import { PostLink } from './post-parts.tsx';
import classes from './reason.module.css';

const texts = words.reasons.together;
/** Lists of posts may lag behind by a second. */
const lagMs = 1_500;

interface Progress {
  readonly done: number;
  readonly all: number;
}

interface Refused {
  readonly posts: readonly { readonly post: ListedPost; readonly error: Error }[];
  /** The number of those that were to be tried again. */
  readonly of: number;
}

/** Tries several posts again, one after the other, and counts them. None of them may have a destination that may be live. */
export function useRetryAll() {
  const workspaceId = useStore(workspaceChoice.store);
  const refresh = useRefresh(postPaths);
  const [progress, setProgress] = useState<Progress>();
  const [refused, setRefused] = useState<Refused>();
  const [begun, setBegun] = useState<ReadonlySet<string>>(new Set());
  const start = async (posts: readonly ListedPost[]) => {
    const found: { post: ListedPost; error: Error }[] = [];
    setRefused(undefined);
    for (const [done, post] of posts.entries()) {
      setProgress({ done, all: posts.length });
      try {
        await call<typeof retryPostOperation>(
          'POST',
          '/v1/posts/{id}/retry',
          { path: { id: post.id } },
          { workspaceId },
        );
        setBegun((before) => new Set([...before, versionOf(post)]));
      } catch (error) {
        found.push({ post, error: error as Error });
      }
    }
    setProgress(undefined);
    setRefused(found.length > 0 ? { posts: found, of: posts.length } : undefined);
    if (found.length < posts.length) toast({ text: texts.begun(posts.length - found.length) });
    // What shows the rest may be gone by then.
    if (found.length > 0) toast({ text: texts.notAll(found.length, posts.length), tone: 'bad' });
    refresh();
    setTimeout(refresh, lagMs);
  };
  return {
    start: (posts: readonly ListedPost[]) => void start(posts),
    progress,
    refused,
    /** True if the post was tried again, and a list still shows it as it was before. */
    isBegun: (post: ListedPost) => begun.has(versionOf(post)),
  };
}

const versionOf = ({ id, updatedAt }: ListedPost): string => `${id} ${updatedAt}`;

type RetryingAll = ReturnType<typeof useRetryAll>;

interface RetryAllProps {
  posts: readonly ListedPost[];
  retrying: RetryingAll;
  size?: 'small';
}

/** The button that tries all again. */
export function RetryAllButton({ posts, retrying, size }: RetryAllProps) {
  const left = posts.filter((post) => !retrying.isBegun(post));
  if (left.length === 0 && retrying.progress === undefined) return null;
  return (
    <Button
      {...(size && { size })}
      icon="refresh"
      isPending={retrying.progress !== undefined}
      onPress={() => retrying.start(left)}
    >
      {texts.tryAll(left.length)}
    </Button>
  );
}

/** Shows the progress of a job, then the posts that were refused, with their reasons. */
export function RetryAllResult({ retrying: { progress, refused } }: { retrying: RetryingAll }) {
  return (
    <>
      <p role="status">{progress && texts.progress(progress.done, progress.all)}</p>
      {refused && (
        <Notice tone="bad" title={texts.notAll(refused.posts.length, refused.of)} isLive>
          <ul className={classes.posts}>
            {refused.posts.map(({ post, error }) => (
              <li key={post.id}>
                <PostLink post={post} characters={40} />: {sentence(error.message)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}
