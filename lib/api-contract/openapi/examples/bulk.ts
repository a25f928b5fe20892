const accountId = '019ca9a0-4e00-7000-8000-000000000002';
const mediaItem = {
  type: 'image',
  url: 'https://media.example.com/media/019ca9a0-4e00-7000-8000-000000000001/019ca9a0-4e00-7000-8000-000000000004/harbour.jpg',
} as const;

const post = {
  _id: '019cae14-7a80-7c31-9f4e-5d0c61b2a7e5',
  id: '019cae14-7a80-7c31-9f4e-5d0c61b2a7e5',
  content: 'Saturday: sailing lessons for beginners',
  status: 'scheduled',
  scheduledFor: '2026-03-06T08:00:00.000Z',
  timezone: 'Europe/Istanbul',
  onQuota: 'wait',
  createdAt: '2026-03-02T08:45:00.000Z',
  updatedAt: '2026-03-02T08:45:00.000Z',
  mediaItems: [mediaItem],
  coverUrl: null,
  platforms: [
    {
      platform: 'instagram',
      accountId,
      status: 'scheduled',
      scheduledFor: '2026-03-06T08:00:00.000Z',
      platformPostId: null,
      permalink: null,
      error: null,
      errorDetail: null,
      publishedAt: null,
      timing: { scheduledFor: '2026-03-06T08:00:00.000Z', calledAt: null, liveAt: null, lateMs: null },
      customContent: null,
      customMedia: null,
      platformSpecificData: {},
    },
  ],
  chain: [],
  parentPostId: null,
  metadata: {},
  externalId: 'lessons-10',
  externalIdUnique: false,
} as const;

const empty = {
  postId: null,
  post: null,
  error: null,
  idempotencyMismatch: false,
  problems: [],
  warnings: [],
} as const;

/** A real request and response of the operation that creates several posts, for the document. */
export const examples = {
  createPosts: {
    request: {
      posts: [
        {
          content: post.content,
          mediaItems: [mediaItem],
          platforms: [{ accountId }],
          scheduledFor: '2026-03-06T11:00',
          timezone: 'Europe/Istanbul',
          externalId: 'lessons-10',
          idempotencyKey: 'lessons-10',
        },
        {
          content: 'Sunday: the harbour by night',
          platforms: [{ accountId }],
          scheduledFor: 'auto',
          idempotencyKey: 'night-11',
        },
      ],
    },
    responses: {
      200: {
        results: [
          { ...empty, index: 0, status: 'created', postId: post.id, post },
          {
            ...empty,
            index: 1,
            status: 'invalid',
            error: {
              error: 'posts[1].mediaItems: Instagram needs an image or a video',
              code: 'media_required',
              param: 'posts[1].mediaItems',
            },
            problems: [
              {
                accountId,
                platform: 'instagram',
                field: 'posts[1].mediaItems',
                code: 'media_required',
                message: 'Instagram needs an image or a video',
              },
            ],
          },
        ],
        created: 1,
        replayed: 0,
        valid: 0,
        invalid: 1,
        failed: 0,
        warnings: [],
      },
    },
  },
} as const;
