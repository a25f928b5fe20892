import * as z from 'zod';
import type { PublishJob } from '../contract/adapter.ts';
import { apiVersions } from '../contract/api-versions.ts';
import { PlatformError } from '../contract/errors.ts';
import type { CallLimits, Parameters, PlatformResponse } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { readResponse } from '../shared/json.ts';
import { publishSeconds } from '../shared/meta/container-calls.ts';
import type { ContainerStatus } from '../shared/meta/containers.ts';
import { callGraph, GraphId, type GraphRequest } from '../shared/meta/graph.ts';
import { graphPages } from '../shared/meta/pages.ts';
import { mayBeInvalidToken, threads } from './errors.ts';
import { hostsOf } from './hosts.ts';
import type { ListedMedia } from './map.ts';

const text = z.string().optional().catch(undefined);
const WithId = z.object({ id: GraphId });

/**
 * The status of a container. Without a known `status` it counts as still in progress, which ends after the time for processing.
 */
const StatusResponse = z.object({
  status: z.enum(['IN_PROGRESS', 'FINISHED', 'PUBLISHED', 'ERROR', 'EXPIRED']).catch('IN_PROGRESS'),
  error_message: z.string().catch(''),
});

const Deleted = z.object({ success: z.literal(true) });

const Media = z.object({
  id: GraphId,
  text,
  timestamp: text,
  permalink: text,
  media_type: text,
  replied_to: WithId.optional().catch(undefined),
});

export type ThreadsClient = ReturnType<typeof threadsClient>;

/** Returns the calls of the Threads API for publishing. They send forms, because Threads loses parameters of JSON bodies. */
export function threadsClient(
  { accessToken: token, account }: Pick<PublishJob, 'accessToken' | 'account'>,
  tools: PlatformTools,
) {
  const root = apiRoot(tools);
  const accountPath = encodeURIComponent(account.platformAccountId);
  const get = (path: string, query: Parameters) =>
    callThreads(tools, { method: 'GET', url: `${root}/${path}`, token, query });
  const post = async (path: string, form: Parameters, limits: CallLimits = {}) =>
    readResponse(
      WithId,
      await callThreads(tools, { method: 'POST', url: `${root}/${path}`, token, form, ...limits }),
    ).id;
  const list = (edge: string, fields: string, since: number): AsyncGenerator<ListedMedia[]> => {
    const query = { fields, since: String(Math.floor(since / 1_000)), limit: '50' };
    return graphPages(Media, (page) => get(`${accountPath}/${edge}`, { ...query, ...page }));
  };
  const listedFields = 'id,text,timestamp,permalink,media_type';

  return {
    createContainer: (parameters: Parameters) => post(`${accountPath}/threads`, parameters),

    /** Reads a container's status. Threads calls the field `status`; Instagram calls it `status_code`. */
    containerStatus: async (containerId: string): Promise<ContainerStatus> => {
      const response = await get(containerId, { fields: 'id,status,error_message' });
      const { status: state, error_message: message } = readResponse(StatusResponse, response);
      return { state, message };
    },

    publish: (containerId: string) =>
      post(
        `${accountPath}/threads_publish`,
        { creation_id: containerId },
        { totalSeconds: publishSeconds, isLastCall: true },
      ),

    permalink: async (mediaId: string): Promise<string | null> =>
      readResponse(Media, await get(mediaId, { fields: 'id,permalink' })).permalink ?? null,

    deletePost: async (mediaId: string): Promise<void> => {
      const url = `${root}/${encodeURIComponent(mediaId)}`;
      readResponse(Deleted, await callThreads(tools, { method: 'DELETE', url, token }));
    },

    readId: async (mediaId: string): Promise<void> => {
      readResponse(WithId, await get(encodeURIComponent(mediaId), { fields: 'id' }));
    },

    /** Lists the account's posts, newest first. @param since epoch milliseconds */
    listPosts: (since: number) => list('threads', listedFields, since),
    listReplies: (since: number) => list('replies', `${listedFields},replied_to`, since),
  };
}

/**
 * Calls the Threads API. For an invalid token Threads sends either code 190 or "resource does not exist". After the
 * latter, reads the account itself, which always exists, to find out whether the token is invalid.
 *
 * @throws PlatformError with the remedy from the error table
 */
export async function callThreads(tools: PlatformTools, request: GraphRequest): Promise<PlatformResponse> {
  try {
    return await callGraph(tools, threads, request);
  } catch (error) {
    if (mayBeInvalidToken(error) && (await isTokenInvalid(tools, request.token))) {
      const { message, status, platformCode } = error;
      throw new PlatformError('reauthorise', message, { status, platformCode, cause: error });
    }
    throw error;
  }
}

async function isTokenInvalid(tools: PlatformTools, token: string): Promise<boolean> {
  try {
    await callGraph(tools, threads, {
      method: 'GET',
      url: `${apiRoot(tools)}/me`,
      token,
      query: { fields: 'id' },
    });
    return false;
  } catch (error) {
    return mayBeInvalidToken(error) || (error instanceof PlatformError && error.remedy === 'reauthorise');
  }
}

/** Returns the URL of the last call. */
export function publishUrl({ account }: Pick<PublishJob, 'account'>, tools: PlatformTools): string {
  return `${apiRoot(tools)}/${encodeURIComponent(account.platformAccountId)}/threads_publish`;
}

export function apiRoot({ apiVersion = apiVersions.threads.name, ...tools }: PlatformTools): string {
  return `https://${hostsOf(tools).api}/${apiVersion}`;
}
