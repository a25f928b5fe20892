import * as z from 'zod';
import { ActorReference } from '../access/actor.ts';
import { Id, typeMessage } from '../api-contract/fields.ts';
import { dayMs } from '../kernel/clock.ts';
import type { LifeCycle } from '../kernel/life-cycle.ts';
import { MeasuredProperty, MediaType } from '../platforms/contract/names.ts';
import { Fit, FocalPoint, HexColor } from './renditions/recipe.ts';

export const MediaStatus = z.enum(['pending', 'ready', 'invalid']).meta({
  id: 'MediaStatus',
  description:
    '`pending`: granted, but not uploaded or not inspected yet. `ready`: inspected and public; it never changes again. `invalid`: the upload cannot be used and was removed; `statusMessage` says why',
});
export type MediaStatus = z.infer<typeof MediaStatus>;

/** The largest side that JPEG and MP4 can express. No platform accepts more. */
const largestSide = 65_535;
const Side = z.int().min(1).max(largestSide);

/**
 * The properties of a file that the probe found when it arrived. Properties that could not be determined, or that have
 * impossible values, are absent. The bounds are above what any platform accepts. Within them, DynamoDB can hold every value.
 * Files that arrived before a property was probed lack it.
 */
export const MediaProbe = z
  .object({
    container: z
      .enum(['mp4', 'quicktime', 'webm', 'jpeg', 'png', 'gif', 'webp', 'matroska', 'heif', 'avif'])
      .optional()
      .meta({ description: 'Format of the file, as its bytes say' }),
    width: Side.optional().meta({ description: 'Pixels as displayed, after any rotation in the metadata' }),
    height: Side.optional(),
    rotation: z
      .union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)])
      .optional()
      .meta({ description: 'Degrees, clockwise, by which the metadata rotates the stored picture' }),
    pixelAspect: z
      .number()
      .min(0.01)
      .max(100)
      .optional()
      .meta({ description: 'Width of a stored pixel divided by its height' }),
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
    chroma: z
      .enum(['4:0:0', '4:2:0', '4:2:2', '4:4:4'])
      .optional()
      .meta({ description: 'Chroma subsampling of a video' }),
    bitDepth: z.int().min(1).max(32).optional().meta({ description: 'Bits per sample of the picture' }),
    scan: z.enum(['progressive', 'interlaced']).optional(),
    isHdr: z
      .boolean()
      .optional()
      .meta({ description: 'The video has a high dynamic range (PQ or HLG). Absent if it does not say' }),
    hasSound: z.boolean().optional().meta({ description: 'The video has an audio track' }),
    audioCodec: z.string().max(40).optional().meta({ description: '`aac`, `opus`, `mp3` or another' }),
    audioSampleRate: z.number().min(1).max(768_000).optional().meta({ description: 'Hertz' }),
    audioChannels: z.int().min(1).max(255).optional(),
    frameRate: z.number().min(0.01).max(1_000).optional().meta({ description: 'Average frames per second' }),
    hasEditList: z.boolean().optional().meta({ description: 'An edit list changes how a track is played' }),
    moovFirst: z.boolean().optional().meta({ description: "The file's index precedes its media data" }),
    isFragmented: z
      .boolean()
      .optional()
      .meta({ description: 'The index lists the samples in fragments along the file' }),
    hasAlpha: z.boolean().optional().meta({ description: 'Parts of the picture may be transparent' }),
    isAnimated: z.boolean().optional().meta({ description: 'The image has several frames' }),
    colorModel: z.enum(['gray', 'rgb', 'cmyk']).optional().meta({ description: 'Colors of a JPEG' }),
    isProgressive: z.boolean().optional().meta({ description: 'The JPEG is stored in several passes' }),
    isMultiPicture: z
      .boolean()
      .optional()
      .meta({ description: 'The JPEG contains further pictures (MPO), as photos of many phones do' }),
    unknown: z
      .array(MeasuredProperty)
      .max(MeasuredProperty.options.length)
      .optional()
      .meta({ description: 'Properties that the file must have, and that could not be measured' }),
  })
  .meta({ id: 'MediaProbe' });
