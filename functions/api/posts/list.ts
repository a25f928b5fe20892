import { listPosts } from '../../../lib/posts/list/list-posts.ts';
import { listPostsOperation } from '../../../lib/posts/operations.ts';
import { toListedPostView } from '../../../lib/posts/view/to-view.ts';
import { apiHandler } from '../../middleware/api.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';

/** `GET /v1/posts` */
export const build = apiHandler(listPostsOperation, { mediaBaseUrl }, async ({ context, query }) => {
  const { posts, nextCursor, tags } = await listPosts(context, query);
  return {
    status: 200,
    body: { posts: posts.map((post) => toListedPostView(post, context.mediaBaseUrl, tags)), nextCursor },
  };
});
