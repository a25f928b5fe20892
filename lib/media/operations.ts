import * as z from 'zod';
import { Timestamp } from '../api-contract/fields.ts';
import { operation } from '../api-contract/operation.ts';
import { ById, deletedReply, pageQuery, pageReply } from '../api-contract/shapes.ts';
import { maxOpenImports } from './imports/open-import.ts';
import { importUrlCharacters } from './imports/plan-import.ts';
import { mostSearched } from './read.ts';
import { MediaStatus } from './schemas.ts';
import {
  acceptedContentTypes,
  largestDocumentBytes,
  largestImageBytes,
  largestVideoBytes,
  mediaKinds,
} from './types.ts';
import { MediaView } from './view.ts';

export const PresignBody = z
  .object({
    filename: z.string().min(1).max(255),
    contentType: z
      .string()
      .max(255)
      .optional()
      .meta({
        description: `One of ${acceptedContentTypes.join(', ')}; if absent, inferred from the file name. Upper case and parameters do not matter, and image/jpg is image/jpeg`,
      }),
    size: z
      .int()
      .positive()
      .max(largestVideoBytes)
      .optional()
      .meta({
        description: `Bytes. If given, the upload must have exactly this size. At most ${largestImageBytes} bytes for images, ${largestDocumentBytes} for documents`,
      }),
    parts: z.boolean().optional().meta({
      description:
        'True to send the file in parts, so that an upload can go on after an interruption. Needs `size`. `uploadUrl` takes the whole file all the same',
    }),
  })
  .meta({ id: 'PresignMedia' });
export type PresignBody = z.infer<typeof PresignBody>;

const GrantedParts = z
  .object({
    partSize: z.int().meta({ description: 'Bytes of each part; the last has the rest' }),
    partCount: z.int(),
    expiresAt: Timestamp.meta({
      description: 'The time by which all parts must be sent. Then those that were sent are removed',
    }),
  })
  .meta({ id: 'GrantedParts' });

export const UploadGrant = z
  .object({
    mediaId: z.uuid(),
    uploadUrl: z.string().meta({ description: 'PUT the bytes here, with the `Content-Type` given below' }),
    publicUrl: z.string().meta({ description: 'For `mediaItems[].url`' }),
    expiresIn: z.int().meta({ description: 'Seconds within which the upload must begin' }),
    contentType: z.string().meta({
      description: 'The `Content-Type` to upload with, which may be spelled differently in the request',
    }),
    parts: GrantedParts.optional().meta({
      description: 'Only if the request asked for parts: `GET /v1/media/{id}/parts` returns their URLs',
    }),
  })
  .meta({ id: 'UploadGrant' });
export type UploadGrant = z.infer<typeof UploadGrant>;

export const presignMediaOperation = operation({
  id: 'presignMedia',
  handler: 'media/presign',
  verb: 'media.upload',
  method: 'POST',
  path: '/v1/media/presign',
  summary: 'Get a URL to upload a file to',
  description:
    'The file is inspected when it has arrived. `publicUrl` serves it once it is `ready`; from then on it never changes, and further uploads to the same URL are removed. Posts may refer to `publicUrl` immediately: they wait for the file until ten minutes after their time. Without `size`, a file that does not fit into the storage quota when it arrives is removed, and its status is `invalid`.',
  body: PresignBody,
  replies: { 200: { description: 'The upload grant', body: UploadGrant } },
  refusals: {
    413: 'The storage quota is used up: delete old media, or wait for published files to be cleaned up',
  },
  rights: { writes: { PutItem: ['MEDIA#'], UpdateItem: ['WORKSPACE#'] }, media: ['PutObject incoming'] },
  settings: ['MEDIA_BASE_URL'],
});