export type MediaProbe = z.infer<typeof MediaProbe>;

/** The progress of an import from another server. */
export const StoredImport = z.object({
  /**
   * The state of an import. `waiting` for a worker, or for the next attempt; `fetching`; `checking`: the file has
   * arrived and awaits inspection; `failed`: it cannot be fetched, and the file is `invalid`.
   */
  status: z.enum(['waiting', 'fetching', 'checking', 'failed']),
  /** The number of times that a worker has begun to fetch the file. The latest number is that worker's fencing token. */
  attempts: z.int(),
  /** The bytes of the latest attempt. */
  receivedBytes: z.int(),
  /** The size that the server reports; absent if it reports none, or has not answered yet. */
  totalBytes: z.int().optional(),
  /**
   * The time before which no worker begins: the next attempt, the end of a worker's lease, or the end of the patience
   * for an inspection.
   */
  notBefore: z.string(),
  /** The reason why the latest attempt failed, in words for the user. */
  error: z.string().optional(),
  /** The time of the first failed attempt in the current series of failures. */
  failingSince: z.string().optional(),
  /** True if the record was written before the post that needs it: the sweep starts the import once that post is stored. */
  awaitsPost: z.boolean().optional(),
});
export type StoredImport = z.infer<typeof StoredImport>;

/** An upload in parts that a client may send: all of `partBytes`, except the last, which has the rest. */
export const StoredParts = z.object({
  /** The id that S3 gave the upload. */
  uploadId: z.string(),
  partBytes: z.int(),
  /** The bytes of the whole file. */
  sizeBytes: z.int(),
  /** The time at which a client first asked to complete the upload, when all parts had arrived. */
  completionAskedAt: z.string().optional(),
});
export type StoredParts = z.infer<typeof StoredParts>;

/** A file of a workspace, from its upload grant or import request onwards. */
export const Media = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  /** The object's key in the bucket. URLs are derived from it when they are shown. */
  objectKey: z.string(),
  filename: z.string(),
  contentType: z.string(),
  status: MediaStatus,
  /** The number of bytes counted against the workspace's quota: the declared size before the upload, the real size after it. */
  reservedBytes: z.int(),
  /** The real size, once the file has arrived. */
  sizeBytes: z.int().optional(),
  etag: z.string().optional(),
  /**
   * The SHA-256 of the public object's bytes, 64 lower-case hexadecimal digits, as computed by S3. Absent for files
   * that arrived before it was recorded.
   */
  sha256: z.string().optional(),
  statusMessage: z.string().optional(),
  probe: MediaProbe.optional(),
  /** The item's version, incremented by every write. */
  version: z.int(),
  createdAt: z.string(),
  /** The key or person that uploaded or imported the file; absent for files of earlier releases. */
  uploadedBy: ActorReference.optional(),
  /**
   * The time at which the file was deleted. Requests no longer see it. The sweep removes it once no request that read
   * it before can still be running.
   */
  removedAt: z.string().optional(),
  /** The kind of deletion: `asked` by a user, or `cleanup` of published files, which also spares files that drafts use. */
  removal: z.enum(['asked', 'cleanup']).optional(),
  /** The time at which the record of an unused grant expires, in epoch seconds. Present once its reservation is released. */
  expiresAtSeconds: z.int().optional(),
  /** The time at which the file was given up: it is `invalid`, and further uploads are removed without being inspected. */
  closedAt: z.string().optional(),
  /** The origin of an imported file, without the query, which may have a secret. */
  sourceUrl: z.string().optional(),
  /** The whole URL of the origin. Removed when the file is accepted or rejected. */
  importUrl: z.string().optional(),
  import: StoredImport.optional(),
  /** True if a small picture of the video is stored, under the key that `previewOf` returns. */
  hasPreview: z.literal(true).optional(),
  /**
   * True if the workspace counts the file in `openImports`. The write that ends the import removes this, and reduces
   * the count. Absent for imports that an earlier release began.
   */
  isCountedImport: z.literal(true).optional(),
  /** Only of a file whose grant asked for parts. It stays when the upload has ended. */
  parts: StoredParts.optional(),
});
export type Media = z.infer<typeof Media>;

