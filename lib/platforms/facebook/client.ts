import { createHmac } from 'node:crypto';
import * as z from 'zod';
import type { MediaSource, PublishJob } from '../contract/adapter.ts';
import { apiVersions } from '../contract/api-versions.ts';
import { PlatformError } from '../contract/errors.ts';
import type { CallLimits, Parameters, PlatformBody } from '../contract/http.ts';
import type { LivePost } from '../contract/live-post.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { quote, readResponse } from '../shared/json.ts';
import { callGraph, requireGraphSuccess } from '../shared/meta/graph.ts';
import { graphPages } from '../shared/meta/pages.ts';
import { multipartBody } from '../shared/multipart.ts';
import { goLiveSeconds } from './absence.ts';
import { facebook } from './errors.ts';
import { absolutePermalink, type ListedPost, type VideoState, videoState } from './map.ts';
import {
  ChunkedVideo,
  Comments,
  HostedVideo,
  Offsets,
  PagePost,
  Permalink,
  Reel,
  Story,
  Success,
  SuccessfulStory,
  UploadError,
  Video,
  WantedChunk,
  WithId,
} from './responses.ts';

export interface KnownVideo {
  readonly state: VideoState;
  readonly postId: string | undefined;
  readonly permalink: string | null;
  /** The time at which it went live, in epoch milliseconds. */
  readonly publishedMs: number | undefined;
}

export interface Chunk {
  readonly sessionId: string;
  readonly first: number;
  /** The position after the chunk's last byte. */
  readonly end: number;
}

export type FacebookClient = ReturnType<typeof facebookClient>;

const lastCall = { totalSeconds: goLiveSeconds, isLastCall: true } as const;
const chunkSeconds = 120;

const pageSize = '100';
/** The limit on pages: 500 stories. A story that is not among them may still exist. */
const maxStoryPages = 5;

