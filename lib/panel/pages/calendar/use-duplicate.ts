import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { duplicatePostOperation } from '../../../posts/request/operations.ts';
import { useSend } from '../../api/hooks.ts';
import { toast } from '../../components/toast-list.ts';
import type { ListedPost } from '../../posts/post.ts';
import { strings } from './strings.ts';

/** Copies posts as drafts. A copy of what is still to come keeps the time, so that it is seen beside the original. */
export function useDuplicate(now: number) {
  const navigate = useNavigate();
  const [failed, setFailed] = useState<{ readonly post: ListedPost; readonly error: Error }>();
  const send = useSend<typeof duplicatePostOperation>('POST', '/v1/posts/{id}/duplicate', ['/v1/posts']);
  const duplicate = (post: ListedPost, at: string | null) => {
    setFailed(undefined);
    const keepsTime = at !== null && Date.parse(at) > now;
    send.mutate(
      {
        path: { id: post.id },
        body: {
          idempotencyKey: crypto.randomUUID(),
          ...(keepsTime && { scheduledFor: at, isDraft: true }),
        },
      },
      {
        onSuccess: (reply) =>
          toast({
            text: strings.duplicate.done,
            action: {
              label: strings.duplicate.edit,
              run: () => void navigate({ to: '/posts/$id/edit', params: { id: reply.post.id } }),
            },
          }),
        onError: (error) => setFailed({ post, error }),
      },
    );
  };
  return { duplicate, failed, dismiss: () => setFailed(undefined) };
}