export const PartsToSend = z
  .object({
    parts: z
      .array(
        z.object({
          partNumber: z.int(),
          offset: z.int().meta({ description: 'The place of its first byte in the file' }),
          size: z.int().meta({ description: 'Bytes. The part must have exactly this size' }),
          uploadUrl: z.string().meta({ description: 'PUT the bytes of the part here' }),
        }),
      )
      .meta({ description: 'The first of the parts that have not arrived, at most 32' }),
    missingCount: z.int().meta({ description: 'Number of all parts that have not arrived' }),
    partCount: z.int(),
    expiresIn: z.int().meta({ description: 'Seconds within which sending these parts must begin' }),
  })
  .meta({ id: 'PartsToSend' });
export type PartsToSend = z.infer<typeof PartsToSend>;

/** The rights to read a file that the actor sees. */
const readsOne = { GetItem: ['MEDIA#'], Query: ['USES#'], BatchGetItem: ['POST#'] } as const;

const unknown = 'No such file in this workspace';
const limited =
  'A key that is limited to accounts sees the files that it has uploaded or imported itself, and those of posts that it sees.';

export const listMediaPartsOperation = operation({
  id: 'listMediaParts',
  handler: 'media/parts',
  verb: 'media.read-parts',
  method: 'GET',
  path: '/v1/media/{id}/parts',
  summary: 'Get URLs for the parts of a file that have not arrived',
  description:
    'Send these parts, several at the same time if you like, then call this again, until `missingCount` is 0. Then complete the upload. After an interruption, begin here. Each part that arrives is kept until the upload ends.',
  pathParameters: ById,
  replies: { 200: { description: 'The parts to send', body: PartsToSend } },
  refusals: { 404: unknown, 409: 'The upload has ended, or its grant did not ask for parts' },
  rights: {
    reads: readsOne,
    media: ['PutObject incoming', 'ListMultipartUploadParts incoming'],
  },
});

export const completeMediaOperation = operation({
  id: 'completeMedia',
  handler: 'media/complete',
  verb: 'media.complete',
  method: 'POST',
  path: '/v1/media/{id}/complete',
  summary: 'Complete an upload in parts',
  description:
    'Call it once all parts have arrived; the file is then inspected like any other upload. If the response is lost, call it again: it answers like the first time.',
  pathParameters: ById,
  replies: { 200: { description: 'The file', body: z.object({ media: MediaView }) } },
  refusals: {
    404: unknown,
    409: 'Parts have not arrived, the upload has ended, or its grant did not ask for parts',
  },
  rights: {
    reads: readsOne,
    writes: { UpdateItem: ['MEDIA#'] },
    media: ['GetObject incoming', 'PutObject incoming', 'ListMultipartUploadParts incoming', 'ListBucket'],
  },
  settings: ['MEDIA_BASE_URL'],
  // S3 joins up to 128 parts.
  timeoutSeconds: 29,
});

export const ImportMediaBody = z
  .object({
    url: z
      .string()
      .max(importUrlCharacters)
      .meta({ description: 'A public https address, on port 443 or 8443, without a password' }),
    filename: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .meta({ description: 'Default: the last part of the path' }),
    contentType: z.string().max(255).optional().meta({
      description: 'Type of the file, if its name does not show it. The bytes of the file decide',
    }),
  })
  .meta({ id: 'ImportMedia' });
export type ImportMediaBody = z.infer<typeof ImportMediaBody>;

export const importMediaOperation = operation({
  id: 'importMedia',
  handler: 'media/import',
  verb: 'media.import',
  method: 'POST',
  path: '/v1/media',
  summary: 'Import a file from another server',
  description: `Herald fetches the file and inspects it like an upload; \`GET /v1/media/{id}\` shows how far it is. Redirects are followed up to five times. If the server is busy or cannot be reached, Herald tries again for half an hour. Then, or if the file cannot be fetched or used, its status is \`invalid\`, and \`statusMessage\` says why. Posts may refer to \`publicUrl\` immediately: they wait for the file until 45 minutes after their time. A post may also name the address itself, as \`mediaItems[].url\`. A workspace may have ${maxOpenImports} imports that have not ended.`,
  body: ImportMediaBody,
  replies: { 202: { description: 'The file, which is fetched soon', body: z.object({ media: MediaView }) } },
  rights: { writes: { PutItem: ['MEDIA#'], UpdateItem: ['WORKSPACE#'] } },
  settings: ['MEDIA_BASE_URL', 'PLAIN_HTTP_HOSTS'],
});

