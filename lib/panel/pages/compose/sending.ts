import { useNavigate } from '@tanstack/react-router';
import { toast } from '../../components/toast-list.ts';
import { handOver } from '../../media/uploads.ts';
import type { Post } from '../../posts/post.ts';
import { dayIn } from '../../time.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import type { Draft } from './draft/draft.ts';
import type { Intent } from './draft/to-request.ts';
import { useKeptPosts } from './kept-draft.ts';

/** The paths of what shows posts: out of date once one is stored. */
export const postPaths: readonly string[] = [
  '/v1/posts',
  '/v1/posts/{id}',
  '/v1/posts/{id}/timeline',
  '/v1/accounts/{id}/slots',
];

/** Returns what follows once a post is stored: says so, with the way to the calendar, and leads to the post, or on with a draft. */
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

/** Lets files that are on their way to a draft arrive in the post that the draft has become. */
export function handOverUploads(draft: Draft, saved: Draft): void {
  const renamed = [
    ...draft.chain.map(({ key }, place) => [`step-${key}-`, `step-${saved.chain[place]?.key}-`] as const),
    ['', ''] as const,
  ].map(([from, to]) => [`${draft.id}/${from}`, `${saved.id}/${to}`] as const);
  handOver((owner) => {
    const [from, to] = renamed.find(([from]) => owner.startsWith(from)) ?? ['', ''];
    return `${to}${owner.slice(from.length)}`;
  });
}

/** Begins a new post with what is in a draft. Its time has to be chosen again, and its external id is that of the other post. */
export function useCopyAsNew(): (draft: Draft) => void {
  const navigate = useNavigate();
  const drafts = useKeptPosts();
  return ({ externalId: _id, isExternalIdUnique: _isUnique, ...draft }) => {
    const id = crypto.randomUUID();
    drafts.set(id, { draft: { ...draft, id, when: { kind: 'at' } }, editedAt: Date.now() });
    void navigate({ to: '/compose', search: { draft: id } });
  };
}
