import * as z from 'zod';
import type { Json } from '../../kernel/json.ts';
import type { MediaSource, PublishJob } from '../contract/adapter.ts';
import { apiVersions } from '../contract/api-versions.ts';
import { PlatformError } from '../contract/errors.ts';
import type { CallLimits, Parameters, PlatformRequest, PlatformResponse } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { isSameText } from '../shared/find-listed.ts';
import { readResponse } from '../shared/json.ts';
import { requireDeletion } from '../shared/removal.ts';
import { createSeconds } from './absence.ts';
import { requireSuccess } from './errors.ts';
import type { ReadPost } from './map.ts';
import type { AssetKind } from './options.ts';

const apiRoot = 'https://api.linkedin.com/rest';

/** The URL of the last call. */
export const postsUrl = `${apiRoot}/posts`;

/** Calls the versioned API with its required headers. @throws PlatformError with the remedy from the error table */
export async function callLinkedin(
  { http, now, apiVersion = apiVersions.linkedin.name }: PlatformTools,
  request: Omit<PlatformRequest, 'url'> & { readonly path: string },
): Promise<PlatformResponse> {
  const { path, headers, ...rest } = request;
  const response = await http.send({
    ...rest,
    url: `${apiRoot}/${path}`,
    headers: { 'linkedin-version': apiVersion, 'x-restli-protocol-version': '2.0.0', ...headers },
  });
  return requireSuccess(response, now());
}

/** An upload URL. Must belong to LinkedIn: Herald sends the file to it, and sometimes the token. */
const UploadUrl = z
  .string()
  .refine(
    (url) => URL.canParse(url) && /^https:\/\/([a-z0-9-]+\.)*(linkedin|licdn)\.com\//.test(new URL(url).href),
  );

const FileUpload = z.object({
  value: z.object({
    uploadUrl: UploadUrl,
    image: z.string().min(1).optional(),
    document: z.string().min(1).optional(),
  }),
});

const VideoUpload = z.object({
  value: z.object({
    video: z.string().min(1),
    uploadToken: z.string().default(''),
    thumbnailUploadUrl: UploadUrl.optional(),
    uploadInstructions: z
      .array(
        z.object({
          uploadUrl: UploadUrl,
          firstByte: z.int().nonnegative(),
          lastByte: z.int().nonnegative(),
        }),
      )
      .min(1),
  }),
});

/** A part of a video with its own upload URL. `first` and `last` are bytes, inclusive. */
export const VideoPart = z.object({ url: z.string(), first: z.int(), last: z.int() });
export type VideoPart = z.infer<typeof VideoPart>;

const AssetState = z.object({
  status: z.enum(['WAITING_UPLOAD', 'PROCESSING', 'AVAILABLE', 'PROCESSING_FAILED']),
  processingFailureReason: z.string().optional().catch(undefined),
});
export type AssetState = z.infer<typeof AssetState>;

const text = z.string().optional().catch(undefined);
const WithId = z.object({ id: z.string() });

const Post = z.object({
  id: z.string().min(1),
  commentary: text,
  lifecycleState: text,
  createdAt: z.number().optional().catch(undefined),
  publishedAt: z.number().optional().catch(undefined),
  content: z
    .object({
      media: WithId.optional().catch(undefined),
      multiImage: z
        .object({ images: z.array(WithId) })
        .optional()
        .catch(undefined),
      article: z.object({ source: text, thumbnail: text }).optional().catch(undefined),
      poll: z
        .object({ question: z.string(), options: z.array(z.object({ text: z.string() })) })
        .optional()
        .catch(undefined),
    })
    .optional()
    .catch(undefined),
  reshareContext: z.object({ parent: text, root: text }).optional().catch(undefined),
});
const Posts = z.object({
  elements: z.array(Post),
  paging: z
    .object({ total: z.int().optional().catch(undefined) })
    .optional()
    .catch(undefined),
});
const Comments = z.object({
  elements: z.array(z.object({ actor: text, message: z.object({ text }).optional().catch(undefined) })),
});
/** The largest page of the finder of posts and of the list of comments. */
const pageSize = 100;

