import {
  draft,
  file,
  ids,
  image,
  listedPublishedPost,
  post,
  proposedDraft,
  publishedPost,
  publishedTarget,
  unpublishedPost,
} from './things.ts';

const body = {
  content: post.content,
  mediaItems: [image],
  platforms: [
    { accountId: ids.instagram, platformSpecificData: { firstComment: '#cinnamonrolls #bakery' } },
    { accountId: ids.threads, customContent: 'Cinnamon rolls, warm from seven.', fit: 'pad' },
  ],
  scheduledFor: '2026-02-06T08:00:00',
  timezone: 'Europe/Berlin',
  idempotencyKey: 'bakery-rolls-1',
  tags: post.tags,
  metadata: post.metadata,
  externalId: post.externalId,
} as const;

function movedTo(target: (typeof post.platforms)[number], scheduledFor: string) {
  return { ...target, scheduledFor, timing: { ...target.timing, scheduledFor } };
}

const duplicate = {
  ...post,
  _id: '019c2f61-4d08-7c95-b1e7-8a36d0f2c419',
  id: '019c2f61-4d08-7c95-b1e7-8a36d0f2c419',
  scheduledFor: '2026-02-13T07:00:00.000Z',
  createdAt: '2026-02-06T07:28:11.640Z',
  updatedAt: '2026-02-06T07:28:11.640Z',
  platforms: [movedTo(post.platforms[0], '2026-02-13T07:00:00.000Z')],
  externalId: null,
  externalIdUnique: false,
  approval: null,
} as const;

const bulkAccountId = '019ca9a0-4e00-7000-8000-000000000002';
const bulkMediaItem = {
  type: 'image',
  url: 'https://media.example.com/media/019ca9a0-4e00-7000-8000-000000000001/019ca9a0-4e00-7000-8000-000000000004/harbour.png',
} as const;

/** The first post of the request that creates several. */
const lesson = {
  _id: '019cae14-7a80-7c31-9f4e-5d0c61b2a7e5',
  id: '019cae14-7a80-7c31-9f4e-5d0c61b2a7e5',
  content: 'Saturday: sailing lessons for beginners',
  status: 'scheduled',
  atRisk: false,
  scheduledFor: '2026-03-06T08:00:00.000Z',
  timezone: 'Europe/Istanbul',
  onQuota: 'wait',
  createdAt: '2026-03-02T08:45:00.000Z',
  updatedAt: '2026-03-02T08:45:00.000Z',
  mediaItems: [bulkMediaItem],
  coverUrl: null,
  platforms: [
    {
      platform: 'instagram',
      accountId: bulkAccountId,
      status: 'scheduled',
      scheduledFor: '2026-03-06T08:00:00.000Z',
      platformPostId: null,
      permalink: null,
      error: null,
      errorDetail: null,
      risk: null,
      publishedAt: null,
      removedAt: null,
      removal: null,
      takeDown: null,
      threadParts: [],
      timing: {
        scheduledFor: '2026-03-06T08:00:00.000Z',
        calledAt: null,
        liveAt: null,
        lateMs: null,
        afterRequestMs: null,
      },
      customContent: null,
      customMedia: null,
      fit: null,
      padColor: null,
      focalPoint: null,
      adaptations: [
        {
          field: 'mediaItems[0]',
          changes: ['format'],
          message: 'converted to JPEG',
          contentType: 'image/jpeg',
          width: 1_080,
          height: 1_080,
          url: 'https://media.example.com/media/019ca9a0-4e00-7000-8000-000000000001/019ca9a0-4e00-7000-8000-000000000004/5d41402abc4b2a76b9719d911017c592.jpg',
        },
      ],
      linkCard: null,
      platformSpecificData: {},
    },
  ],
  chain: [],
  parentPostId: null,
  tags: [],
  metadata: {},
  externalId: 'lessons-10',
  externalIdUnique: false,
  approval: null,
  editable: true,
} as const;

const notCreated = {
  postId: null,
  post: null,
  error: null,
  idempotencyMismatch: false,
  problems: [],
  warnings: [],
} as const;

