import * as z from 'zod';
import { Timestamp } from '../api-contract/fields.ts';
import { MediaType } from '../platforms/contract/names.ts';
import { type Media, MediaProbe, MediaStatus, type StoredImport } from './schemas.ts';
import { mediaTypeOf } from './types.ts';
import { previewOf, publicUrl } from './urls.ts';

export const MediaImport = z
  .object({
    status: z.enum(['waiting', 'fetching', 'checking', 'done', 'failed']).meta({
      description:
        '`waiting`: queued, or between two attempts. `fetching`: it is being downloaded. `checking`: it has arrived and is inspected. `done`: the file is `ready`. `failed`: the file is `invalid`',
    }),
    attempts: z.int().meta({ description: 'Number of attempts to fetch it' }),
    receivedBytes: z.int().meta({ description: 'Bytes received in the latest attempt' }),
    totalBytes: z.int().nullable().meta({ description: 'Null if the server does not say it' }),
    nextAttemptAt: Timestamp.nullable().meta({ description: 'While it is `waiting`' }),
    error: z.string().nullable().meta({ description: 'Reason why the latest attempt failed' }),
  })
  .meta({ id: 'MediaImport' });

export const MediaView = z
  .object({
    id: z.uuid().meta({ description: '`mediaId` of the upload grant' }),
    status: MediaStatus,
    statusMessage: z.string().nullable().meta({ description: 'Reason why the file is `invalid`' }),
    type: MediaType.meta({ description: 'For `mediaItems[].type`' }),
    filename: z.string(),
    contentType: z.string(),
    sizeBytes: z.int().nullable().meta({ description: 'Null until the file has arrived' }),
    sha256: z.string().nullable().meta({
      description:
        'SHA-256 of the file at `publicUrl`, in hexadecimal. A file that is `ready` never changes. Null until then, and for files uploaded before it was recorded',
    }),
    publicUrl: z.string().meta({ description: 'For `mediaItems[].url`. Serves the file once it is `ready`' }),
    previewUrl: z.string().nullable().meta({
      description: 'A small JPEG of a video; null if nobody has stored one, and for other files',
    }),
    probe: MediaProbe.nullable().meta({ description: 'Properties found in the file; null if none were' }),
    sourceUrl: z.string().nullable().meta({
      description: 'Source URL of an imported file, without the query; null for an upload',
    }),
    import: MediaImport.nullable().meta({ description: 'Progress of its import; null for an upload' }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Media' });
export type MediaView = z.infer<typeof MediaView>;

/**
 * Converts a file's record to the form that the API returns.
 *
 * @param mediaBaseUrl the media host, without a final slash
 */
export function toMediaView(media: Media, mediaBaseUrl: string): MediaView {
  return {
    id: media.id,
    status: media.status,
    statusMessage: media.statusMessage ?? null,
    type: mediaTypeOf(media.contentType),
    filename: media.filename,
    contentType: media.contentType,
    sizeBytes: media.sizeBytes ?? null,
    sha256: media.sha256 ?? null,
    publicUrl: publicUrl(mediaBaseUrl, media.objectKey),
    previewUrl: media.hasPreview ? publicUrl(mediaBaseUrl, previewOf(media.objectKey)) : null,
    probe: media.probe ?? null,
    sourceUrl: media.sourceUrl ?? null,
    import: media.import ? toImportView(media, media.import) : null,
    createdAt: media.createdAt,
  };
}

function toImportView({ status }: Media, progress: StoredImport): z.infer<typeof MediaImport> {
  const settled = { pending: undefined, ready: 'done', invalid: 'failed' } as const;
  const shown = settled[status] ?? progress.status;
  const { attempts, receivedBytes, totalBytes, notBefore, error } = progress;
  return {
    status: shown,
    attempts,
    receivedBytes,
    totalBytes: totalBytes ?? null,
    nextAttemptAt: shown === 'waiting' ? notBefore : null,
    error: shown === 'done' ? null : (error ?? null),
  };
}
