import { listMediaPostsOperation } from '../../../lib/posts/operations.ts';
import { listMediaPosts } from '../../../lib/posts/stored/visible-media.ts';
import { toListedPostView } from '../../../lib/posts/view/to-view.ts';
import { apiHandler } from '../../middleware/api.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';

/** `GET /v1/media/{id}/posts` */
export const build = apiHandler(
  listMediaPostsOperation,
  { mediaBaseUrl },
  async ({ context, path, query }) => {
    const { posts, nextCursor } = await listMediaPosts(context, path.id, query);
    return {
      status: 200,
      body: { posts: posts.map((post) => toListedPostView(post, context.mediaBaseUrl)), nextCursor },
    };
  },
);