/** Returns the calls for publishing on a Page. Each carries the app secret proof and throws `PlatformError`. */
export function facebookClient(
  { accessToken: token, account }: Pick<PublishJob, 'accessToken' | 'account'>,
  tools: PlatformTools,
) {
  const root = apiRoot(tools);
  const page = encodeURIComponent(account.platformAccountId);
  const proof = appSecretProof(token, tools);
  const get = (path: string, query: Parameters) =>
    callGraph(tools, facebook, {
      method: 'GET',
      url: `${root}/${path}`,
      token,
      query: { ...query, ...proof },
    });
  const post = (path: string, form: Parameters, query: Parameters = {}, limits: CallLimits = {}) =>
    callGraph(tools, facebook, {
      method: 'POST',
      url: `${root}/${path}`,
      token,
      query: { ...query, ...proof },
      form,
      ...limits,
    });
  const chunked = async (phase: string, body: PlatformBody, limits: CallLimits = {}) =>
    tools.http.send({
      method: 'POST',
      url: videosUrl({ account }, tools),
      bearer: token,
      query: { upload_phase: phase, ...proof },
      body,
      ...limits,
    });

  return {
    /** Uploads an unpublished photo, which is invisible until a post shows it. */
    uploadPhoto: async (url: string, altText: string | undefined): Promise<string> => {
      const form = { url, alt_text_custom: altText, published: 'false' };
      return readResponse(WithId, await post(`${page}/photos`, form, {}, { totalSeconds: 60 })).id;
    },

    publishFeed: async (parameters: Parameters): Promise<string> =>
      readResponse(WithId, await post(`${page}/feed`, parameters, {}, lastCall)).id,

    publishPhotoStory: async (photoId: string): Promise<string | null> => {
      const response = await post(`${page}/photo_stories`, { photo_id: photoId }, {}, lastCall);
      return readResponse(SuccessfulStory, response).post_id ?? null;
    },

    /** Starts the upload of a reel or a video story. Facebook downloads its file. */
    startHosted: async (edge: HostedEdge): Promise<string> =>
      readResponse(HostedVideo, await post(`${page}/${edge}`, {}, { upload_phase: 'start' })).video_id,

    /** Gives Facebook the file's URL. The upload host has its own authorization header and error format. */
    uploadHosted: async (videoId: string, fileUrl: string): Promise<void> => {
      const { apiVersion = apiVersions.facebook.name } = tools;
      const response = await tools.http.send({
        method: 'POST',
        url: `https://rupload.facebook.com/video-upload/${apiVersion}/${encodeURIComponent(videoId)}`,
        headers: { authorization: `OAuth ${token}`, file_url: fileUrl },
        body: { empty: true },
        totalSeconds: 60,
      });
      const refused = UploadError.safeParse(response.json);
      if (refused.success) {
        const { type, message } = refused.data.debug_info;
        throw new PlatformError('retry', `Facebook: ${quote(message)} (${type})`, {
          status: response.status,
          platformCode: '1363019',
        });
      }
      readResponse(Success, requireGraphSuccess(facebook, response));
    },

    finishHosted: async (edge: HostedEdge, videoId: string, parameters: Parameters): Promise<void> => {
      const form = { video_id: videoId, ...parameters };
      readResponse(Success, await post(`${page}/${edge}`, form, { upload_phase: 'finish' }, lastCall));
    },

    /** Returns the times at which the Page's newest reels were created, in epoch milliseconds. @param sinceMs of newer ones only */
    reelTimes: async (sinceMs: number, most: number): Promise<number[]> => {
      const since = String(Math.floor(sinceMs / 1_000));
      const query = { fields: 'id,created_time,updated_time', since, limit: String(most) };
      const { data } = readResponse(
        z.object({ data: z.array(Reel) }),
        await get(`${page}/video_reels`, query),
      );
      return data.filter(Number.isFinite);
    },

    startChunked: async (sizeBytes: number): Promise<Chunk & { videoId: string }> => {
      const response = await chunked('start', { form: { file_size: String(sizeBytes) } });
      const begun = readResponse(ChunkedVideo, requireGraphSuccess(facebook, response));
      return { videoId: begun.video_id, sessionId: begun.upload_session_id, ...toChunk(begun) };
    },

    /** Sends a chunk. @returns the next chunk to send; an empty one if Facebook has the whole file */
    transfer: async (video: MediaSource, { sessionId, first, end }: Chunk): Promise<Chunk> => {
      const fields = {
        upload_phase: 'transfer',
        upload_session_id: sessionId,
        start_offset: String(first),
      };
      const file = {
        name: 'video_file_chunk',
        filename: 'chunk',
        contentType: 'application/octet-stream',
        sizeBytes: end - first,
        open: () => video.openRange(first, end - 1),
      };
      const response = await chunked('transfer', multipartBody(fields, file), { totalSeconds: chunkSeconds });
      // The response to an earlier attempt was lost: the error names the chunk that Facebook expects now.
      const wanted = WantedChunk.safeParse(response.json);
      if (wanted.success) return { sessionId, ...toChunk(wanted.data.error.error_data) };
      return { sessionId, ...toChunk(readResponse(Offsets, requireGraphSuccess(facebook, response))) };
    },

    finishChunked: async (sessionId: string, parameters: Parameters): Promise<void> => {
      const form = { upload_session_id: sessionId, ...parameters };
      const response = await chunked('finish', { form }, lastCall);
      readResponse(Success, requireGraphSuccess(facebook, response));
    },

    /** Reads a video's state. @param isDraft true if the video's last call makes a draft */
    video: async (videoId: string, isDraft = false): Promise<KnownVideo> => {
      const response = await get(videoId, { fields: 'status,published,post_id,permalink_url' });
      const { status, published, post_id, permalink_url } = readResponse(Video, response);
      return {
        state: videoState(status, published, isDraft),
        postId: post_id && completePostId(post_id, account),
        permalink: permalink_url === undefined ? null : absolutePermalink(permalink_url),
        publishedMs: fromUnixTime(status.publishing_phase?.publish_time),
      };
    },

    /** Lists the Page's posts, newest first. @param sinceMs lists only newer ones, in epoch milliseconds; default: all */
    listPosts(sinceMs?: number): AsyncGenerator<ListedPost[]> {
      const fields =
        'id,message,created_time,permalink_url,attachments{media_type,target,subattachments{target}}';
      const since = sinceMs === undefined ? undefined : String(Math.floor(sinceMs / 1_000));
      return graphPages(PagePost, (next) =>
        get(`${page}/published_posts`, { fields, since, limit: pageSize, ...next }),
      );
    },

    /**
     * Finds the story that shows this photo or video. Only Pages that archive their stories list them.
     *
     * @returns undefined if the newest stories do not include it
     */
    async findStory(mediaId: string): Promise<LivePost | undefined> {
      const fields = 'post_id,status,creation_time,media_type,media_id,url';
      const pages = graphPages(Story, (next) => get(`${page}/stories`, { fields, limit: pageSize, ...next }));
      let pagesRead = 0;
      for await (const stories of pages) {
        const story = stories.find(({ media_id }) => media_id === mediaId);
        if (story) {
          const { post_id, url = null, creation_time } = story;
          return { platformPostId: post_id, permalink: url, publishedMs: fromUnixTime(creation_time) };
        }
        pagesRead += 1;
        if (pagesRead === maxStoryPages) break;
      }
      return undefined;
    },

    permalink: async (postId: string): Promise<string | null> => {
      const response = await get(postId, { fields: 'id,permalink_url' });
      return readResponse(Permalink, response).permalink_url ?? null;
    },

    /** Deletes a post or a video. */
    deletePost: async (id: string): Promise<void> => {
      const request = {
        method: 'DELETE',
        url: `${root}/${encodeURIComponent(id)}`,
        token,
        query: proof,
      } as const;
      readResponse(Success, await callGraph(tools, facebook, request));
    },

    readId: async (id: string): Promise<void> => {
      readResponse(WithId, await get(encodeURIComponent(id), { fields: 'id' }));
    },

    setCover: async (videoId: string, image: MediaSource): Promise<void> => {
      const file = {
        name: 'source',
        filename: 'cover',
        contentType: image.contentType,
        sizeBytes: image.sizeBytes,
        open: () => image.openRange(0, image.sizeBytes - 1),
      };
      const response = await tools.http.send({
        method: 'POST',
        url: `${root}/${encodeURIComponent(videoId)}/thumbnails`,
        bearer: token,
        query: proof,
        body: multipartBody({ is_preferred: 'true' }, file),
        totalSeconds: 60,
      });
      readResponse(Success, requireGraphSuccess(facebook, response));
    },

    hasOwnComment: async (postId: string, comment: string): Promise<boolean> => {
      const query = { fields: 'id,message,from,created_time', order: 'reverse_chronological' };
      const { data } = readResponse(Comments, await get(`${postId}/comments`, query));
      return data.some(
        ({ message, from }) =>
          message?.trim() === comment.trim() && (from === undefined || from.id === account.platformAccountId),
      );
    },

    /** Invites a Page to show a reel too. Facebook tells the Page. */
    inviteCollaborator: async (videoId: string, pageId: string): Promise<void> => {
      readResponse(
        Success,
        await post(`${encodeURIComponent(videoId)}/collaborators`, { target_id: pageId }),
      );
    },

    comment: async (postId: string, message: string): Promise<void> => {
      readResponse(WithId, await post(`${postId}/comments`, { message }));
    },
  };
}

