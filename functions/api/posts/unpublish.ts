import { unpublishPostOperation } from '../../../lib/posts/operations.ts';
import { unpublishPost } from '../../../lib/posts/unpublish.ts';
import { toPostView } from '../../../lib/posts/view/to-view.ts';
import { readTagsOf } from '../../../lib/tags/store.ts';
import { apiHandler } from '../../middleware/api.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';
import { stageFeatures } from '../../wire/stage-features.ts';

/** `POST /v1/posts/{id}/unpublish` */
export const build = apiHandler(
  unpublishPostOperation,
  { mediaBaseUrl, stageFeatures },
  async ({ context, path, body }) => {
    const { post, targets } = await unpublishPost(context, path.id, body);
    return {
      status: 202,
      body: { post: toPostView(post, context.mediaBaseUrl, targets, await readTagsOf(context, [post])) },
    };
  },
);
