import * as z from 'zod';
import { Id } from '../api-contract/fields.ts';
import { dayMs } from '../kernel/clock.ts';
import type { LifeCycle } from '../kernel/life-cycle.ts';
import { MediaType } from '../platforms/contract/names.ts';

export const MediaStatus = z.enum(['pending', 'ready', 'invalid']).meta({
  id: 'MediaStatus',
  description:
    '`pending`: granted, but not uploaded or not inspected yet. `ready`: inspected and public; it never changes again. `invalid`: the upload cannot be used and was removed; `statusMessage` says why',
});
export type MediaStatus = z.infer<typeof MediaStatus>;

/** The most that JPEG and MP4 can express. No platform takes more. */
const largestSide = 65_535;
const Side = z.int().min(1).max(largestSide);

/**
 * What the probe found when the file arrived. Properties that could not be determined, or that have impossible values, are
 * absent. The bounds are above what any platform accepts. Within them, DynamoDB can hold every value.
 */
export const MediaProbe = z
  .object({
    width: Side.optional().meta({ description: 'Pixels as displayed, after any rotation in the metadata' }),
    height: Side.optional(),
    durationMs: z
      .int()
      .min(1)
      .max(7 * dayMs)
      .optional(),
    videoCodec: z
      .string()
      .max(40)
      .optional()
      .meta({ description: '`h264`, `hevc`, `vp8`, `vp9`, `av1` or another' }),
    audioCodec: z.string().max(40).optional().meta({ description: '`aac`, `opus`, `mp3` or another' }),
    audioSampleRate: z.number().min(1).max(768_000).optional().meta({ description: 'Hertz' }),
    frameRate: z.number().min(0.01).max(1_000).optional().meta({ description: 'Average frames per second' }),
    hasEditList: z.boolean().optional().meta({ description: 'An edit list changes how a track is played' }),
    moovFirst: z.boolean().optional().meta({ description: "The file's index precedes its media data" }),
  })
  .meta({ id: 'MediaProbe' });
export type MediaProbe = z.infer<typeof MediaProbe>;

/** How far the import of a file from another server has come. */
export const StoredImport = z.object({
  /**
   * `waiting` for a worker, or for the next attempt; `fetching`; `checking`: it has arrived and is to be inspected;
   * `failed`: it cannot be fetched, and the file is `invalid`.
   */
  status: z.enum(['waiting', 'fetching', 'checking', 'failed']),
  /** How often a worker has begun to fetch it. The number of the latest is that worker's fencing token. */
  attempts: z.int(),
  /** Of the latest attempt. */
  receivedBytes: z.int(),
  /** As the server says; absent if it does not, or has not answered yet. */
  totalBytes: z.int().optional(),
  /** No worker begins before: the next attempt, the end of a worker's lease, or the end of the patience for an inspection. */
  notBefore: z.string(),
  /** Why the latest attempt failed, in words for the user. */
  error: z.string().optional(),
  /** When the first of the failed attempts failed. */
  failingSince: z.string().optional(),
  /** The record was written before the post that needs it: the sweep starts the import once that post is stored. */
  awaitsPost: z.boolean().optional(),
});
export type StoredImport = z.infer<typeof StoredImport>;

