import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { createPost } from '../../../lib/posts/create.ts';
import { createPostOperation } from '../../../lib/posts/request/operations.ts';
import { dryRunPost } from '../../../lib/posts/validate.ts';
import { toCreatedReply, toDryRunReply } from '../../../lib/posts/view/to-view.ts';
import { readTagsOf } from '../../../lib/tags/store.ts';
import { apiHandler } from '../../middleware/api.ts';
import { dailyLimits } from '../../wire/daily-limits.ts';
import { logger } from '../../wire/logger.ts';
import { pageReader, plainHttpHosts } from '../../wire/public-network.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';
import { stageFeatures } from '../../wire/stage-features.ts';

/** `POST /v1/posts` */
export const build = apiHandler(
  createPostOperation,
  { mediaBaseUrl, dailyLimits, stageFeatures, plainHttpHosts, pageReader },
  async ({ context: found, body, headers, rawBody, unbuilt }) => {
    const context = { ...found, rulesFor, unbuilt, readPage: found.pageReader() };
    if (body.dryRun) return toDryRunReply(await dryRunPost(context, body), context.mediaBaseUrl);
    const created = await createPost(context, body, {
      idempotencyKey: headers['idempotency-key'],
      requestId: headers['x-request-id'],
      rawBody,
    });
    logger.info('a post was created', { postId: created.post.id, replayed: created.replayed });
    return toCreatedReply(created, context.mediaBaseUrl, await readTagsOf(context, [created.post]));
  },
);
