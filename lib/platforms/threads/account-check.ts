import type { AccountCheck } from '../contract/account-check.ts';
import { callGraph } from '../shared/meta/graph.ts';
import {
  judgePublishingLimit,
  publishingLimitFields,
  readPublishingLimit,
} from '../shared/meta/publishing-limit.ts';
import { apiRoot } from './client.ts';
import { threads } from './errors.ts';

/**
 * Asks for the use of the publishing limit, which needs a valid token. Not with `callThreads`, which may ask again.
 * https://developers.facebook.com/docs/threads/troubleshooting#retrieve-publishing-quota-limit
 */
export const threadsAccountCheck: AccountCheck = {
  ask: async ({ platformAccountId }, token, tools) =>
    readPublishingLimit(
      await callGraph(tools, threads, {
        method: 'GET',
        url: `${apiRoot(tools)}/${encodeURIComponent(platformAccountId)}/threads_publishing_limit`,
        token,
        query: { fields: publishingLimitFields },
      }),
    ),
  judge: (facts) => judgePublishingLimit('Threads', facts),
};
