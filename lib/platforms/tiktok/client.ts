import * as z from 'zod';
import type { Json } from '../../kernel/json.ts';
import type { MediaSource, PublishJob } from '../contract/adapter.ts';
import { apiVersions } from '../contract/api-versions.ts';
import type { CallLimits, PlatformResponse } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { readResponse } from '../shared/json.ts';
import { photosAbsence } from './absence.ts';
import type { ByteRange } from './chunks.ts';
import { requireSuccess } from './errors.ts';
import { videoLimits } from './limits.ts';
import type { Creator, ListedPost } from './map.ts';

/** Returns the schema of a response in its envelope. Only the code `ok` means success. */
const responseOf = <T extends z.ZodType>(data: T) =>
  z.object({ data, error: z.object({ code: z.literal('ok') }) });

const text = z.string().optional().catch(undefined);
const flag = z.boolean().catch(false);
/** An id. It may be a number beyond 2^53, which `parsePlatformJson` returns as text. */
const Id = z.union([z.string().min(1), z.int()]).transform(String);

const CreatorInfo = responseOf(
  z.object({
    creator_avatar_url: text,
    creator_nickname: text,
    creator_username: text,
    privacy_level_options: z.array(z.string()),
    comment_disabled: flag,
    duet_disabled: flag,
    stitch_disabled: flag,
    max_video_post_duration_sec: z.number().optional().catch(undefined),
  }),
);

/** The upload URL, which needs no further authorization. Must belong to TikTok: Herald sends the file to it. */
const UploadUrl = z
  .string()
  .refine(
    (url) => URL.canParse(url) && /^https:\/\/([a-z0-9-]+\.)*tiktokapis\.com\//.test(new URL(url).href),
  );

const PublishId = z.string().min(1);
const VideoInit = responseOf(z.object({ publish_id: PublishId, upload_url: UploadUrl }));
const ContentInit = responseOf(z.object({ publish_id: PublishId }));

const StatusResponse = responseOf(
  z.object({
    status: z.enum([
      'PROCESSING_UPLOAD',
      'PROCESSING_DOWNLOAD',
      'SEND_TO_USER_INBOX',
      'PUBLISH_COMPLETE',
      'FAILED',
    ]),
    fail_reason: z.string().catch(''),
    uploaded_bytes: z.int().nonnegative().optional().catch(undefined),
    /** The ids of the public posts. TikTok misspells this name. */
    publicaly_available_post_id: z.array(Id).catch([]),
  }),
);

const Videos = responseOf(
  z.object({
    cursor: z.int().optional().catch(undefined),
    has_more: flag,
    videos: z
      .array(z.object({ id: Id, create_time: z.number(), title: text, video_description: text }))
      .catch([]),
  }),
);

/** TikTok's current settings and limits for the creator's posts. */
export interface CreatorStanding extends Creator {
  readonly nickname: string | null;
  /** The avatar's URL, valid for two hours. */
  readonly avatarUrl: string | null;
  readonly privacyLevels: readonly string[];
  /** Null if TikTok gives no limit. */
  readonly maxVideoSeconds: number | null;
}

/** The status of a post after its upload or download has begun. */
export interface PublishStatus {
  readonly state: z.infer<typeof StatusResponse>['data']['status'];
  readonly failReason: string;
  readonly uploadedBytes: number | undefined;
  /** The post's id; null until TikTok shows the post publicly. */
  readonly postId: string | null;
}

export type TiktokClient = ReturnType<typeof tiktokClient>;

export function apiRoot({ apiVersion = apiVersions.tiktok.name }: PlatformTools): string {
  return `https://open.tiktokapis.com/${apiVersion}`;
}

const photosPath = 'post/publish/content/init/';

/** Returns the URL of the last call for photos. */
export function photosUrl(tools: PlatformTools): string {
  return `${apiRoot(tools)}/${photosPath}`;
}

/** Returns the calls of the Content Posting API for publishing. All of them throw `PlatformError`. */
export function tiktokClient({ accessToken: bearer }: Pick<PublishJob, 'accessToken'>, tools: PlatformTools) {
  const post = async (path: string, json: Json, limits: CallLimits = {}) =>
    requireSuccess(
      await tools.http.send({
        method: 'POST',
        url: `${apiRoot(tools)}/${path}`,
        bearer,
        body: { json },
        ...limits,
      }),
    );

  return {
    creator: async (): Promise<CreatorStanding> => {
      const { data } = readResponse(CreatorInfo, await post('post/publish/creator_info/query/', {}));
      return {
        nickname: data.creator_nickname ?? null,
        avatarUrl: data.creator_avatar_url ?? null,
        username: data.creator_username ?? null,
        maxVideoSeconds: data.max_video_post_duration_sec ?? null,
        privacyLevels: data.privacy_level_options,
        commentDisabled: data.comment_disabled,
        duetDisabled: data.duet_disabled,
        stitchDisabled: data.stitch_disabled,
      };
    },

    /** Starts an upload, for a post or a draft, which must be completed within an hour. Posts nothing. */
    beginVideo: async (
      request: Json,
      { isDraft }: { readonly isDraft: boolean },
    ): Promise<{ publishId: string; uploadUrl: string }> => {
      const path = isDraft ? 'post/publish/inbox/video/init/' : 'post/publish/video/init/';
      const { data } = readResponse(VideoInit, await post(path, request));
      return { publishId: data.publish_id, uploadUrl: data.upload_url };
    },

    /** Makes the photos live, or sends a draft of them: TikTok downloads them and publishes the post. */
    postPhotos: async (request: Json): Promise<string> =>
      readResponse(
        ContentInit,
        await post(photosPath, request, { totalSeconds: photosAbsence.callSeconds, isLastCall: true }),
      ).data.publish_id,

    status: async (publishId: string): Promise<PublishStatus> => {
      const response = await post('post/publish/status/fetch/', { publish_id: publishId });
      const { data } = readResponse(StatusResponse, response);
      return {
        state: data.status,
        failReason: data.fail_reason,
        uploadedBytes: data.uploaded_bytes,
        postId: data.publicaly_available_post_id[0] ?? null,
      };
    },

    /** Lists the account's public posts page by page, newest first. */
    async *listPosts(): AsyncGenerator<readonly ListedPost[]> {
      const path = 'video/list/?fields=id,title,video_description,create_time';
      let cursor: number | undefined;
      do {
        const page = { max_count: 20, ...(cursor !== undefined && { cursor }) };
        const { data } = readResponse(Videos, await post(path, page));
        yield data.videos;
        cursor = data.has_more ? data.cursor : undefined;
      } while (cursor !== undefined);
    },

    /** Sends a chunk. The caller interprets the status and headers, which mean something else for the last chunk. */
    sendChunk: (
      uploadUrl: string,
      video: MediaSource,
      { first, last }: ByteRange,
      limits: CallLimits,
    ): Promise<PlatformResponse> =>
      tools.http.send({
        method: 'PUT',
        url: uploadUrl,
        headers: { 'content-range': `bytes ${first}-${last}/${video.sizeBytes}` },
        body: {
          open: () => video.openRange(first, last),
          contentType: uploadType(video),
          sizeBytes: last - first + 1,
        },
        ...limits,
      }),
  };
}

function uploadType({ contentType }: MediaSource): string {
  const types: readonly string[] = videoLimits.contentTypes;
  const given = contentType.toLowerCase();
  return types.includes(given) ? given : 'video/mp4';
}
