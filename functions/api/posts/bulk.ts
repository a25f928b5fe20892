import { secondMs, systemClock } from '../../../lib/kernel/clock.ts';
import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { createPosts, validatePosts } from '../../../lib/posts/bulk/create-posts.ts';
import { createPostsOperation } from '../../../lib/posts/bulk/operations.ts';
import { toCreatedReply, toValidatedReply } from '../../../lib/posts/bulk/view.ts';
import { createPostOperation } from '../../../lib/posts/request/operations.ts';
import { readTagsOf } from '../../../lib/tags/store.ts';
import { apiHandler } from '../../middleware/api.ts';
import { parseAsBody } from '../../middleware/parse-request.ts';
import { dailyLimits } from '../../wire/daily-limits.ts';
import { logger } from '../../wire/logger.ts';
import { pageReader, plainHttpHosts } from '../../wire/public-network.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';
import { stageFeatures } from '../../wire/stage-features.ts';

/** The time for which posts are begun. The function has five seconds more, for the posts under way and the response. */
const beginMs = 24 * secondMs;

/** `POST /v1/posts/bulk` */
export const build = apiHandler(
  createPostsOperation,
  { mediaBaseUrl, dailyLimits, stageFeatures, plainHttpHosts, pageReader },
  async ({ context, body, headers, unbuilt }) => {
    const bulk = {
      ...context,
      rulesFor,
      readPage: context.pageReader(),
      unbuilt,
      parse: (item: unknown) => parseAsBody(createPostOperation, item),
      clock: systemClock,
      untilMs: context.now + beginMs,
      reportFailure: (index: number, error: unknown) =>
        logger.error('a post of a bulk failed', { index, error: error as Error }),
    };
    if (body.dryRun) {
      return { status: 200, body: toValidatedReply(await validatePosts(bulk, body.posts)) };
    }
    const results = await createPosts(bulk, body.posts, {
      idempotencyKey: headers['idempotency-key'],
      requestId: headers['x-request-id'],
    });
    const posts = results.flatMap((result) => (result.state === 'done' ? [result.done.post] : []));
    const reply = toCreatedReply(results, context.mediaBaseUrl, await readTagsOf(context, posts));
    const { results: _, ...counts } = reply;
    logger.info('a bulk of posts was created', counts);
    return { status: 200, body: reply };
  },
);
