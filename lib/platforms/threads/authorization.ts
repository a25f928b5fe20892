import * as z from 'zod';
import type { ConnectableAccount, PlatformAuthorization, TokenSet } from '../contract/authorization.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformHosts, PlatformTools } from '../contract/tools.ts';
import { readResponse } from '../shared/json.ts';
import { metaAuthorization } from '../shared/meta/authorization.ts';
import { GraphId } from '../shared/meta/graph.ts';
import { apiRoot, callThreads } from './client.ts';
import { threads } from './errors.ts';
import { threadsFeatures } from './features.ts';
import { hostsOf } from './hosts.ts';

/** The login of Threads. One login is one account. The Threads app has its own id and secret inside the Meta app. */
export const threadsAuthorization: PlatformAuthorization = {
  ...loginAt(hostsOf({})),
  authorizationUrl: (request, tools) => loginAt(hostsOf(tools)).authorizationUrl(request, tools),
  exchange: (grant, tools) => loginAt(hostsOf(tools)).exchange(grant, tools),
  refresh: (tokens, tools) => loginAt(hostsOf(tools)).refresh(tokens, tools),
};

function loginAt({ api, login }: Required<PlatformHosts>): PlatformAuthorization {
  return metaAuthorization({
    platform: threads,
    features: threadsFeatures,
    consentPage: `https://${login}/oauth/authorize`,
    // Threads documents no parameter for asking a person again who has consented before, so only our own pages ask.
    // https://developers.facebook.com/documentation/threads/get-started/get-access-tokens-and-permissions
    consentParameters: {},
    codeEndpoint: `https://${api}/oauth/access_token`,
    tokenRoot: `https://${api}`,
    grantPrefix: 'th',
    call: callThreads,
    readScopes,
    readAccount,
  });
}

const Inspection = z.object({ data: z.object({ scopes: z.array(z.string()) }) });

/**
 * Reads the granted scopes. Only this call returns them, and it is documented only for the tokens of the app's testers
 * (https://developers.facebook.com/docs/threads/reference/debug/). Undefined if it fails.
 */
async function readScopes(token: string, tools: PlatformTools): Promise<readonly string[] | undefined> {
  try {
    const response = await callThreads(tools, {
      method: 'GET',
      url: `${apiRoot(tools)}/debug_token`,
      token,
      query: { input_token: token },
    });
    return readResponse(Inspection, response).data.scopes;
  } catch (error) {
    if (error instanceof PlatformError) return undefined;
    throw error;
  }
}

const text = z.string().optional().catch(undefined);
const Profile = z.object({ id: GraphId, username: text, name: text, threads_profile_picture_url: text });

async function readAccount(tokens: TokenSet, tools: PlatformTools): Promise<ConnectableAccount> {
  const response = await callThreads(tools, {
    method: 'GET',
    url: `${apiRoot(tools)}/me`,
    token: tokens.accessToken,
    query: { fields: 'id,username,name,threads_profile_picture_url' },
  });
  const profile = readResponse(Profile, response);
  return {
    platformAccountId: profile.id,
    username: profile.username ?? null,
    displayName: profile.name ?? profile.username ?? null,
    avatarUrl: profile.threads_profile_picture_url ?? null,
    meta: {},
    tokens,
  };
}
