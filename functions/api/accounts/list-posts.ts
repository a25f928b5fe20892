import { listAccountPosts } from '../../../lib/automations/account-posts.ts';
import { listAccountPostsOperation } from '../../../lib/automations/operations.ts';
import { commentPlatformFor } from '../../../lib/platforms/registry/comment-platforms.ts';
import { apiHandler } from '../../middleware/api.ts';
import { vault } from '../../wire/aws.ts';
import { toolsFor } from '../../wire/platform-tools.ts';

/** `GET /v1/accounts/{id}/posts` */
export const build = apiHandler(
  listAccountPostsOperation,
  { toolsFor, vault },
  async ({ context, path, query }) => ({
    status: 200,
    body: await listAccountPosts({ ...context, commentPlatformFor }, path.id, query),
  }),
);
