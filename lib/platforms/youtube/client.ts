import * as z from 'zod';
import type { Json } from '../../kernel/json.ts';
import type { MediaSource, PublishJob } from '../contract/adapter.ts';
import { apiVersions } from '../contract/api-versions.ts';
import type { Parameters } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { isSameText } from '../shared/find-listed.ts';
import { readResponse } from '../shared/json.ts';
import { requireSuccess } from './errors.ts';

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
      status: z.object({
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

const Items = z.object({ items: z.array(z.unknown()) });

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
}

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
  const get = async (path: string, query: Parameters) =>
    requireSuccess(
      await tools.http.send({ method: 'GET', url: `${apiRoot(tools)}/${path}`, query, bearer }),
      tools.now(),
    );

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

    readVideo: async (id: string): Promise<VideoState> => {
      const response = await get('videos', { part: 'status,processingDetails', id });
      const [video] = readResponse(Videos, response).items;
      const { uploadStatus, failureReason, rejectionReason, privacyStatus } = video?.status ?? {};
      const processingStatus = video?.processingDetails?.processingStatus;
      const isDone = uploadStatus === 'processed';
      const isProcessed = processingStatus === undefined ? isDone : processingStatus === 'succeeded';
      if (uploadStatus === 'failed' || uploadStatus === 'rejected') {
        const reason = failureReason ?? rejectionReason ?? uploadStatus;
        return { processing: 'failed', reason, isProcessed, privacyStatus };
      }
      if (processingStatus === 'failed') {
        return { processing: 'failed', reason: 'processing', isProcessed, privacyStatus };
      }
      return { processing: isDone ? 'done' : 'running', isProcessed, privacyStatus };
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

    isInPlaylist: async (playlistId: string, videoId: string): Promise<boolean> => {
      const query = { part: 'id', playlistId, videoId, maxResults: '1' };
      return readResponse(Items, await get('playlistItems', query)).items.length > 0;
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

export function apiRoot({ apiVersion = apiVersions.youtube.name }: PlatformTools): string {
  return `https://www.googleapis.com/youtube/${apiVersion}`;
}

export function uploadRoot({ apiVersion = apiVersions.youtube.name }: PlatformTools): string {
  return `https://www.googleapis.com/upload/youtube/${apiVersion}`;
}
