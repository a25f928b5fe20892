import * as z from 'zod';
import type { Json } from '../../kernel/json.ts';
import type { MediaSource, PublishJob } from '../contract/adapter.ts';
import { apiVersions } from '../contract/api-versions.ts';
import type { CallLimits, Parameters } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { isSameText } from '../shared/find-listed.ts';
import { readResponse } from '../shared/json.ts';
import { relatedBody } from '../shared/multipart.ts';
import { requireDeletion } from '../shared/removal.ts';
import { requireSuccess } from './errors.ts';
import { type Caption, KnownSettings } from './map.ts';

const text = z.string().optional().catch(undefined);

const Uploads = z.object({
  nextPageToken: text,
  items: z.array(
    z.object({
      snippet: z.object({
        title: z.string(),
        publishedAt: z.string(),
        resourceId: z.object({ videoId: z.string() }),
      }),
    }),
  ),
});

const Videos = z.object({
  items: z.array(
    z.object({
      snippet: z.object({ publishedAt: text }).optional().catch(undefined),
      status: z.looseObject({
        uploadStatus: text,
        failureReason: text,
        rejectionReason: text,
        privacyStatus: text,
      }),
      processingDetails: z.object({ processingStatus: text }).optional().catch(undefined),
    }),
  ),
});

/** The created resource. A response without an id may be a proxy's, so it says nothing about the call. */
const WithId = z.object({ id: z.string().min(1) });

const Items = z.object({ items: z.array(WithId) });

const UpdatedVideo = WithId.extend({ status: z.object({ privacyStatus: z.string() }) });

const CaptionTracks = z.object({
  items: z
    .array(
      WithId.extend({
        snippet: z.object({ language: z.string(), name: z.string().catch(''), trackKind: text }),
      }),
    )
    .default([]),
});

const CommentThreads = z.object({
  nextPageToken: text,
  items: z.array(
    z.object({
      snippet: z.object({
        topLevelComment: z.object({
          snippet: z.object({
            authorChannelId: z.object({ value: z.string() }).optional().catch(undefined),
            textOriginal: text,
            textDisplay: text,
          }),
        }),
      }),
    }),
  ),
});

/** The limit on pages of 100 comments. A video is a few minutes old when its first comment is looked for. */
const maxCommentPages = 5;

export interface ListedVideo {
  readonly id: string;
  readonly title: string;
  /** The time at which the video was added to the list of uploads, in epoch milliseconds. */
  readonly publishedMs: number;
}

/** A video after its last byte has arrived. */
export interface VideoState {
  readonly processing: 'running' | 'done' | 'failed';
  /** The reason why processing failed. */
  readonly reason?: string;
  /** True if YouTube reports that processing has ended, which may be later than `done`: thumbnails of Shorts need it. */
  readonly isProcessed: boolean;
  /** `public`, `unlisted` or `private`. */
  readonly privacyStatus: string | undefined;
  /** The other properties of its status that can be set. */
  readonly settings: KnownSettings;
  /** The time at which the video became visible, in epoch milliseconds; before that, the time of its upload. */
  readonly publishedMs: number | undefined;
}

const settingNames: ReadonlySet<string> = new Set(KnownSettings.keyType.options);

export type YoutubeClient = ReturnType<typeof youtubeClient>;

