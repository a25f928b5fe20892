import { unbuiltProblem } from '../../../lib/api-contract/unbuilt-fields.ts';
import { invalidFields } from '../../../lib/kernel/errors.ts';
import { retryPostOperation } from '../../../lib/posts/operations.ts';
import { dryRunRetry, retryPost } from '../../../lib/posts/retry.ts';
import { toDryRunReply, toPostView } from '../../../lib/posts/view/to-view.ts';
import { readTagsOf } from '../../../lib/tags/store.ts';
import { apiHandler } from '../../middleware/api.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';

/** `POST /v1/posts/{id}/retry` */
export const build = apiHandler(
  retryPostOperation,
  { mediaBaseUrl },
  async ({ context, path, headers, body, unbuilt }) => {
    // A retry always makes something go live.
    if (unbuilt.length > 0) throw invalidFields(unbuilt.map(unbuiltProblem));
    if (body.dryRun) return toDryRunReply(await dryRunRetry(context, path.id), context.mediaBaseUrl);
    const { post, targets } = await retryPost(context, path.id, {
      idempotencyKey: headers['idempotency-key'],
    });
    const shown = toPostView(post, context.mediaBaseUrl, targets, await readTagsOf(context, [post]));
    return { status: 200, body: { post: shown, warnings: [] } };
  },
);
