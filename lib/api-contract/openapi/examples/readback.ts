const accountId = '019ca9a0-4e00-7000-8000-000000000002';

const post = {
  _id: '019cae14-7a80-7c31-9f4e-5d0c61b2a7e4',
  id: '019cae14-7a80-7c31-9f4e-5d0c61b2a7e4',
  content: 'The harbour is open again. Come by on Saturday!',
  status: 'draft',
  scheduledFor: null,
  timezone: 'Europe/Istanbul',
  onQuota: 'wait',
  createdAt: '2026-03-02T08:45:00.000Z',
  updatedAt: '2026-03-02T08:45:00.000Z',
  mediaItems: [
    {
      type: 'image',
      url: 'https://media.example.com/media/019ca9a0-4e00-7000-8000-000000000001/019ca9a0-4e00-7000-8000-000000000004/harbour.jpg',
      altText: 'Boats in the harbour at sunrise',
    },
  ],
  coverUrl: null,
  platforms: [
    {
      platform: 'instagram',
      accountId,
      status: 'draft',
      scheduledFor: null,
      platformPostId: null,
      permalink: null,
      error: null,
      errorDetail: null,
      publishedAt: null,
      customContent: 'The harbour is open again ⚓',
      customMedia: null,
      platformSpecificData: { firstComment: 'Tickets at the gate' },
    },
  ],
  chain: [
    {
      kind: 'followUp',
      status: 'waiting',
      postId: null,
      error: null,
      accountIds: [accountId],
      afterMinutes: 60,
      content: 'Thank you for all the questions!',
      mediaItems: [],
      options: {},
    },
  ],
  parentPostId: null,
  metadata: { campaign: 'spring' },
  externalId: null,
  externalIdUnique: false,
} as const;

/** Real requests and responses of the operations that copy posts, for the document. */
export const examples = {
  duplicatePost: {
    request: { timezone: 'Europe/Istanbul', idempotencyKey: 'copy of 019ca9a0, March' },
    responses: { 200: { existingPost: post, post, idempotencyMismatch: false }, 201: { post, warnings: [] } },
  },
} as const;