const PostUrn = z.string().regex(/^urn:li:(share|ugcPost):\d+$/);

/** A file to send. */
export type SentFile = Pick<MediaSource, 'contentType' | 'sizeBytes' | 'openRange'>;

export type LinkedinClient = ReturnType<typeof linkedinClient>;

/** Returns the calls of the versioned API for publishing. All of them throw `PlatformError`. */
export function linkedinClient(
  { accessToken: bearer, account }: Pick<PublishJob, 'accessToken' | 'account'>,
  tools: PlatformTools,
) {
  const owner = account.platformAccountId;
  const get = (path: string, query: Parameters = {}, headers: Record<string, string> = {}) =>
    callLinkedin(tools, { method: 'GET', path, query, bearer, headers });
  const post = (path: string, json: Json, query: Parameters = {}, limits: CallLimits = {}) =>
    callLinkedin(tools, { method: 'POST', path, query, bearer, body: { json }, ...limits });
  const initialize = (kind: AssetKind, more: { readonly [field: string]: Json } = {}) =>
    post(`${kind}s`, { initializeUploadRequest: { owner, ...more } }, { action: 'initializeUpload' });

  return {
    /** Starts an upload and sends the whole file. @returns the asset's URN */
    async uploadFile(kind: 'image' | 'document', file: SentFile, totalSeconds: number): Promise<string> {
      const { value } = readResponse(FileUpload, await initialize(kind));
      const response = await tools.http.send({
        method: 'PUT',
        url: value.uploadUrl,
        bearer,
        body: {
          open: () => file.openRange(0, file.sizeBytes - 1),
          contentType: file.contentType,
          sizeBytes: file.sizeBytes,
        },
        totalSeconds,
      });
      const urn = value[kind];
      // The token was valid a moment ago, so LinkedIn refused the URL; the next attempt gets another one.
      if (response.status === 401)
        throw new PlatformError('retry', 'LinkedIn refused the upload', { status: 401 });
      requireSuccess(response, tools.now());
      if (urn !== undefined) return urn;
      throw new PlatformError('unknown', 'LinkedIn did not confirm the upload', { status: response.status });
    },

    /** Starts the upload of a video, and of its cover if it has one. */
    async beginVideo(sizeBytes: number, hasCover: boolean) {
      const request = { fileSizeBytes: sizeBytes, uploadCaptions: false, uploadThumbnail: hasCover };
      const { value } = readResponse(VideoUpload, await initialize('video', request));
      const parts = value.uploadInstructions.map(
        ({ uploadUrl: url, firstByte: first, lastByte: last }): VideoPart => ({ url, first, last }),
      );
      const coverUrl = hasCover ? (value.thumbnailUploadUrl ?? null) : null;
      return { urn: value.video, uploadToken: value.uploadToken, coverUrl, parts };
    },

    /** Sends the cover of a video, without the token, as its parts ("Videos API", "Upload the Thumbnail"). */
    async uploadCover(cover: MediaSource, url: string, totalSeconds: number): Promise<void> {
      const response = await tools.http.send({
        method: 'PUT',
        url,
        headers: { 'media-type-family': 'STILLIMAGE' },
        body: {
          open: () => cover.openRange(0, cover.sizeBytes - 1),
          contentType: 'application/octet-stream',
          sizeBytes: cover.sizeBytes,
        },
        totalSeconds,
      });
      requireSuccess(response, tools.now());
    },

    /** Sends a part, without the token: the URL needs no further authorization. @returns the part's ETag, unchanged */
    async uploadPart(
      file: MediaSource,
      { url, first, last }: VideoPart,
      totalSeconds: number,
    ): Promise<string> {
      const response = await tools.http.send({
        method: 'PUT',
        url,
        body: {
          open: () => file.openRange(first, last),
          contentType: 'application/octet-stream',
          sizeBytes: last - first + 1,
        },
        totalSeconds,
      });
      const { etag } = requireSuccess(response, tools.now()).headers;
      if (etag) return etag;
      throw new PlatformError('unknown', 'LinkedIn did not confirm a part of the video', {
        status: response.status,
      });
    },

    /** Completes a video's upload. @param etags the ETags of all parts, in the order of the instructions */
    async finishVideo(video: string, uploadToken: string, etags: readonly string[]): Promise<void> {
      const request = { video, uploadToken, uploadedPartIds: [...etags] };
      await post('videos', { finalizeUploadRequest: request }, { action: 'finalizeUpload' });
    },

    assetState: async (kind: AssetKind, urn: string): Promise<AssetState> =>
      readResponse(AssetState, await get(`${kind}s/${encodeURIComponent(urn)}`)),

    /** Makes the last call. @returns the post's URN, which LinkedIn sends in a header of an empty response */
    async createPost(request: Json): Promise<string> {
      const response = await post('posts', request, {}, { totalSeconds: createSeconds, isLastCall: true });
      const urn = PostUrn.safeParse(response.headers['x-restli-id']);
      if (response.status === 201 && urn.success) return urn.data;
      throw new PlatformError('unknown', 'LinkedIn did not return the id of the post', {
        status: response.status,
      });
    },

    /** Lists an organization's posts, the last modified first. A member's posts cannot be read. */
    async *listPosts(): AsyncGenerator<ReadPost[]> {
      for (let start = 0; ; start += pageSize) {
        const query = {
          q: 'author',
          author: owner,
          start: String(start),
          count: String(pageSize),
          sortBy: 'LAST_MODIFIED',
        };
        const response = await get('posts', query, { 'x-restli-method': 'FINDER' });
        const { elements, paging } = readResponse(Posts, response);
        // A page may have fewer posts than were asked for, and still not be the last one.
        if (elements.length === 0) return;
        yield elements.map(toReadPost);
        if (paging?.total !== undefined && start + pageSize >= paging.total) return;
      }
    },

    async readPost(urn: string): Promise<ReadPost & { readonly lifecycleState: string | undefined }> {
      const read = readResponse(Post, await get(`posts/${encodeURIComponent(urn)}`));
      return { ...toReadPost(read), lifecycleState: read.lifecycleState };
    },

    /** Deletes a post. LinkedIn answers 204 also if it was deleted before ("Posts API"). */
    deletePost: async (urn: string): Promise<void> => {
      const path = `posts/${encodeURIComponent(urn)}`;
      const headers = { 'x-restli-method': 'DELETE' };
      requireDeletion(await callLinkedin(tools, { method: 'DELETE', path, bearer, headers }));
    },

    /** Comments on a post as the account, in plain text ("Comments API"). */
    async comment(urn: string, text: string): Promise<void> {
      const response = await post(commentsOf(urn), { actor: owner, object: urn, message: { text } });
      const { status } = response;
      if (status === 201 || response.headers['x-restli-id'] !== undefined) return;
      throw new PlatformError('unknown', 'LinkedIn did not confirm the first comment', { status });
    },

    /**
     * Returns true if the account has written this comment. Reads only the first hundred comments, because the post
     * has just gone live.
     */
    async hasOwnComment(urn: string, text: string): Promise<boolean> {
      const { elements } = readResponse(Comments, await get(commentsOf(urn), { count: String(pageSize) }));
      return elements.some(({ actor, message }) => actor === owner && isSameText(message?.text, text));
    },
  };
}

const commentsOf = (urn: string) => `socialActions/${encodeURIComponent(urn)}/comments`;

function toReadPost({ id, commentary, createdAt, publishedAt, ...read }: z.infer<typeof Post>): ReadPost {
  const { media, multiImage, article, poll } = read.content ?? {};
  const { parent, root } = read.reshareContext ?? {};
  const shown = media ? [media] : (multiImage?.images ?? []);
  const thumbnail = article?.thumbnail === undefined ? [] : [article.thumbnail];
  return {
    id,
    commentary,
    createdMs: publishedAt ?? createdAt,
    assets: [...shown.map((asset) => asset.id), ...thumbnail],
    link: article?.source,
    poll: poll && { question: poll.question, options: poll.options.map((option) => option.text) },
    reshared: read.reshareContext && [parent, root].filter((urn) => urn !== undefined),
  };
}