/** Examples of posts. The first request of `createPost` is what Swagger UI sends: it creates a draft, in any workspace. */
export const examples = {
  createPost: {
    request: { content: draft.content, isDraft: true },
    otherRequests: { 'A scheduled post to two accounts': body },
    responses: {
      200: { post, existingPost: post, idempotencyMismatch: false, warnings: [] },
      201: { post: draft, warnings: [] },
      409: { error: 'this idempotency key belongs to a post that the API key may not see', code: 'conflict' },
    },
  },
  // A test sends these requests and compares the responses.
  validatePost: {
    request: { content: draft.content, isDraft: true },
    otherRequests: {
      'A post without the image that Instagram needs': {
        content: draft.content,
        platforms: [{ accountId: ids.instagram }],
        publishNow: true,
      },
    },
    responses: { 200: { valid: true, problems: [], warnings: [], adaptations: [], linkCards: [] } },
    otherResponses: {
      200: {
        'A post without the image that Instagram needs': {
          valid: false,
          problems: [
            {
              accountId: ids.instagram,
              platform: 'instagram',
              field: 'mediaItems',
              code: 'media_required',
              message: 'Instagram needs at least one image or video',
            },
          ],
          warnings: [],
          adaptations: [],
          linkCards: [],
        },
      },
    },
  },
  listPosts: { responses: { 200: { posts: [listedPublishedPost, proposedDraft], nextCursor: null } } },
  listMediaPosts: { responses: { 200: { posts: [listedPublishedPost], nextCursor: null } } },
  getPost: { responses: { 200: { post: publishedPost } } },
  updatePost: {
    request: { scheduledFor: '2026-02-06T09:30:00', timezone: 'Europe/Berlin' },
    otherRequests: {
      'Approve a draft for its proposed time': { isDraft: false, ifVersion: 2 },
      'Decline a draft': { decline: { note: 'The walnuts come a week later.' }, ifVersion: 2 },
    },
    responses: {
      200: {
        post: {
          ...post,
          scheduledFor: '2026-02-06T08:30:00.000Z',
          updatedAt: '2026-02-05T15:07:44.201Z',
          platforms: post.platforms.map((target) => movedTo(target, '2026-02-06T08:30:00.000Z')),
        },
        warnings: [],
      },
    },
  },
  duplicatePost: {
    request: { accountIds: [ids.instagram], scheduledFor: '2026-02-13T08:00:00', timezone: 'Europe/Berlin' },
    responses: {
      200: { post: duplicate, existingPost: duplicate, idempotencyMismatch: false, warnings: [] },
      201: { post: duplicate, warnings: [] },
    },
  },
  deletePost: { responses: { 200: { ok: true } } },
  retryPost: {
    request: {},
    otherRequests: { 'Only what it would do': { dryRun: true } },
    responses: {
      200: {
        post: { ...post, updatedAt: '2026-02-06T10:15:20.004Z', platforms: [post.platforms[0]] },
        warnings: [],
      },
    },
  },
  unpublishPost: {
    request: { accountIds: [ids.threads] },
    otherRequests: { 'All that is live': {} },
    responses: {
      202: { post: unpublishedPost, warnings: [] },
      409: {
        error: `the post on instagram of account ${ids.instagram} can only be deleted there: Instagram lets no app delete posts`,
        code: 'removal_by_person',
        param: 'accountIds',
        by: 'person',
        permalink: publishedPost.platforms[0].permalink,
      },
    },
  },
  resolveTarget: {
    request: { outcome: 'live', permalink: publishedPost.platforms[0].permalink },
    otherRequests: { 'The post is not there': { outcome: 'not live' } },
    responses: { 200: { post: publishedPost, warnings: [] } },
  },
  getPostTimeline: {
    responses: {
      200: {
        timeline: [
          {
            at: post.createdAt,
            accountId: null,
            platform: null,
            event: 'created',
            attempt: null,
            calls: [],
            reason: null,
            nextAt: null,
            files: [],
          },
          {
            at: '2026-02-06T07:00:00.031Z',
            accountId: ids.instagram,
            platform: 'instagram',
            event: 'going live',
            attempt: 1,
            calls: [],
            reason: null,
            nextAt: null,
            files: [file],
          },
          {
            at: publishedTarget.publishedAt,
            accountId: ids.instagram,
            platform: 'instagram',
            event: 'published',
            attempt: 1,
            calls: [
              {
                call: 'POST https://graph.instagram.com/v24.0/17841400000000000/media_publish',
                status: 200,
                milliseconds: 366,
              },
            ],
            reason: null,
            nextAt: null,
            files: [],
          },
        ],
      },
    },
  },
  createPosts: {
    request: {
      posts: [
        {
          content: lesson.content,
          mediaItems: [bulkMediaItem],
          platforms: [{ accountId: bulkAccountId }],
          scheduledFor: '2026-03-06T11:00',
          timezone: 'Europe/Istanbul',
          externalId: 'lessons-10',
          idempotencyKey: 'lessons-10',
        },
        {
          content: 'Sunday: the harbour by night',
          platforms: [{ accountId: bulkAccountId }],
          scheduledFor: 'auto',
          idempotencyKey: 'night-11',
        },
      ],
    },
    responses: {
      200: {
        results: [
          { ...notCreated, index: 0, status: 'created', postId: lesson.id, post: lesson },
          {
            ...notCreated,
            index: 1,
            status: 'invalid',
            error: {
              error: 'posts[1].mediaItems: Instagram needs an image or a video',
              code: 'media_required',
              param: 'posts[1].mediaItems',
            },
            problems: [
              {
                accountId: bulkAccountId,
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