/**
 * Returns the id under which a post can be read and commented on. A video's `post_id` is this id, or only its second
 * part: both have been seen in live responses.
 */
function completePostId(id: string, { platformAccountId }: PublishJob['account']): string {
  return id.includes('_') ? id : `${platformAccountId}_${id}`;
}

export type HostedEdge = 'video_reels' | 'video_stories';

function toChunk({ start_offset, end_offset }: Offsets): { first: number; end: number } {
  return { first: start_offset, end: end_offset };
}

/** Returns the URL of plain videos, which have a host of their own. */
export function videosUrl({ account }: Pick<PublishJob, 'account'>, tools: PlatformTools): string {
  return `${apiRoot(tools, 'graph-video.facebook.com')}/${encodeURIComponent(account.platformAccountId)}/videos`;
}

export function apiRoot(
  { apiVersion = apiVersions.facebook.name }: PlatformTools,
  host = 'graph.facebook.com',
): string {
  return `https://${host}/${apiVersion}`;
}

/** Returns the proof that a call comes from the app. An app's settings may require it ("Securing Graph API Requests"). */
export function appSecretProof(token: string, { app }: PlatformTools): Parameters {
  return { appsecret_proof: createHmac('sha256', app.clientSecret).update(token).digest('hex') };
}

/** Converts a Unix time in seconds to epoch milliseconds. */
function fromUnixTime(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}
