import * as z from 'zod';
import type { Json } from '../../kernel/json.ts';
import type { MediaSource, PublishJob } from '../contract/adapter.ts';
import { apiVersions } from '../contract/api-versions.ts';
import type { CallLimits, Parameters, PlatformRequest, PlatformResponse } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { readResponse } from '../shared/json.ts';
import { multipartBody } from '../shared/multipart.ts';
import { requireDeletion } from '../shared/removal.ts';
import { pinAbsence } from './absence.ts';
import { requireSuccess, requireUploaded } from './errors.ts';
import { openWhole } from './file-stream.ts';
import type { ListedPin } from './map.ts';

/**
 * Returns the URL of the API. The sandbox has the same calls, its own tokens and its own data. An app with Trial access
 * can create Pins only there. https://developers.pinterest.com/docs/developer-tools/sandbox/
 */
export function apiRoot({ apiVersion = apiVersions.pinterest.name, isSandbox }: PlatformTools): string {
  return `https://${isSandbox ? 'api-sandbox' : 'api'}.pinterest.com/${apiVersion}`;
}

/** Returns the URL of the last call. */
export function pinsUrl(tools: PlatformTools): string {
  return `${apiRoot(tools)}/pins`;
}

/** Calls the REST API. @throws PlatformError with the remedy from the error table */
export async function callPinterest(
  tools: PlatformTools,
  request: Omit<PlatformRequest, 'url'> & { readonly path: string },
): Promise<PlatformResponse> {
  const { path, ...rest } = request;
  const response = await tools.http.send({ ...rest, url: `${apiRoot(tools)}/${path}` });
  return requireSuccess(response, tools.now());
}

/** An id. Pinterest sends ids as strings; a number is also accepted. */
export const PinterestId = z.union([z.string(), z.int()]).transform(String).pipe(z.string().regex(/^\d+$/));

/** An upload URL. Must belong to Pinterest or its bucket: Herald sends the video to it. */
const UploadUrl = z
  .string()
  .refine(
    (url) =>
      URL.canParse(url) && /^https:\/\/([a-z0-9-]+\.)+(amazonaws|pinterest)\.com\//.test(new URL(url).href),
  );

const Registration = z.object({
  media_id: PinterestId,
  upload_url: UploadUrl,
  upload_parameters: z.record(z.string(), z.string()),
});

export interface VideoRegistration {
  readonly mediaId: string;
  readonly url: string;
  /** Fields of the upload's form. They authorize the upload, so they must not be stored. */
  readonly fields: Parameters;
}

const MediaStatus = z.object({ status: z.enum(['registered', 'processing', 'succeeded', 'failed']) });
export type MediaStatus = z.infer<typeof MediaStatus>['status'];

const WithId = z.object({ id: PinterestId });
const text = z.string().optional().catch(undefined);
const Pin = WithId.extend({
  board_id: text,
  created_at: text,
  title: text,
  description: text,
  link: text,
  alt_text: text,
  is_owner: z.boolean().optional().catch(undefined),
  media: z.object({ media_type: text }).optional().catch(undefined),
});
const Pins = z.object({ items: z.array(Pin), bookmark: z.string().nullable().catch(null) });

/** The page size, which keeps a response far below 1 MB. */
const pinsPerPage = '50';

export type PinterestClient = ReturnType<typeof pinterestClient>;

/** Returns the calls for publishing. All of them throw `PlatformError`. */
export function pinterestClient(
  { accessToken: bearer }: Pick<PublishJob, 'accessToken'>,
  tools: PlatformTools,
) {
  const get = (path: string, query: Parameters = {}) =>
    callPinterest(tools, { method: 'GET', path, query, bearer });
  const post = (path: string, json: Json, limits: CallLimits = {}) =>
    callPinterest(tools, { method: 'POST', path, bearer, body: { json }, ...limits });

  return {
    async registerVideo(): Promise<VideoRegistration> {
      const registered = readResponse(Registration, await post('media', { media_type: 'video' }));
      const { media_id: mediaId, upload_url: url, upload_parameters: fields } = registered;
      return { mediaId, url, fields };
    },

    /** Uploads the file as the last part of the form. Sends no token: the form's fields authorize the upload. */
    async uploadVideo(
      { url, fields }: VideoRegistration,
      file: MediaSource,
      limits: Pick<PlatformRequest, 'totalSeconds' | 'signal'>,
    ): Promise<void> {
      const part = {
        name: 'file',
        filename: file.contentType === 'video/quicktime' ? 'video.mov' : 'video.mp4',
        contentType: file.contentType,
        sizeBytes: file.sizeBytes,
        open: () => openWhole(file),
      };
      const body = multipartBody(fields, part);
      requireUploaded(await tools.http.send({ method: 'POST', url, body, ...limits }));
    },

    mediaStatus: async (mediaId: string): Promise<MediaStatus> =>
      readResponse(MediaStatus, await get(`media/${encodeURIComponent(mediaId)}`)).status,

    /** Makes the last call. @returns the Pin's id */
    createPin: async (request: Json): Promise<string> =>
      readResponse(
        WithId,
        await post('pins', request, { totalSeconds: pinAbsence.callSeconds, isLastCall: true }),
      ).id,

    deletePin: async (pinId: string): Promise<void> => {
      const path = `pins/${encodeURIComponent(pinId)}`;
      requireDeletion(await callPinterest(tools, { method: 'DELETE', path, bearer }));
    },

    /** Lists the Pins of a board, or of one of its sections, page by page. */
    listBoardPins: (boardId: string, sectionId?: string) =>
      pinPages(
        sectionId === undefined ? `boards/${boardId}/pins` : `boards/${boardId}/sections/${sectionId}/pins`,
      ),

    /** Lists the account's own Pins on all boards, page by page. */
    listOwnPins: () => pinPages('pins'),
  };

  /** Reads the pages of a list of Pins: newest first in practice, although Pinterest does not document the order. */
  async function* pinPages(path: string): AsyncGenerator<readonly ListedPin[]> {
    let next: string | undefined;
    do {
      const page = readResponse(Pins, await get(path, { page_size: pinsPerPage, bookmark: next }));
      yield page.items;
      next = page.bookmark ?? undefined;
    } while (next !== undefined);
  }
}