/** A file of a workspace, from its upload grant or the request for its import on. */
export const Media = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  /** The object's key in the bucket. URLs are derived from it when they are shown. */
  objectKey: z.string(),
  filename: z.string(),
  contentType: z.string(),
  status: MediaStatus,
  /** Bytes counted against the workspace's quota: the declared size before the upload, the real size after it. */
  reservedBytes: z.int(),
  /** The real size, once the file has arrived. */
  sizeBytes: z.int().optional(),
  etag: z.string().optional(),
  /**
   * SHA-256 of the public object's bytes, 64 lower-case hexadecimal digits, as computed by S3. Absent for files that
   * arrived before it was recorded.
   */
  sha256: z.string().optional(),
  statusMessage: z.string().optional(),
  probe: MediaProbe.optional(),
  /** Incremented by every write of this item. */
  version: z.int(),
  createdAt: z.string(),
  /**
   * When the file was deleted. Requests no longer see it. The sweep removes it once no request that read it before can
   * still be running.
   */
  removedAt: z.string().optional(),
  /** `asked`: by a user. `cleanup`: by the cleanup of published files, which also spares files that drafts use. */
  removal: z.enum(['asked', 'cleanup']).optional(),
  /** When the record of an unused grant expires, in epoch seconds. Present from the release of its reservation on. */
  expiresAtSeconds: z.int().optional(),
  /** When the file was given up: it is `invalid`, and further uploads are removed without being looked at. */
  closedAt: z.string().optional(),
  /** Where an imported file comes from, without the query, which may have a secret. */
  sourceUrl: z.string().optional(),
  /** The whole URL. Removed when the file is accepted or rejected. */
  importUrl: z.string().optional(),
  import: StoredImport.optional(),
  /**
   * Whether the workspace counts it in `openImports`. The write that ends the import removes this, and gives it back. Absent
   * for imports that an earlier release began.
   */
  isCountedImport: z.literal(true).optional(),
});
export type Media = z.infer<typeof Media>;

export type MediaState = MediaStatus | 'removed';

export const mediaState = ({ status, removedAt }: Pick<Media, 'status' | 'removedAt'>): MediaState =>
  removedAt === undefined ? status : 'removed';

/**
 * A `ready` file never changes again. During its grant, an invalid upload may be followed by a valid one. If a post turns
 * out to need a removed file, the sweep restores the file's former state.
 */
export const mediaLifeCycle: LifeCycle<MediaState> = {
  pending: ['ready', 'invalid', 'removed'],
  ready: ['removed'],
  invalid: ['ready', 'removed'],
  removed: ['pending', 'ready', 'invalid'],
};

/** How posts refer to a file, in responses. */
export const MediaItem = z
  .object({
    type: z.enum([...MediaType.options, 'document']).meta({
      id: 'MediaItemType',
      description: '`document` only if the request said so. Without a `type`, a document is an `image`',
    }),
    url: z.string().max(2_048).meta({
      description:
        'In requests, `publicUrl` of a file of this workspace, or any public https address: the file is then imported. In responses, always the `publicUrl`',
    }),
    sourceUrl: z.string().max(2_048).optional().meta({
      description: 'In responses: where an imported file comes from, without the query',
    }),
    filename: z.string().max(255).optional(),
    mimeType: z.string().max(255).optional(),
    sizeBytes: z.int().nonnegative().optional(),
    altText: z.string().max(5_000).optional().meta({
      description:
        'Describes the image or video for people who cannot see it, on platforms that take such a text. `platformSpecificData.altText` of a destination wins',
    }),
  })
  .meta({ id: 'MediaItem' });
export type MediaItem = z.infer<typeof MediaItem>;

/** A post's reference to a file, as stored: by key, so that the media host can change. */
export const MediaReference = MediaItem.omit({ url: true, type: true }).extend({
  /** An `image` for a document too, as the platforms' rules and adapters expect. */
  type: MediaType,
  /** Whether the request said `document`. Then responses say it too. */
  isDocument: z.literal(true).exactOptional(),
  /** Whether `type` is a guess, made while the file was being imported. Then the file's own type counts once it is known. */
  isTypeGuessed: z.literal(true).exactOptional(),
  mediaId: Id,
  objectKey: z.string(),
});
export type MediaReference = z.infer<typeof MediaReference>;

/** How a request refers to a file. */
export const RequestedMediaItem = MediaItem.extend({
  type: MediaItem.shape.type.optional().meta({
    description:
      'Default: the type of the file. A document (for LinkedIn) may be sent as `document` or as `image`',
  }),
}).meta({ id: 'RequestedMediaItem' });
export type RequestedMediaItem = z.infer<typeof RequestedMediaItem>;

/** A file of a request, before its record was read: only the record tells a type that the request leaves out. */
export type RequestedReference = Omit<MediaReference, 'type'> & { readonly type?: MediaType | undefined };
