import { useNavigate } from '@tanstack/react-router';
import { toast } from '../../../components/toast-list.ts';
import type { Post } from '../../../posts/post.ts';
import { dayIn } from '../../../time.ts';
import { words } from '../../../words/words.ts';
import { useWorkspace } from '../../../workspace.tsx';
import type { Intent } from '../draft/to-request.ts';

/** The paths of what shows posts: out of date once one is stored. */
export const postPaths: readonly string[] = [
  '/v1/posts',
  '/v1/posts/{id}',
  '/v1/posts/{id}/timeline',
  '/v1/accounts/{id}/slots',
];

/** After a post was stored: says so, with the way to the calendar, and leads to the post, or on with a draft. */
export function useDone() {
  const navigate = useNavigate();
  const { timezone } = useWorkspace();
  return (
    post: Pick<Post, 'id' | 'status' | 'scheduledFor'>,
    intent: Intent,
    said: string,
    warnings: number,
  ) => {
    const { id, scheduledFor } = post;
    toast({
      text: warnings > 0 ? words.composer.done.withWarnings(said, warnings) : said,
      ...(scheduledFor !== null && {
        action: {
          label: words.composer.done.toCalendar,
          run: () =>
            void navigate({ to: '/calendar', search: { day: dayIn(new Date(scheduledFor), timezone) } }),
        },
      }),
    });
    void navigate(
      intent === 'keep'
        ? { to: '/posts/$id/edit', params: { id }, replace: true }
        : { to: '/posts/$id', params: { id } },
    );
  };
}
