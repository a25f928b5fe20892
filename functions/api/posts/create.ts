import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { createPost } from '../../../lib/posts/create.ts';
import { createPostOperation } from '../../../lib/posts/request/operations.ts';
import { toCreatedReply } from '../../../lib/posts/view/to-view.ts';
import { apiHandler } from '../../middleware/api.ts';
import { dailyLimits } from '../../wire/daily-limits.ts';
import { logger } from '../../wire/logger.ts';
import { plainHttpHosts } from '../../wire/public-network.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';
import { stageFeatures } from '../../wire/stage-features.ts';

/** `POST /v1/posts` */
export const build = apiHandler(
  createPostOperation,
  { mediaBaseUrl, dailyLimits, stageFeatures, plainHttpHosts },
  async ({ context, body, headers, rawBody }) => {
    const created = await createPost({ ...context, rulesFor }, body, {
      idempotencyKey: headers['idempotency-key'],
      requestId: headers['x-request-id'],
      rawBody,
    });
    logger.info('a post was created', { postId: created.post.id, replayed: created.replayed });
    return toCreatedReply(created, context.mediaBaseUrl);
  },
);
