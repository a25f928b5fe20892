import * as z from 'zod';
import { Id } from '../http/fields.ts';

export const MediaType = z.enum(['video', 'image']);
export type MediaType = z.infer<typeof MediaType>;

export const MediaStatus = z.enum(['pending', 'ready', 'invalid']);

/** A file of a workspace, from its upload grant on. */
export const Media = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  /** Where it is in the bucket. Addresses are made from it when they are shown. */
  objectKey: z.string(),
  filename: z.string(),
  contentType: z.string(),
  status: MediaStatus,
  /** What it takes from the workspace's quota: the declared size until it arrives, the real one afterwards. */
  reservedBytes: z.int(),
  /** The real size, once it has arrived. */
  sizeBytes: z.int().optional(),
  etag: z.string().optional(),
  statusMessage: z.string().optional(),
  createdAt: z.string(),
});
export type Media = z.infer<typeof Media>;

/** How posts refer to a file: request and answer alike. */
export const MediaItem = z
  .object({
    type: MediaType.meta({ description: 'A document, which LinkedIn takes, is sent as `image`' }),
    url: z.string().max(2_048).meta({ description: '`publicUrl` of an upload grant of this workspace' }),
    filename: z.string().max(255).optional(),
    mimeType: z.string().max(255).optional(),
    sizeBytes: z.int().nonnegative().optional(),
  })
  .meta({ id: 'MediaItem' });
export type MediaItem = z.infer<typeof MediaItem>;

/** A post's reference to a file as the table keeps it: by key, so that the media address can change. */
export const MediaReference = MediaItem.omit({ url: true }).extend({ mediaId: Id, objectKey: z.string() });
export type MediaReference = z.infer<typeof MediaReference>;
