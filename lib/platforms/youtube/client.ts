import * as z from 'zod';
import type { MediaSource, PublishJob } from '../contract/adapter.ts';
import type { Parameters } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { readResponse } from '../shared/json.ts';
import { requireSuccess } from './errors.ts';
import { apiRoot, uploadRoot } from './urls.ts';

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
      status: z.object({ uploadStatus: text, failureReason: text, rejectionReason: text }),
      processingDetails: z.object({ processingStatus: text }).optional().catch(undefined),
    }),
  ),
});

export interface ListedVideo {
  readonly id: string;
  readonly title: string;
  /** When it was added to the list of uploads, in epoch milliseconds. */
  readonly publishedMs: number;
}

/** The state of a video's processing, which starts after its last byte. */
export interface Processing {
  readonly state: 'running' | 'done' | 'failed';
  readonly reason?: string;
}

/** The calls of the YouTube Data API after an upload. All of them throw `PlatformError`. */
export function youtubeClient(
  { accessToken: bearer }: Pick<PublishJob, 'accessToken'>,
  tools: PlatformTools,
) {
  const get = async (path: string, query: Parameters) =>
    requireSuccess(
      await tools.http.send({ method: 'GET', url: `${apiRoot(tools)}/${path}`, query, bearer }),
      tools.now(),
    );

  return {
    /** The channel's uploads page by page, newest first, including private ones. */
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

    processing: async (id: string): Promise<Processing> => {
      const response = await get('videos', { part: 'status,processingDetails', id });
      const [video] = readResponse(Videos, response).items;
      const { uploadStatus, failureReason, rejectionReason } = video?.status ?? {};
      if (uploadStatus === 'failed' || uploadStatus === 'rejected') {
        return { state: 'failed', reason: failureReason ?? rejectionReason ?? uploadStatus };
      }
      if (video?.processingDetails?.processingStatus === 'failed')
        return { state: 'failed', reason: 'processing' };
      return { state: uploadStatus === 'processed' ? 'done' : 'running' };
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
  };
}
