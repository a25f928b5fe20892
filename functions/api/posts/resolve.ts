import { resolveTargetOperation } from '../../../lib/posts/operations.ts';
import { resolveTarget } from '../../../lib/posts/resolve.ts';
import { toPostView } from '../../../lib/posts/view/to-view.ts';
import { readTagsOf } from '../../../lib/tags/store.ts';
import { apiHandler } from '../../middleware/api.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';

/** `POST /v1/posts/{id}/targets/{accountId}/resolve` */
export const build = apiHandler(
  resolveTargetOperation,
  { mediaBaseUrl },
  async ({ context, path, body, headers }) => {
    const { id, accountId } = path;
    const { post, targets } = await resolveTarget(context, id, accountId, body, headers['idempotency-key']);
    return {
      status: 200,
      body: { post: toPostView(post, context.mediaBaseUrl, targets, await readTagsOf(context, [post])) },
    };
  },
);
