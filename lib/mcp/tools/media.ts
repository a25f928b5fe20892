import * as z from 'zod';
import { Id } from '../../api-contract/fields.ts';
import { importMediaOperation, presignMediaOperation, readMediaOperation } from '../../media/operations.ts';
import { reads, tool } from '../tool.ts';
import { FileState, toFileState } from '../views.ts';

export const addMedia = tool({
  name: 'add_media',
  title: 'Add a file',
  description:
    'Adds a file. With `url`, Herald fetches it. With `filename`, PUT the bytes to `uploadUrl` with that `contentType` and no other headers. Posts may use `mediaUrl` at once.',
  effects: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    url: z.string().max(2_048).optional().meta({ description: 'Public https URL' }),
    filename: z.string().min(1).max(255).optional(),
    contentType: z.string().max(255).optional(),
    sizeBytes: z.int().positive().optional(),
  }),
  output: z.object({
    mediaId: z.string(),
    mediaUrl: z.string(),
    uploadUrl: z.string().optional(),
    contentType: z.string().optional(),
    expiresInSeconds: z.int().optional(),
  }),
  operations: [importMediaOperation, presignMediaOperation],
  fieldName: (field) => (field === 'size' ? 'sizeBytes' : field),
  run: async ({ call }, { url, sizeBytes: size, ...file }) => {
    if (url !== undefined) {
      const { media } = await call(importMediaOperation, { body: { url, ...file } });
      return { mediaId: media.id, mediaUrl: media.publicUrl };
    }
    const grant = await call(presignMediaOperation, { body: { ...file, size } });
    const { mediaId, publicUrl, uploadUrl, contentType, expiresIn } = grant;
    return { mediaId, mediaUrl: publicUrl, uploadUrl, contentType, expiresInSeconds: expiresIn };
  },
});

export const getMedia = tool({
  name: 'get_media',
  title: 'Read a file',
  description: 'The state of a file: pending, ready or invalid, with the reason.',
  effects: reads,
  input: z.strictObject({ mediaId: Id }),
  output: FileState,
  operations: [readMediaOperation],
  run: async ({ call }, { mediaId }) => {
    const { media } = await call(readMediaOperation, { path: { id: mediaId } });
    return toFileState(media);
  },
});
