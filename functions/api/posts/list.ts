import { listPostsOperation } from '../../../lib/posts/operations.ts';
import { listPosts } from '../../../lib/posts/read.ts';
import { toPostView } from '../../../lib/posts/view.ts';
import { environment } from '../../environment.ts';
import { apiHandler } from '../../middleware/api.ts';

const { MEDIA_BASE_URL } = environment('MEDIA_BASE_URL');

/** `GET /v1/posts` */
export const handler = apiHandler(listPostsOperation, async ({ context, query }) => {
  const { posts, nextCursor } = await listPosts(context, query);
  return { status: 200, body: { posts: posts.map((post) => toPostView(post, MEDIA_BASE_URL)), nextCursor } };
});
