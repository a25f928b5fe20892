import { useEffect, useRef, useState } from 'react';
import type { readPostOperation, removePostOperation, retryPostOperation } from '../../posts/operations.ts';
import type { editPostOperation } from '../../posts/request/operations.ts';
import { isNotFound } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { useRefresh } from '../api/hooks.ts';
import { toast } from '../components/toast-list.ts';
import { words } from '../words/words.ts';
import { useWorkspace } from '../workspace.tsx';
import {
  type BulkAction,
  type BulkResult,
  changeTo,
  type Distance,
  runEach,
  shifted,
  timesOf,
} from './bulk.ts';
import type { Change } from './move.ts';
import { type ListedPost, type Post, postPaths } from './post.ts';
import { foldTag, tagsPath } from './tags.ts';

const texts = words.bulk.job;

export type JobKind = BulkAction | 'undo';

export interface Job {
  readonly kind: JobKind;
  readonly done: number;
  readonly all: number;
  readonly isStopping: boolean;
}

export interface Outcome extends Pick<BulkResult<unknown>, 'refused' | 'left'> {
  readonly kind: JobKind;
  readonly worked: number;
}

/** A post after an action: as the service answered, or gone. */
type After = ListedPost | 'gone';

const changed = [...postPaths, tagsPath];

export interface Bulk {
  /** The action that is being done. */
  readonly job: Job | undefined;
  /** The last one that was not done to all, until it is dismissed or another one begins. */
  readonly outcome: Outcome | undefined;
  readonly dismiss: () => void;
  readonly stop: () => void;
  readonly move: (posts: readonly ListedPost[], distance: Distance) => void;
  readonly retry: (posts: readonly ListedPost[]) => void;
  readonly remove: (posts: readonly ListedPost[]) => void;
  readonly tag: (posts: readonly ListedPost[], change: TagChange) => void;
  /** The posts of a list with what was changed since it was read. */
  readonly overlay: (posts: readonly ListedPost[]) => readonly ListedPost[];
}

export interface TagChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/**
 * Does something to several posts, one job after the other. A job goes on if the page is left; then it says in a toast how it ended.
 *
 * @param onSettled gets the posts that are to stay selected
 */
export function useBulk(onSettled: (rest: readonly ListedPost[]) => void): Bulk {
  const { id: workspaceId, timezone } = useWorkspace();
  const refresh = useRefresh(changed);
  const [job, setJob] = useState<Job>();
  const [outcome, setOutcome] = useState<Outcome>();
  const [after, setAfter] = useState<ReadonlyMap<string, After>>(new Map());
  const stopper = useRef<AbortController>(undefined);
  const last = useRef<Promise<void>>(Promise.resolve());
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);

  const begin = <Result extends After | undefined>(
    kind: JobKind,
    posts: readonly ListedPost[],
    act: (post: ListedPost) => Promise<Result>,
    undo?: (worked: BulkResult<Result>['worked']) => void,
  ) => {
    const run = async () => {
      const controller = new AbortController();
      stopper.current = controller;
      setOutcome(undefined);
      setJob({ kind, done: 0, all: posts.length, isStopping: false });
      const { worked, refused, left } = await runEach(posts, act, {
        signal: controller.signal,
        onProgress: (done) => setJob((before) => before && { ...before, done }),
      });
      setJob(undefined);
      setAfter((before) => {
        const next = new Map(before);
        for (const { post, result } of worked) if (result !== undefined) next.set(post.id, result);
        return next;
      });
      refresh();
      if (worked.length > 0)
        toast({
          text: texts.worked[kind](worked.length),
          ...(undo && { action: { label: words.shared.toasts.undo, run: () => undo(worked) } }),
        });
      const rest = [...refused.map(({ post }) => post), ...left];
      if (isShown.current) {
        if (rest.length > 0) setOutcome({ kind, worked: worked.length, refused, left });
        onSettled(rest);
      } else if (rest.length > 0) toast({ text: texts.notWorked[kind](rest.length), tone: 'bad' });
    };
    last.current = last.current.then(run);
  };

  const edit = async (post: ListedPost, body: Change): Promise<Post> =>
    (
      await call<typeof editPostOperation>(
        'PATCH',
        '/v1/posts/{id}',
        { path: { id: post.id }, body },
        { workspaceId },
      )
    ).post;

  return {
    job,
    outcome,
    dismiss: () => setOutcome(undefined),
    stop: () => {
      stopper.current?.abort();
      setJob((before) => before && { ...before, isStopping: true });
    },
    move: (posts, distance) =>
      begin(
        'move',
        posts,
        async (post) => {
          const times = shifted(post, distance, timezone, Date.now());
          if (times === 'same') return post;
          if (times === 'past') throw new Error(words.moving.pastField);
          const path = { id: post.id };
          const whole =
            times.others.size === 0
              ? undefined
              : (await call<typeof readPostOperation>('GET', '/v1/posts/{id}', { path }, { workspaceId }))
                  .post;
          return edit(post, changeTo(times, post, whole));
        },
        (worked) => {
          const before = new Map(worked.map(({ post }) => [post.id, timesOf(post)]));
          begin(
            'undo',
            worked.map(({ result }) => result),
            async (post) => {
              const times = before.get(post.id);
              // The service has answered with the whole post.
              return times === undefined ? post : edit(post, changeTo(times, post, post as Post));
            },
          );
        },
      ),
    retry: (posts) =>
      begin('retry', posts, async (post) => {
        const path = { id: post.id };
        return (
          await call<typeof retryPostOperation>('POST', '/v1/posts/{id}/retry', { path }, { workspaceId })
        ).post;
      }),
    remove: (posts) =>
      begin('remove', posts, async (post) => {
        try {
          const path = { id: post.id };
          await call<typeof removePostOperation>('DELETE', '/v1/posts/{id}', { path }, { workspaceId });
        } catch (error) {
          // Gone already, such as after a request whose reply was lost.
          if (!isNotFound(error)) throw error;
        }
        return 'gone';
      }),
    tag: (posts, { added, removed }) =>
      begin('tag', posts, async (post) => {
        const before = post.tags;
        const has = new Set(before.map(foldTag));
        const tags = [...before, ...added.filter((name) => !has.has(foldTag(name)))].filter(
          (name) => !removed.includes(name),
        );
        const isSame = tags.length === before.length && tags.every((name) => before.includes(name));
        return isSame ? post : edit(post, { tags });
      }),
    overlay: (posts) =>
      after.size === 0
        ? posts
        : posts.flatMap((post) => {
            const own = after.get(post.id);
            if (own === 'gone') return [];
            return own !== undefined && own.updatedAt > post.updatedAt ? own : post;
          }),
  };
}
