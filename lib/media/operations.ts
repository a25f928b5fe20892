import * as z from 'zod';
import { CursorQuery, limitQuery, NextCursor, PathId } from '../api-contract/fields.ts';
import { operation } from '../api-contract/operation.ts';
import { MediaStatus } from './schemas.ts';
import { acceptedContentTypes, largestDocumentBytes, largestImageBytes, largestVideoBytes } from './types.ts';
import { MediaView } from './view.ts';

export const PresignBody = z
  .object({
    filename: z.string().min(1).max(255),
    contentType: z
      .string()
      .max(255)
      .optional()
      .meta({
        description: `One of ${acceptedContentTypes.join(', ')}; taken from the file name where it is absent`,
      }),
    size: z
      .int()
      .positive()
      .max(largestVideoBytes)
      .optional()
      .meta({
        description: `Bytes. Where it is given the upload must have exactly this size. Images have at most ${largestImageBytes} bytes, documents ${largestDocumentBytes}`,
      }),
  })
  .meta({ id: 'PresignMedia' });
export type PresignBody = z.infer<typeof PresignBody>;

export const UploadGrant = z
  .object({
    mediaId: z.uuid(),
    uploadUrl: z.string().meta({ description: 'PUT the bytes here, with `Content-Type` as below' }),
    publicUrl: z.string().meta({ description: 'For `mediaItems[].url`' }),
    expiresIn: z.int().meta({ description: 'Seconds within which the upload must begin' }),
    contentType: z.string(),
  })
  .meta({ id: 'UploadGrant' });
export type UploadGrant = z.infer<typeof UploadGrant>;

export const presignMediaOperation = operation({
  id: 'media-presign',
  method: 'POST',
  path: '/v1/media/presign',
  summary: 'Get an address to upload a file to',
  access: 'key',
  body: PresignBody,
  replies: { 200: { description: 'The grant', body: UploadGrant } },
  refusals: {
    413: 'The storage quota is used up: delete old media, or wait for published files to be cleaned up',
  },
});

const byId = z.object({ id: PathId });
const unknown = 'No such file in this workspace';

export const listMediaOperation = operation({
  id: 'media-list',
  method: 'GET',
  path: '/v1/media',
  summary: 'List the files of the workspace, newest first',
  description: 'A page may be shorter than `limit`; `nextCursor` says whether more follow.',
  access: 'key',
  query: z.object({
    status: MediaStatus.optional(),
    limit: limitQuery(500).default(50),
    cursor: CursorQuery,
  }),
  replies: {
    200: {
      description: 'A page of files',
      body: z.object({ media: z.array(MediaView), nextCursor: NextCursor }),
    },
  },
});

export const readMediaOperation = operation({
  id: 'media-read',
  method: 'GET',
  path: '/v1/media/{id}',
  summary: 'Read a file: whether it has arrived, and what was found in it',
  access: 'key',
  pathParameters: byId,
  replies: { 200: { description: 'The file', body: z.object({ media: MediaView }) } },
  refusals: { 404: unknown },
});

export const deleteMediaOperation = operation({
  id: 'media-delete',
  method: 'DELETE',
  path: '/v1/media/{id}',
  summary: 'Delete a file',
  description:
    'Its bytes are free at once; its address answers for some minutes more, and for up to a day where it was fetched before. A draft that refers to it cannot be scheduled any more.',
  access: 'key',
  pathParameters: byId,
  replies: { 200: { description: 'Deleted', body: z.object({ ok: z.literal(true) }) } },
  refusals: { 404: unknown, 409: 'A scheduled post uses it' },
});
