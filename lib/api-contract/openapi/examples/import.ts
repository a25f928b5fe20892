/** Examples of the operation that imports files, as plain JSON. */
export const examples = {
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
