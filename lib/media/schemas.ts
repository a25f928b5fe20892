import * as z from 'zod';
import { Id } from '../api-contract/fields.ts';
import type { LifeCycle } from '../kernel/life-cycle.ts';
import { MediaType } from '../platforms/contract/names.ts';

export const MediaStatus = z.enum(['pending', 'ready', 'invalid']).meta({
  id: 'MediaStatus',
  description:
    '`pending`: granted, and not arrived yet. `invalid`: it arrived, cannot be used and was removed; `statusMessage` says why',
});
export type MediaStatus = z.infer<typeof MediaStatus>;

/** What was found out about a file when it arrived; what could not be told is absent. */
export const MediaProbe = z
  .object({
    width: z.int().optional().meta({ description: 'Pixels, as people see it: turned where it says so' }),
    height: z.int().optional(),
    durationMs: z.int().optional(),
    videoCodec: z.string().optional().meta({ description: '`h264`, `hevc`, `vp8`, `vp9`, `av1` or another' }),
    audioCodec: z.string().optional().meta({ description: '`aac`, `opus`, `mp3` or another' }),
    audioSampleRate: z.number().optional().meta({ description: 'Hertz' }),
    frameRate: z.number().optional().meta({ description: 'Frames a second, on average' }),
    hasEditList: z.boolean().optional().meta({ description: 'A track is not played as it is stored' }),
    moovFirst: z.boolean().optional().meta({ description: "The file's index stands before its media" }),
  })
  .meta({ id: 'MediaProbe' });
export type MediaProbe = z.infer<typeof MediaProbe>;

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
  probe: MediaProbe.optional(),
  /** Raised by every write of this item. */
  version: z.int(),
  createdAt: z.string(),
  /**
   * Since when it is deleted: to requests it is gone, and the sweep removes it once no request can be at work that has
   * read it before.
   */
  removedAt: z.string().optional(),
  /** Whether somebody asked for that; else it is the cleanup of published files, which spares drafts as well. */
  removal: z.enum(['asked', 'cleanup']).optional(),
  /** When a grant that nothing came of is forgotten, in epoch seconds. */
  expiresAtSeconds: z.int().optional(),
});
export type Media = z.infer<typeof Media>;

export type MediaState = MediaStatus | 'removed';

export const mediaState = ({ status, removedAt }: Pick<Media, 'status' | 'removedAt'>): MediaState =>
  removedAt === undefined ? status : 'removed';

/**
 * What has arrived may be replaced while its grant lasts, by what fits and by what does not. A removed file that a post
 * turns out to need comes back as what it was.
 */
export const mediaLifeCycle: LifeCycle<MediaState> = {
  pending: ['ready', 'invalid', 'removed'],
  ready: ['invalid', 'removed'],
  invalid: ['ready', 'removed'],
  removed: ['pending', 'ready', 'invalid'],
};

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