/** Returns the calls of the YouTube Data API after an upload. All of them throw `PlatformError`. */
export function youtubeClient(
  { accessToken: bearer }: Pick<PublishJob, 'accessToken'>,
  tools: PlatformTools,
) {
  const post = async (path: string, json: Json): Promise<void> => {
    const url = `${apiRoot(tools)}/${path}`;
    const request = { method: 'POST', url, query: { part: 'snippet' }, bearer, body: { json } } as const;
    readResponse(WithId, requireSuccess(await tools.http.send(request), tools.now()));
  };
  const get = async (path: string, query: Parameters, limits: CallLimits = {}) =>
    requireSuccess(
      await tools.http.send({ method: 'GET', url: `${apiRoot(tools)}/${path}`, query, bearer, ...limits }),
      tools.now(),
    );
  const sendDelete = (path: string, id: string) =>
    tools.http.send({ method: 'DELETE', url: `${apiRoot(tools)}/${path}`, query: { id }, bearer });
  const remove = async (path: string, id: string): Promise<void> => {
    const response = await sendDelete(path, id);
    if (response.status !== 404) requireDeletion(requireSuccess(response, tools.now()));
  };
  const entriesOf = async (playlistId: string, videoId: string) => {
    const query = { part: 'id', playlistId, videoId, maxResults: '50' };
    return readResponse(Items, await get('playlistItems', query)).items;
  };

  return {
    /** Lists the channel's uploads page by page, newest first, including private ones. */
    async *listUploads(playlistId: string): AsyncGenerator<readonly ListedVideo[]> {
      let pageToken: string | undefined;
      do {
        const query = { part: 'snippet', playlistId, maxResults: '50', pageToken };
        const { items, nextPageToken } = readResponse(Uploads, await get('playlistItems', query));
        yield items.map(({ snippet: { title, publishedAt, resourceId } }) => ({
          id: resourceId.videoId,
          title,
          publishedMs: Date.parse(publishedAt),
        }));
        pageToken = nextPageToken;
      } while (pageToken !== undefined);
    },

    /** Reads a video; undefined if YouTube shows none, which may be because it is new. */
    readVideo: async (id: string, limits: CallLimits = {}): Promise<VideoState | undefined> => {
      const query = { part: 'snippet,status,processingDetails', id };
      const [video] = readResponse(Videos, await get('videos', query, limits)).items;
      if (video === undefined) return undefined;
      const { uploadStatus, failureReason, rejectionReason, privacyStatus } = video.status;
      const processingStatus = video.processingDetails?.processingStatus;
      const isDone = uploadStatus === 'processed';
      const isProcessed = processingStatus === undefined ? isDone : processingStatus === 'succeeded';
      const publishedMs = epochMs(video.snippet?.publishedAt);
      const settings = Object.fromEntries(
        Object.entries(video.status).filter(([name]) => settingNames.has(name)),
      );
      const state = {
        isProcessed,
        privacyStatus,
        settings: KnownSettings.catch({}).parse(settings),
        publishedMs,
      };
      if (uploadStatus === 'failed' || uploadStatus === 'rejected') {
        return { ...state, processing: 'failed', reason: failureReason ?? rejectionReason ?? uploadStatus };
      }
      if (processingStatus === 'failed') return { ...state, processing: 'failed', reason: 'processing' };
      return { ...state, processing: isDone ? 'done' : 'running' };
    },

    /**
     * Replaces parts of a video's metadata. Can be repeated.
     *
     * @param parts the whole parts: a property that is left out gets its default
     * @returns the video's privacy as it is now; empty if `status` is not one of the parts
     */
    updateVideo: async (
      id: string,
      parts: { readonly [part: string]: Json },
      limits: CallLimits = {},
    ): Promise<string> => {
      const response = await tools.http.send({
        method: 'PUT',
        url: videosUrl(tools),
        query: { part: Object.keys(parts).join(',') },
        bearer,
        body: { json: { id, ...parts } },
        ...limits,
      });
      const answer = requireSuccess(response, tools.now());
      if ('status' in parts) return readResponse(UpdatedVideo, answer).status.privacyStatus;
      readResponse(WithId, answer);
      return '';
    },

    /** Deletes a video. Does nothing if YouTube has no such video any more. */
    deleteVideo: (id: string): Promise<void> => remove('videos', id),

    /** Does the same for a video that was published. @throws PlatformError with the code `videoNotFound` */
    deletePublished: async (id: string): Promise<void> => {
      requireDeletion(requireSuccess(await sendDelete('videos', id), tools.now()));
    },

    setThumbnail: async (videoId: string, image: MediaSource): Promise<void> => {
      const response = await tools.http.send({
        method: 'POST',
        url: `${uploadRoot(tools)}/thumbnails/set`,
        query: { videoId, uploadType: 'media' },
        bearer,
        body: {
          open: () => image.openRange(0, image.sizeBytes - 1),
          contentType: image.contentType,
          sizeBytes: image.sizeBytes,
        },
        totalSeconds: 60,
      });
      requireSuccess(response, tools.now());
    },

    /** Uploads a caption track. @throws PlatformError with the code `captionExists` if the video has one of that language and name */
    insertCaption: async (videoId: string, { language, name, text: captions }: Caption): Promise<void> => {
      const response = await tools.http.send({
        method: 'POST',
        url: `${uploadRoot(tools)}/captions`,
        query: { part: 'snippet', uploadType: 'multipart' },
        bearer,
        body: relatedBody({ snippet: { videoId, language, name, isDraft: false } }, captions),
        totalSeconds: 60,
      });
      readResponse(WithId, requireSuccess(response, tools.now()));
    },

    /** Lists the caption tracks of a video, except those that YouTube has recognized itself (`ASR`). */
    listCaptions: async (videoId: string): Promise<{ id: string; language: string; name: string }[]> => {
      const { items } = readResponse(CaptionTracks, await get('captions', { part: 'id,snippet', videoId }));
      return items
        .filter(({ snippet }) => snippet.trackKind?.toUpperCase() !== 'ASR')
        .map(({ id, snippet: { language, name } }) => ({ id, language, name }));
    },

    deleteCaption: (id: string): Promise<void> => remove('captions', id),

    isInPlaylist: async (playlistId: string, videoId: string): Promise<boolean> =>
      (await entriesOf(playlistId, videoId)).length > 0,

    /** Removes a video from a playlist, which would keep the entries of a deleted video. */
    removeFromPlaylist: async (playlistId: string, videoId: string): Promise<void> => {
      for (const { id } of await entriesOf(playlistId, videoId)) await remove('playlistItems', id);
    },

    /** Adds a video at the end of a playlist. If the playlist has it already, it is then listed twice. */
    addToPlaylist: (playlistId: string, videoId: string): Promise<void> =>
      post('playlistItems', { snippet: { playlistId, resourceId: { kind: 'youtube#video', videoId } } }),

    /** Posts a comment. @param channelId the video's channel, which is also the author of the comment */
    comment: (channelId: string, videoId: string, textOriginal: string): Promise<void> =>
      post('commentThreads', {
        snippet: { channelId, videoId, topLevelComment: { snippet: { textOriginal } } },
      }),

    /** Returns true if a channel has written a comment with this text on a video. */
    async hasComment(channelId: string, videoId: string, words: string): Promise<boolean> {
      let pageToken: string | undefined;
      for (let page = 0; page < maxCommentPages; page += 1) {
        const query = { part: 'snippet', videoId, textFormat: 'plainText', maxResults: '100', pageToken };
        const { items, nextPageToken } = readResponse(CommentThreads, await get('commentThreads', query));
        const isFound = items.some(({ snippet: { topLevelComment } }) => {
          const { authorChannelId, textOriginal, textDisplay } = topLevelComment.snippet;
          return authorChannelId?.value === channelId && isSameText(textOriginal ?? textDisplay, words);
        });
        if (isFound || nextPageToken === undefined) return isFound;
        pageToken = nextPageToken;
      }
      return false;
    },
  };
}

/** Returns the URL of videos, also of the call that makes one public. */
export const videosUrl = (tools: PlatformTools): string => `${apiRoot(tools)}/videos`;

/** Returns the epoch milliseconds of an ISO 8601 time; undefined if there is none, or it is malformed. */
export function epochMs(time: string | undefined): number | undefined {
  const milliseconds = Date.parse(time ?? '');
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
}

export function apiRoot({ apiVersion = apiVersions.youtube.name }: PlatformTools): string {
  return `https://www.googleapis.com/youtube/${apiVersion}`;
}

export function uploadRoot({ apiVersion = apiVersions.youtube.name }: PlatformTools): string {
  return `https://www.googleapis.com/upload/youtube/${apiVersion}`;
}