export type MediaState = MediaStatus | 'removed';

export const mediaState = ({ status, removedAt }: Pick<Media, 'status' | 'removedAt'>): MediaState =>
  removedAt === undefined ? status : 'removed';

/**
 * The life cycle of a file. A `ready` file never changes again. During its grant, a valid upload may follow an invalid
 * one. If a post turns out to need a removed file, the sweep restores the file's former state.
 */
export const mediaLifeCycle: LifeCycle<MediaState> = {
  pending: ['ready', 'invalid', 'removed'],
  ready: ['removed'],
  invalid: ['ready', 'removed'],
  removed: ['pending', 'ready', 'invalid'],
};

/** The fields with which a media item or a destination asks for another shape of pictures. */
export const shapeFields = {
  fit: Fit.optional().meta({
    description:
      'What to do with a picture if the platform does not take its ratio of width to height. `pad`: bars at two sides. `crop`: two sides are cut off. Without it, such a picture is refused. A picture that the platform takes keeps its shape',
  }),
  padColor: HexColor.optional().meta({
    description: 'The color of bars, and behind transparent parts, such as `#1a2b3c`. Default: white',
  }),
  focalPoint: FocalPoint.optional().meta({
    description:
      'The point that stays nearest to the middle when a picture is cropped, as fractions of its width and height from the top left corner. Default: the middle',
  }),
};

/** A post's reference to a file, in responses. */
export const MediaItem = z
  .object({
    type: z.enum([...MediaType.options, 'document']).meta({
      id: 'MediaItemType',
      description: '`document` only if the request said so. Without a `type`, a document is an `image`',
    }),
    url: z.string().max(2_048).meta({
      description:
        'A request may send the `publicUrl` of a file of this workspace, or any public https address: the file is then imported. A response always has the `publicUrl`',
    }),
    sourceUrl: z.string().max(2_048).optional().meta({
      description: 'Only in responses: source URL of an imported file, without the query',
    }),
    filename: z.string().max(255).optional(),
    mimeType: z.string().max(255).optional(),
    sizeBytes: z.int().nonnegative().optional(),
    altText: z.string().max(5_000).optional().meta({
      description:
        'Describes the image or video for people who cannot see it, on platforms that take such a text. `platformSpecificData.altText` of a destination wins',
    }),
    ...shapeFields,
  })
  .meta({ id: 'MediaItem' });
export type MediaItem = z.infer<typeof MediaItem>;

/** A post's reference to a file, as stored: by key, so that the media host can change. */
export const MediaReference = MediaItem.omit({ url: true, type: true }).extend({
  /** The type that the platforms' rules and adapters expect: a document, too, is an `image`. */
  type: MediaType,
  /** True if the request said `document`. Then responses say it too. */
  isDocument: z.literal(true).exactOptional(),
  /** True if `type` is a guess, made while the file was being imported. The file's own type counts once it is known. */
  isTypeGuessed: z.literal(true).exactOptional(),
  mediaId: Id,
  objectKey: z.string(),
});
export type MediaReference = z.infer<typeof MediaReference>;

/** A request's reference to a file. */
export const RequestedMediaItem = z
  .object(
    {
      ...MediaItem.shape,
      type: MediaItem.shape.type.optional().meta({
        description:
          'Default: the type of the file. A document (for LinkedIn) may be sent as `document` or as `image`',
      }),
    },
    typeMessage('an object such as { type, url }'),
  )
  .meta({ id: 'RequestedMediaItem' });
export type RequestedMediaItem = z.infer<typeof RequestedMediaItem>;

/** A reference from a request, before the file's record was read: only the record tells a type that the request leaves out. */
export type RequestedReference = Omit<MediaReference, 'type'> & { readonly type?: MediaType | undefined };
