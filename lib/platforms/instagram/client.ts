import * as z from 'zod';
import type { PublishJob } from '../contract/adapter.ts';
import { apiVersions } from '../contract/api-versions.ts';
import type { CallLimits, Parameters } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { isSameText } from '../shared/find-listed.ts';
import { readResponse } from '../shared/json.ts';
import { publishSeconds } from '../shared/meta/container-calls.ts';
import type { ContainerStatus } from '../shared/meta/containers.ts';
import { callGraph, GraphId } from '../shared/meta/graph.ts';
import { graphPages } from '../shared/meta/pages.ts';
import { instagram } from './errors.ts';
import type { ListedMedia } from './map.ts';

const WithId = z.object({ id: GraphId });

/**
 * The status of a container. Without a known `status_code` the container counts as still in progress: that ends after
 * the time for processing, while an error would not.
 */
const StatusResponse = z.object({
  status_code: z.enum(['IN_PROGRESS', 'FINISHED', 'PUBLISHED', 'ERROR', 'EXPIRED']).catch('IN_PROGRESS'),
  status: z.string().catch(''),
});

const text = z.string().optional().catch(undefined);

const Media = z.object({
  id: GraphId,
  caption: text,
  timestamp: text,
  permalink: text,
  media_type: text,
  media_product_type: text,
});

const Comment = z.object({
  id: GraphId,
  text,
  username: text,
  from: z
    .object({ id: GraphId.optional().catch(undefined), username: text })
    .optional()
    .catch(undefined),
});

/** The limit on pages to search. A first comment is among the first comments of a new post, even if thousands followed. */
const maxCommentPages = 20;

/** Returns the calls of the Instagram API with Instagram Login for publishing. All of them throw `PlatformError`. */
export function instagramClient(
  { accessToken: token, account }: Pick<PublishJob, 'accessToken' | 'account'>,
  tools: PlatformTools,
) {
  const root = apiRoot(tools);
  const accountPath = encodeURIComponent(account.platformAccountId);
  const get = (path: string, query: Parameters) =>
    callGraph(tools, instagram, { method: 'GET', url: `${root}/${path}`, token, query });
  const post = async (path: string, form: Parameters, limits: CallLimits = {}) => {
    const request = { method: 'POST', url: `${root}/${path}`, token, form, ...limits } as const;
    const response = await callGraph(tools, instagram, request);
    return readResponse(WithId, response).id;
  };
  const pages = <Item>(path: string, item: z.ZodType<Item>, fields: string, query: Parameters = {}) =>
    graphPages(item, (page) => get(path, { fields, limit: '50', ...query, ...page }));
  const mediaFields = 'id,caption,timestamp,permalink,media_type,media_product_type';

  return {
    createContainer: (parameters: Parameters) => post(`${accountPath}/media`, parameters),

    containerStatus: async (containerId: string): Promise<ContainerStatus> => {
      const response = await get(containerId, { fields: 'status_code,status' });
      const { status_code: state, status: message } = readResponse(StatusResponse, response);
      return { state, message };
    },

    /** Makes the last call. */
    publish: (containerId: string) =>
      post(
        `${accountPath}/media_publish`,
        { creation_id: containerId },
        { totalSeconds: publishSeconds, isLastCall: true },
      ),

    permalink: async (mediaId: string): Promise<string | null> =>
      readResponse(Media, await get(mediaId, { fields: 'id,permalink' })).permalink ?? null,

    /** Lists the account's media except stories, newest first. @param since epoch milliseconds */
    listMedia: (since: number): AsyncGenerator<ListedMedia[]> =>
      pages(`${accountPath}/media`, Media, mediaFields, { since: String(Math.floor(since / 1_000)) }),

    /** Lists the stories of the last 24 hours. */
    listStories: (): AsyncGenerator<ListedMedia[]> => pages(`${accountPath}/stories`, Media, mediaFields),

    /** Returns true if the account itself has posted this comment. Instagram omits the author in some responses. */
    hasOwnComment: async (mediaId: string, comment: string): Promise<boolean> => {
      const isOwn = ({ text: listed, from, username }: z.infer<typeof Comment>) => {
        const author = from?.username ?? username;
        return (
          isSameText(listed, comment) &&
          (author === undefined || account.username === null || author === account.username)
        );
      };
      let pagesRead = 0;
      for await (const page of pages(`${mediaId}/comments`, Comment, 'id,text,from,username,timestamp')) {
        if (page.some(isOwn)) return true;
        pagesRead += 1;
        if (pagesRead === maxCommentPages) break;
      }
      return false;
    },

    /** Turns off the comments of a post. Hidden comments are kept. Possible again at any time. */
    turnOffComments: (mediaId: string) =>
      callGraph(tools, instagram, {
        method: 'POST',
        url: `${root}/${mediaId}`,
        token,
        form: { comment_enabled: 'false' },
      }),

    /** Posts a comment. Sends no `fields`: with them Instagram may post the comment and still respond with an error. */
    comment: (mediaId: string, message: string) => post(`${mediaId}/comments`, { message }),
  };
}

/** Returns the URL of the last call. */
export function publishUrl({ account }: Pick<PublishJob, 'account'>, tools: PlatformTools): string {
  return `${apiRoot(tools)}/${encodeURIComponent(account.platformAccountId)}/media_publish`;
}

export function apiRoot({ apiVersion = apiVersions.instagram.name }: PlatformTools): string {
  return `https://graph.instagram.com/${apiVersion}`;
}
