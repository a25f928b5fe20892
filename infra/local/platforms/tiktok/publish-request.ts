import * as z from 'zod';
import { refuse } from './errors.ts';
import { privacyLevels } from './state.ts';

const flag = z.boolean().optional();

const sharedInfo = {
  privacy_level: z.enum(privacyLevels),
  disable_comment: flag,
  brand_content_toggle: flag,
  brand_organic_toggle: flag,
};

/** `post_info` of a video (guide "Direct Post"). Fields of other kinds of posts are refused. */
const VideoInfo = z.strictObject({
  ...sharedInfo,
  title: z.string().max(2_200).default(''),
  disable_duet: flag,
  disable_stitch: flag,
  video_cover_timestamp_ms: z.int().nonnegative().optional(),
  is_aigc: flag,
});

/** `post_info` of photos (guide "Photo"). */
const PhotoInfo = z.strictObject({
  ...sharedInfo,
  title: z.string().max(90).default(''),
  description: z.string().max(4_000).default(''),
  auto_add_music: flag,
});

const FileSource = z.strictObject({
  source: z.literal('FILE_UPLOAD'),
  video_size: z.int().positive(),
  chunk_size: z.int().positive(),
  total_chunk_count: z.int().positive(),
});
export type FileSource = z.infer<typeof FileSource>;

const VideoRequest = z.strictObject({
  post_info: VideoInfo,
  source_info: z.discriminatedUnion('source', [
    FileSource,
    z.strictObject({ source: z.literal('PULL_FROM_URL'), video_url: z.string() }),
  ]),
});

/** A draft of a video takes no `post_info`. https://developers.tiktok.com/doc/content-posting-api-reference-upload-video */
const DraftRequest = VideoRequest.pick({ source_info: true });

const photos = {
  media_type: z.literal('PHOTO'),
  source_info: z.strictObject({
    source: z.literal('PULL_FROM_URL'),
    photo_images: z.array(z.string()).min(1).max(35),
    photo_cover_index: z.int().nonnegative(),
  }),
};

/**
 * The other fields of `post_info` "only work for post_mode = DIRECT_POST". TikTok ignores them in a draft; here they are
 * refused, so that a test notices a field without effect. https://developers.tiktok.com/doc/content-posting-api-reference-photo-post
 */
const PhotoRequest = z.discriminatedUnion('post_mode', [
  z.strictObject({ ...photos, post_mode: z.literal('DIRECT_POST'), post_info: PhotoInfo }),
  z.strictObject({
    ...photos,
    post_mode: z.literal('MEDIA_UPLOAD'),
    post_info: PhotoInfo.pick({ title: true, description: true }),
  }),
]);

/** Reads the init of a video. @throws Refusal with `invalid_param` */
export function readVideoRequest(fields: Readonly<Record<string, unknown>>) {
  const request = read(VideoRequest, fields);
  if (request.source_info.source === 'FILE_UPLOAD') checkChunks(request.source_info);
  return request;
}

/** Reads the init of a draft of a video. @throws Refusal with `invalid_param` */
export function readDraftRequest(fields: Readonly<Record<string, unknown>>) {
  const { source_info } = read(DraftRequest, fields);
  if (source_info.source === 'FILE_UPLOAD') checkChunks(source_info);
  return { source_info };
}

/** Reads the init of a photo post. @throws Refusal with `invalid_param` */
export function readPhotoRequest(fields: Readonly<Record<string, unknown>>) {
  const request = read(PhotoRequest, fields);
  const { photo_images, photo_cover_index } = request.source_info;
  if (photo_cover_index >= photo_images.length) {
    refuse('invalid_param', 'photo_cover_index names no photo');
  }
  return request;
}

function read<T>(schema: z.ZodType<T>, fields: Readonly<Record<string, unknown>>): T {
  const result = schema.safeParse(fields);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return refuse('invalid_param', `${issue?.path.map(String).join('.')}: ${issue?.message}`);
}

/** TikTok does not say whether MB means 10^6 or 2^20 bytes, so each limit uses the stricter reading. */
const minChunkBytes = 5 * 1_048_576;
const minWholeBytes = 5_000_000;
const maxChunkBytes = 64_000_000;
const maxVideoBytes = 4_000_000_000;

/** Checks the sizes and number of the chunks ("Media Transfer Guide"). The last chunk includes the remainder. */
function checkChunks({ video_size, chunk_size, total_chunk_count }: FileSource): void {
  if (video_size > maxVideoBytes) refuse('invalid_param', 'video_size is beyond 4 GB');
  const isWhole = chunk_size === video_size && total_chunk_count === 1;
  if (video_size < minWholeBytes && !isWhole) {
    refuse('invalid_param', 'a video of less than 5 MB is one chunk');
  }
  if (isWhole && video_size <= maxChunkBytes) return;
  if (chunk_size < minChunkBytes || chunk_size > maxChunkBytes) {
    refuse('invalid_param', 'chunk_size must be from 5 MB to 64 MB');
  }
  if (total_chunk_count !== Math.floor(video_size / chunk_size) || total_chunk_count > 1_000) {
    refuse('invalid_param', 'The total chunk count is invalid');
  }
}
