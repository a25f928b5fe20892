import { readPostPictureOperation } from '../../../lib/automations/operations.ts';
import { readPostPicture } from '../../../lib/automations/post-picture.ts';
import { commentPlatformFor } from '../../../lib/platforms/registry/comment-platforms.ts';
import { apiHandler } from '../../middleware/api.ts';
import { vault } from '../../wire/aws.ts';
import { toolsFor } from '../../wire/platform-tools.ts';
import { fetchPostPicture } from '../../wire/public-network.ts';
import { renderPicture, withFolder } from '../../wire/renderer.ts';

/** `GET /v1/accounts/{id}/posts/{platformPostId}/picture` */
export const build = apiHandler(
  readPostPictureOperation,
  { toolsFor, vault, fetchPicture: fetchPostPicture, render: renderPicture, withFolder },
  async ({ context, path }) => ({
    status: 200,
    body: {
      picture: await readPostPicture({ ...context, commentPlatformFor }, path.id, path.platformPostId),
    },
  }),
);
