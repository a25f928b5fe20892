import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { duplicatePostOperation } from '../../posts/request/operations.ts';
import { isUnanswered } from '../api/api-error.ts';
import { useSend } from '../api/hooks.ts';
import { toast } from '../components/toast-list.ts';
import { words } from '../words/words.ts';
import { type ListedPost, postPaths } from './post.ts';

type Copied = Pick<ListedPost, 'id' | 'content'>;

export interface DuplicateChoices {
  /** Only these destinations; all if absent. */
  readonly accountIds?: readonly string[];
  /** The time of the copy, ISO 8601; none if absent. */
  readonly scheduledFor?: string | undefined;
  /** Offers the copy for editing, instead of opening it. */
  readonly staysHere?: boolean;
}

export interface Duplicate {
  /** Makes a draft like a post. */
  readonly start: (post: Copied, choices?: DuplicateChoices) => void;
  readonly isPending: boolean;
  /** The last one that failed, until it is dismissed or another one is started. */
  readonly failed: Failed | undefined;
  readonly dismiss: () => void;
}

interface Failed {
  readonly post: Copied;
  readonly error: Error;
  readonly retry: () => void;
}

/**
 * The keys of requests that were not answered, by what they copy: a copy whose reply was lost must not be made twice when the person
 * tries again, on whatever page. Later they want another one.
 */
const kept = new Map<string, { readonly idempotencyKey: string; readonly until: number }>();
const keptMs = 600_000;

/** Makes drafts like posts, and opens them for editing. */
export function useDuplicate(): Duplicate {
  const navigate = useNavigate();
  const [failed, setFailed] = useState<Failed>();
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const { mutateAsync, isPending } = useSend<typeof duplicatePostOperation>(
    'POST',
    '/v1/posts/{id}/duplicate',
    postPaths,
  );
  const start = async (post: Copied, choices: DuplicateChoices = {}) => {
    setFailed(undefined);
    const { accountIds, scheduledFor, staysHere = false } = choices;
    const of = JSON.stringify([post.id, accountIds, scheduledFor]);
    const idempotencyKey = keyFor(of);
    try {
      const { post: copy } = await mutateAsync({
        path: { id: post.id },
        body: {
          idempotencyKey,
          ...(accountIds && { accountIds: [...accountIds] }),
          ...(scheduledFor !== undefined && { scheduledFor, isDraft: true }),
        },
      });
      kept.delete(of);
      const edit = () => void navigate({ to: '/posts/$id/edit', params: { id: copy.id } });
      // Whoever has left the page is not taken away from where they are.
      if (staysHere || !isShown.current)
        toast({ text: words.post.duplicatedHere, action: { label: words.post.editDuplicate, run: edit } });
      else {
        toast({ text: words.post.duplicated });
        edit();
      }
    } catch (caught) {
      const error = caught instanceof Error ? caught : new Error(String(caught));
      if (isShown.current) setFailed({ post, error, retry: () => void start(post, choices) });
      else toast({ text: copyFailure(error), tone: 'bad' });
    }
  };
  return {
    start: (post, choices) => void start(post, choices),
    isPending,
    failed,
    dismiss: () => setFailed(undefined),
  };
}

/** Says what a failed request to copy a post means. */
export const copyFailure = (error: Error): string =>
  isUnanswered(error) ? words.post.maybeDuplicated : words.post.notDuplicated;

function keyFor(of: string): string {
  const now = Date.now();
  const before = kept.get(of);
  const idempotencyKey =
    before !== undefined && before.until > now ? before.idempotencyKey : crypto.randomUUID();
  kept.set(of, { idempotencyKey, until: now + keptMs });
  return idempotencyKey;
}
