import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { dryRunDuplicate, duplicatePost } from '../../../lib/posts/duplicate.ts';
import { duplicatePostOperation } from '../../../lib/posts/request/operations.ts';
import { toCreatedReply, toDryRunReply } from '../../../lib/posts/view/to-view.ts';
import { readTagsOf } from '../../../lib/tags/store.ts';
import { apiHandler } from '../../middleware/api.ts';
import { dailyLimits } from '../../wire/daily-limits.ts';
import { logger } from '../../wire/logger.ts';
import { pageReader } from '../../wire/public-network.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';
import { stageFeatures } from '../../wire/stage-features.ts';

/** `POST /v1/posts/{id}/duplicate` */
export const build = apiHandler(
  duplicatePostOperation,
  { mediaBaseUrl, dailyLimits, stageFeatures, pageReader },
  async ({ context: found, path, body, headers, rawBody, unbuilt }) => {
    const context = { ...found, rulesFor, unbuilt, readPage: found.pageReader() };
    if (body.dryRun)
      return toDryRunReply(await dryRunDuplicate(context, path.id, body), context.mediaBaseUrl);
    const created = await duplicatePost(context, path.id, body, {
      idempotencyKey: headers['idempotency-key'],
      requestId: headers['x-request-id'],
      rawBody,
    });
    logger.info('a post was duplicated', { createdId: created.post.id, replayed: created.replayed });
    return toCreatedReply(created, context.mediaBaseUrl, await readTagsOf(context, [created.post]));
  },
);
