import { ids, imageUrl, media } from './things.ts';

/** Examples of files. */
export const examples = {
  presignMedia: {
    request: { filename: media.filename, contentType: media.contentType, size: media.sizeBytes },
    responses: {
      200: {
        mediaId: ids.image,
        uploadUrl: `https://uploads.example.com/incoming/${ids.workspace}/${ids.image}/cinnamon-rolls.jpg?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=3600&X-Amz-SignedHeaders=content-length%3Bcontent-type%3Bhost&X-Amz-Signature=8c1f…`,
        publicUrl: imageUrl,
        expiresIn: 3600,
        contentType: media.contentType,
        warnings: [],
      },
    },
  },
  listMedia: { responses: { 200: { media: [media], nextCursor: null } } },
  getMedia: { responses: { 200: { media } } },
  deleteMedia: {
    responses: {
      200: { ok: true },
      409: {
        error: `the scheduled post ${ids.post} uses this file`,
        code: 'conflict',
      },
    },
  },
} as const;
