import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { dryRunEdit, editPost } from '../../../lib/posts/edit.ts';
import { editPostOperation } from '../../../lib/posts/request/operations.ts';
import { toDryRunReply, toFindingView, toPostView } from '../../../lib/posts/view/to-view.ts';
import { readTagsOf } from '../../../lib/tags/store.ts';
import { apiHandler } from '../../middleware/api.ts';
import { dailyLimits } from '../../wire/daily-limits.ts';
import { pageReader, plainHttpHosts } from '../../wire/public-network.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';
import { stageFeatures } from '../../wire/stage-features.ts';

/** `PATCH /v1/posts/{id}` */
export const build = apiHandler(
  editPostOperation,
  { mediaBaseUrl, dailyLimits, stageFeatures, plainHttpHosts, pageReader },
  async ({ context: found, path, body, rawBody, unbuilt }) => {
    const sentNames = Object.keys(JSON.parse(rawBody));
    const context = { ...found, rulesFor, unbuilt, sentNames, readPage: found.pageReader() };
    if (body.dryRun) return toDryRunReply(await dryRunEdit(context, path.id, body), context.mediaBaseUrl);
    const { post, targets, warnings } = await editPost(context, path.id, body);
    const shown = toPostView(post, context.mediaBaseUrl, targets, await readTagsOf(context, [post]));
    return { status: 200, body: { post: shown, warnings: warnings.map(toFindingView) } };
  },
);
