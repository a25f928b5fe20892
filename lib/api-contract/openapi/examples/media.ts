import { ids, imageUrl, media } from './things.ts';

/** Examples of files, uploaded and imported. */
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
  listMediaParts: {
    responses: {
      200: {
        parts: [
          {
            partNumber: 13,
            offset: 100_663_296,
            size: 1_048_576,
            uploadUrl: `https://uploads.example.com/incoming/${ids.workspace}/${ids.image}/baking.mp4?partNumber=13&uploadId=VXBsb2Fk…&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=3600&X-Amz-SignedHeaders=content-length%3Bhost&X-Amz-Signature=5d0a…`,
          },
        ],
        missingCount: 1,
        partCount: 13,
        expiresIn: 3600,
      },
      409: { error: 'the upload has ended: get another upload grant and begin again', code: 'upload_ended' },
    },
  },
  completeMedia: {
    responses: {
      200: { media },
      409: {
        error: '1 of 13 parts have not arrived, beginning with part 13',
        code: 'upload_incomplete',
      },
    },
  },
  listMedia: { responses: { 200: { media: [media], nextCursor: null } } },
  getMedia: { responses: { 200: { media } } },
  storeMediaPreview: {
    request: { data: '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgMCAgMD/9k=' },
    responses: {
      200: {
        media: {
          ...media,
          id: '019d3b5c-7a40-7c1e-9b52-4f0e6a1d2c84',
          type: 'video',
          filename: 'kneading.mp4',
          contentType: 'video/mp4',
          sizeBytes: 8_481_236,
          publicUrl: `https://d2k8example.cloudfront.net/media/${ids.workspace}/019d3b5c-7a40-7c1e-9b52-4f0e6a1d2c84/kneading.mp4`,
          previewUrl: `https://d2k8example.cloudfront.net/media/${ids.workspace}/019d3b5c-7a40-7c1e-9b52-4f0e6a1d2c84/renditions/preview.jpg`,
          probe: { container: 'mp4', width: 1080, height: 1920, durationMs: 14_000, videoCodec: 'h264' },
        },
        warnings: [],
      },
    },
  },
  deleteMedia: {
    responses: {
      200: { ok: true },
      409: {
        error: `the scheduled post ${ids.post} uses this file`,
        code: 'conflict',
      },
    },
  },
  importMedia: {
    request: {
      url: 'https://cdn.harbour-tours.com/photos/2026/sunset-over-the-pier.jpg?signature=9f2c41',
      filename: 'sunset-over-the-pier.jpg',
      contentType: 'image/jpeg',
    },
    responses: {
      202: {
        media: {
          id: '019d3b5c-7a40-7c1e-9b52-4f0e6a1d2c83',
          status: 'pending',
          statusMessage: null,
          type: 'image',
          filename: 'sunset-over-the-pier.jpg',
          contentType: 'image/jpeg',
          sizeBytes: null,
          sha256: null,
          publicUrl:
            'https://d2k8example.cloudfront.net/media/019c8f10-5b3e-7d44-8a6f-0c9b7e5d1f20/019d3b5c-7a40-7c1e-9b52-4f0e6a1d2c83/sunset-over-the-pier.jpg',
          previewUrl: null,
          probe: null,
          sourceUrl: 'https://cdn.harbour-tours.com/photos/2026/sunset-over-the-pier.jpg',
          import: {
            status: 'waiting',
            attempts: 0,
            receivedBytes: 0,
            totalBytes: null,
            nextAttemptAt: '2026-03-29T16:20:00.000Z',
            error: null,
          },
          createdAt: '2026-03-29T16:20:00.000Z',
        },
        warnings: [],
      },
    },
  },
} as const;
