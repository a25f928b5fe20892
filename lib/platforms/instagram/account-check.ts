import type { AccountCheck } from '../contract/account-check.ts';
import { callGraph } from '../shared/meta/graph.ts';
import {
  judgePublishingLimit,
  publishingLimitFields,
  readPublishingLimit,
} from '../shared/meta/publishing-limit.ts';
import { apiRoot } from './client.ts';
import { instagram } from './errors.ts';

/**
 * Asks for the use of the publishing limit, which needs a valid token with the permission to publish.
 * https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/content_publishing_limit
 */
export const instagramAccountCheck: AccountCheck = {
  ask: async ({ platformAccountId }, token, tools) =>
    readPublishingLimit(
      await callGraph(tools, instagram, {
        method: 'GET',
        url: `${apiRoot(tools)}/${encodeURIComponent(platformAccountId)}/content_publishing_limit`,
        token,
        query: { fields: publishingLimitFields },
      }),
    ),
  judge: (facts) => judgePublishingLimit('Instagram', facts),
};