export const listMediaOperation = operation({
  id: 'listMedia',
  handler: 'media/list',
  verb: 'media.read',
  method: 'GET',
  path: '/v1/media',
  summary: 'List the files of the workspace, newest first',
  description: `All filters apply together. A page may be shorter than \`limit\`, or empty; \`nextCursor\` says whether more follow. A search reads up to ${mostSearched} files per page. ${limited}`,
  query: pageQuery({
    status: MediaStatus.optional(),
    search: z.string().trim().min(1).max(100).optional().meta({
      description: 'Texts that the file name must contain, separated by spaces. Case does not matter',
    }),
    kind: z.enum(mediaKinds).optional(),
  }),
  replies: pageReply('media', MediaView, 'A page of files'),
  rights: { reads: { Query: ['MEDIA#', 'USES#'], BatchGetItem: ['POST#'] } },
  settings: ['MEDIA_BASE_URL'],
});

export const readMediaOperation = operation({
  id: 'getMedia',
  handler: 'media/read',
  verb: 'media.read',
  method: 'GET',
  path: '/v1/media/{id}',
  summary: 'Read a file: its status, and what its inspection found',
  description: `Poll it after an upload, until its status is \`ready\` or \`invalid\`. ${limited}`,
  pathParameters: ById,
  replies: { 200: { description: 'The file', body: z.object({ media: MediaView }) } },
  refusals: { 404: unknown },
  rights: { reads: readsOne },
  settings: ['MEDIA_BASE_URL'],
});

/** The most bytes of a preview. */
export const mostPreviewBytes = 50_000;

export const storePreviewOperation = operation({
  id: 'storeMediaPreview',
  handler: 'media/store-preview',
  verb: 'media.preview',
  method: 'PUT',
  path: '/v1/media/{id}/preview',
  summary: 'Store a small picture of a video',
  description: `Lists show it. The service does not decode videos, so whoever can sends a frame: the panel does. It is stored once, beside the file, and deleted with it: if the file has a preview, the reply is 200 and nothing changes. ${limited}`,
  pathParameters: ById,
  body: z
    .object({
      data: z
        .string()
        .min(1)
        .max(Math.ceil(mostPreviewBytes / 3) * 4)
        .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'must be base64')
        .meta({
          description: `A JPEG in base64: at most ${mostPreviewBytes} bytes, and 640 pixels on each side`,
        }),
    })
    .meta({ id: 'StoreMediaPreview' }),
  replies: { 200: { description: 'The file, with its preview', body: z.object({ media: MediaView }) } },
  refusals: { 404: unknown, 409: 'The file has not been inspected yet: try again in a few seconds' },
  rights: {
    reads: { GetItem: ['MEDIA#'], Query: ['USES#'], BatchGetItem: ['POST#'] },
    writes: { UpdateItem: ['MEDIA#'] },
    media: ['PutObject media'],
  },
  settings: ['MEDIA_BASE_URL'],
});

export const deleteMediaOperation = operation({
  id: 'deleteMedia',
  handler: 'media/delete',
  verb: 'media.delete',
  method: 'DELETE',
  path: '/v1/media/{id}',
  summary: 'Delete a file',
  description:
    'Deleting frees the storage quota immediately. The public URL keeps working for a few minutes, until the object is removed and cached copies are invalidated. A draft that refers to the file can no longer be scheduled.',
  pathParameters: ById,
  replies: deletedReply,
  refusals: {
    404: unknown,
    409: 'A scheduled post uses it, or a draft that the key does not see; a key that is limited to accounts is not told which',
  },
  rights: {
    reads: { GetItem: ['MEDIA#'], BatchGetItem: ['POST#'], Query: ['USES#', 'POST#'] },
    writes: { UpdateItem: ['MEDIA#', 'WORKSPACE#'] },
  },
  // The operation reads up to a thousand posts that refer to the file.
  timeoutSeconds: 29,
});
