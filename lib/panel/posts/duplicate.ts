import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import type { duplicatePostOperation } from '../../posts/request/operations.ts';
import { useSend } from '../api/hooks.ts';
import { toast } from '../components/toast-list.ts';
import type { ListedPost } from './post.ts';
import { postPaths } from './post-paths.ts';
import { strings } from './strings.ts';

interface Duplicate {
  /** @param accountIds only these destinations; all if absent */
  readonly start: (accountIds?: readonly string[]) => void;
  readonly isPending: boolean;
  readonly error: Error | null;
}

/** Makes a draft like a post, and opens it for editing. */
export function useDuplicate(post: Pick<ListedPost, 'id'>): Duplicate {
  const navigate = useNavigate();
  const send = useSend<typeof duplicatePostOperation>('POST', '/v1/posts/{id}/duplicate', postPaths);
  /** A request whose answer was lost must not make a second draft when the person tries again. */
  const kept = useRef<{ readonly of: string; readonly idempotencyKey: string }>(undefined);
  const start = (accountIds?: readonly string[]) => {
    const of = JSON.stringify([post.id, accountIds]);
    if (kept.current?.of !== of) kept.current = { of, idempotencyKey: crypto.randomUUID() };
    const { idempotencyKey } = kept.current;
    send.mutate(
      { path: { id: post.id }, body: { idempotencyKey, ...(accountIds && { accountIds: [...accountIds] }) } },
      {
        onSuccess: ({ post: { id } }) => {
          kept.current = undefined;
          toast({ text: strings.duplicated });
          void navigate({ to: '/posts/$id/edit', params: { id } });
        },
      },
    );
  };
  return { start, isPending: send.isPending, error: send.error };
}
