import * as z from 'zod';
import type { AccountCheck } from '../contract/account-check.ts';
import { PlatformError } from '../contract/errors.ts';
import { readResponse } from '../shared/json.ts';
import { callGraph } from '../shared/meta/graph.ts';
import { apiRoot } from './client.ts';
import { facebook } from './errors.ts';

const Inspection = z.object({
  data: z.object({ is_valid: z.boolean(), scopes: z.array(z.string()).optional().catch(undefined) }),
});

/** The permission to publish on a Page. https://developers.facebook.com/docs/permissions */
const publishingScope = 'pages_manage_posts';

/**
 * Inspects the Page's token, which ends when the person loses the role on the Page. No documented call tells the tasks of a Page with
 * the Page's own token. https://developers.facebook.com/docs/graph-api/reference/debug_token
 */
export const facebookAccountCheck: AccountCheck = {
  async ask(_account, token, tools) {
    const { clientId, clientSecret } = tools.app;
    const response = await callGraph(tools, facebook, {
      method: 'GET',
      url: `${apiRoot(tools)}/debug_token`,
      token: `${clientId}|${clientSecret}`,
      query: { input_token: token },
    }).catch((error) => {
      // Facebook has refused the app's token. The Page's token works without it.
      if (!(error instanceof PlatformError)) throw error;
      throw new PlatformError('retry', error.message, { concerns: 'app', cause: error });
    });
    const { is_valid: isValid, scopes } = readResponse(Inspection, response).data;
    if (!isValid) throw new PlatformError('reauthorise', 'Facebook: the access token is no longer valid');
    return { mayPublish: scopes?.includes(publishingScope) ?? null };
  },

  judge: ({ mayPublish }) =>
    mayPublish === false
      ? [
          {
            code: 'permission_missing',
            message: `Facebook: the permission ${publishingScope} was withdrawn: connect the account again and grant every permission`,
          },
        ]
      : [],
};
