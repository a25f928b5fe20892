import type { listAutomationsOperation } from '../../../automations/operations.ts';
import type { listPostsOperation } from '../../../posts/operations.ts';
import { useGet, usePages } from '../../api/hooks.ts';
import { useReadOn } from '../../api/use-read-on.ts';
import type { ListedPost, ListedTarget } from '../../posts/post.ts';

const path = '/v1/comment-automations';
/** The paths to read again after a change of an automation. */
export const automationPaths = [path, `${path}/{id}`, '/v1/links'] as const;

const perPage = '200';
const mostPages = 10;

/** All automations of the workspace, newest first, or those of an account. */
export function useAutomations({
  accountId,
  isEnabled = true,
}: {
  readonly accountId?: string | undefined;
  readonly isEnabled?: boolean;
} = {}) {
  const query = { limit: perPage, ...(accountId !== undefined && { accountId }) };
  const pages = usePages<typeof listAutomationsOperation>(path, { query }, { isEnabled });
  const isReading = useReadOn(pages, mostPages);
  const automations = pages.data?.pages.flatMap((page) => page.automations);
  return { pages, automations, isReading };
}

/** A live post of Herald's, where it is live. */
export interface LivePost {
  readonly post: ListedPost;
  readonly target: ListedTarget;
}

const latest = '100';
const everyMs = 60_000;

/** The latest live posts by account and the platform's id. Older posts, and those that Herald did not publish, have no words here. */
export function useLivePosts(): (accountId: string, platformPostId: string | null) => LivePost | undefined {
  const { data } = useGet<typeof listPostsOperation>(
    '/v1/posts',
    { query: { status: 'published,partial', platform: 'instagram', limit: latest } },
    { refetchEveryMs: everyMs },
  );
  const posts = data?.posts ?? [];
  const found = new Map(
    posts.flatMap((post) =>
      post.platforms.map(
        (target) => [`${target.accountId} ${target.platformPostId}`, { post, target }] as const,
      ),
    ),
  );
  return (accountId, platformPostId) => found.get(`${accountId} ${platformPostId}`);
}
