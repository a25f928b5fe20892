import * as z from 'zod';
import { operation } from '../http/operation.ts';
import { acceptedContentTypes, largestDocumentBytes, largestImageBytes, largestVideoBytes } from './types.ts';

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
