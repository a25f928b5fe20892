/*
 * The subjects of the examples: a bakery that posts to Instagram and Threads. All examples tell the same story, so that an id
 * means the same thing on every page of the document.
 */

export const ids = {
  workspace: '01987a3e-4c10-7b52-9d1f-6a0c3e8b2f01',
  instagram: '01987a41-09d2-7c3e-8a77-1f5be2c49d10',
  threads: '01987a41-7be0-7f19-b2c4-90d3a6e1785c',
  post: '019c2f10-5a1b-7d40-a3c8-7e91b04c6d22',
  draft: '019c2f0e-11c4-7aa6-9b0d-45f27c80e913',
  image: '019c2f0b-8e5d-7613-b9f4-c2a8d6e03b71',
  webhook: '01989b20-3f7c-72d8-8c15-b6e4a1093d5f',
  delivery: '019c2f47-2d90-7e05-94ab-3c6f81d2e7b0',
  event: '019c2f47-2c11-7b8a-a0e6-d95f4073c1a8',
  automation: '019a4d70-66e3-7158-8fd2-0b9c7ae4512d',
  snippet: '019c2f0d-4b7a-7c15-8e22-31d9f5a6c048',
  key: '01987a3f-20bb-7c64-93e0-58d1f7a2c96e',
  request: '4b1c7a90e2d84f6e',
} as const;

export const imageUrl = `https://media.example.com/media/${ids.workspace}/${ids.image}/cinnamon-rolls.jpg`;
const imageSha256 = '9f2c1b7d0e4a86530c5d2f18b7a96e43d1084fbc6275e93a0d8b41f6c7e2a350';

export const image = {
  type: 'image',
  url: imageUrl,
  altText: 'A tray of cinnamon rolls, fresh out of the oven',
} as const;

export const media = {
  id: ids.image,
  status: 'ready',
  statusMessage: null,
  type: 'image',
  filename: 'cinnamon-rolls.jpg',
  contentType: 'image/jpeg',
  sizeBytes: 481_236,
  sha256: imageSha256,
  publicUrl: imageUrl,
  previewUrl: null,
  probe: {
    container: 'jpeg',
    width: 1080,
    height: 1350,
    rotation: 0,
    bitDepth: 8,
    colorModel: 'rgb',
    isProgressive: false,
    isMultiPicture: false,
  },
  sourceUrl: null,
  import: null,
  createdAt: '2026-02-05T08:40:12.345Z',
} as const;

export const file = { mediaId: ids.image, sha256: imageSha256, renditionId: null } as const;

export const account = {
  _id: ids.instagram,
  id: ids.instagram,
  platform: 'instagram',
  username: 'north.street.bakery',
  displayName: 'North Street Bakery',
  avatarUrl: 'https://scontent.cdninstagram.com/v/t51.2885-19/north-street-bakery.jpg',
  isActive: true,
  status: 'ok',
  statusMessage: null,
  statusSince: null,
  capabilities: ['publish', 'comments', 'messages'],
  externalId: 'customer-4711',
  connectedAt: '2026-01-12T09:30:00.000Z',
  defaultOptions: { shareToFeed: true },
  profileId: { _id: ids.workspace },
  meta: { reconnectBy: '2026-03-13T09:30:00.000Z' },
} as const;

export const expiredAccount = {
  ...account,
  isActive: false,
  status: 'expired',
  statusMessage: 'Error validating access token: The user has not authorized application (code 190)',
  statusSince: '2026-02-06T14:02:51.120Z',
} as const;

const notYet = { calledAt: null, liveAt: null, lateMs: null, afterRequestMs: null } as const;
const dueAt = '2026-02-06T07:00:00.000Z';

const waiting = {
  platformPostId: null,
  permalink: null,
  error: null,
  errorDetail: null,
  risk: null,
  publishedAt: null,
  removedAt: null,
  removal: null,
  threadParts: [],
  timing: { scheduledFor: dueAt, ...notYet },
} as const;

export const scheduledTargets = [
  { platform: 'instagram', accountId: ids.instagram, status: 'scheduled', scheduledFor: dueAt, ...waiting },
  { platform: 'threads', accountId: ids.threads, status: 'scheduled', scheduledFor: dueAt, ...waiting },
] as const;

/** A post in the form of lists and events. */
export const listedPost = {
  _id: ids.post,
  id: ids.post,
  content: 'Cinnamon rolls, warm from seven. First come, first served.',
  status: 'scheduled',
  atRisk: false,
  scheduledFor: dueAt,
  timezone: 'Europe/Berlin',
  onQuota: 'wait',
  createdAt: '2026-02-05T08:42:30.018Z',
  updatedAt: '2026-02-05T08:42:30.018Z',
  mediaItems: [image],
  coverUrl: null,
  platforms: scheduledTargets,
  chain: [],
  parentPostId: null,
  tags: ['Winter'],
  metadata: { campaign: 'winter' },
  externalId: 'order-system-1284',
  externalIdUnique: true,
  approval: null,
} as const;

const own = {
  customContent: null,
  customMedia: null,
  fit: null,
  padColor: null,
  focalPoint: null,
  adaptations: [],
  linkCard: null,
  platformSpecificData: {},
  takeDown: null,
} as const;

/** The same post in the form of a single read. */
export const post = {
  ...listedPost,
  platforms: [
    { ...scheduledTargets[0], ...own, platformSpecificData: { firstComment: '#cinnamonrolls #bakery' } },
    { ...scheduledTargets[1], ...own, customContent: 'Cinnamon rolls, warm from seven.', fit: 'pad' },
  ],
  editable: true,
} as const;

/** A draft in the form of lists. */
const listedDraft = {
  ...listedPost,
  tags: [],
  metadata: {},
  externalId: null,
  externalIdUnique: false,
  approval: null,
  _id: ids.draft,
  id: ids.draft,
  content: 'New on Saturday: rye bread with walnuts.',
  status: 'draft',
  scheduledFor: null,
  timezone: 'UTC',
  mediaItems: [],
  platforms: [],
} as const;

/** The same, if a key that may only draft has created it. */
export const proposedDraft = {
  ...listedDraft,
  scheduledFor: '2026-02-07T07:00:00.000Z',
  approval: {
    state: 'waiting',
    version: 2,
    requestedAt: '2026-02-05T15:07:44.201Z',
    requestedBy: { kind: 'key', id: '019ca9a0-4e00-7000-8000-000000000005' },
    decidedAt: null,
    decidedBy: null,
    note: null,
  },
} as const;

export const draft = { ...listedDraft, editable: true } as const;

export const publishedTarget = {
  ...scheduledTargets[0],
  status: 'published',
  platformPostId: '17912345678901234',
  permalink: 'https://www.instagram.com/p/DUa1bC2dE3f/',
  publishedAt: '2026-02-06T07:00:00.412Z',
  timing: {
    scheduledFor: dueAt,
    calledAt: '2026-02-06T07:00:00.031Z',
    liveAt: '2026-02-06T07:00:00.412Z',
    lateMs: 31,
    afterRequestMs: null,
  },
} as const;

export const listedPublishedPost = {
  ...listedPost,
  status: 'published',
  updatedAt: '2026-02-06T07:00:02.307Z',
  platforms: [
    publishedTarget,
    {
      ...scheduledTargets[1],
      status: 'published',
      platformPostId: '18034567890123456',
      permalink: 'https://www.threads.com/@north.street.bakery/post/DUa1bC4hJ6k',
      publishedAt: '2026-02-06T07:00:00.388Z',
      timing: {
        scheduledFor: dueAt,
        calledAt: '2026-02-06T07:00:00.028Z',
        liveAt: '2026-02-06T07:00:00.388Z',
        lateMs: 28,
        afterRequestMs: null,
      },
    },
  ],
} as const;

export const publishedPost = {
  ...listedPublishedPost,
  platforms: [
    {
      ...post.platforms[0],
      ...listedPublishedPost.platforms[0],
      takeDown: { by: 'person', feature: null, reason: 'Instagram lets no app delete posts' },
    },
    {
      ...post.platforms[1],
      ...listedPublishedPost.platforms[1],
      takeDown: { by: 'service', feature: 'removal', reason: null },
    },
  ],
  editable: false,
} as const;

const requestedRemoval = {
  state: 'requested',
  by: 'service',
  requestedAt: '2026-02-06T09:12:44.031Z',
  error: null,
  errorDetail: null,
} as const;

/** A post of which a destination is being taken down. */
export const unpublishedPost = {
  ...publishedPost,
  updatedAt: '2026-02-06T07:00:02.307Z',
  platforms: [publishedPost.platforms[0], { ...publishedPost.platforms[1], removal: requestedRemoval }],
} as const;

export const removedTarget = {
  ...listedPublishedPost.platforms[1],
  removedAt: '2026-02-06T09:12:45.207Z',
  removal: { ...requestedRemoval, state: 'removed' },
} as const;

export const failedTarget = {
  ...scheduledTargets[0],
  status: 'failed',
  error: 'The account must be connected again: Error validating access token (code 190)',
  errorDetail: {
    code: 'account_expired',
    category: 'reconnect',
    platformMessage: 'Error validating access token (code 190)',
    retryAt: null,
  },
} as const;

export const failedPost = {
  ...listedPost,
  status: 'failed',
  updatedAt: '2026-02-06T07:00:01.950Z',
  platforms: [failedTarget],
} as const;

export const postAtRisk = {
  ...listedPost,
  atRisk: true,
  updatedAt: '2026-02-06T04:31:12.040Z',
  platforms: [
    {
      ...scheduledTargets[0],
      risk: {
        since: '2026-02-06T04:31:10.800Z',
        checkedAt: '2026-02-06T04:31:10.800Z',
        findings: [
          {
            code: 'account_expired',
            category: 'reconnect',
            message:
              "the account's authorization has expired (Error validating access token (code 190)): connect it again",
            param: null,
            by: 'account_owner',
          },
        ],
      },
    },
    scheduledTargets[1],
  ],
} as const;

export const webhook = {
  id: ids.webhook,
  // Tried out, an endpoint is only accepted if its host resolves. This one does: https://www.iana.org/help/example-domains
  url: 'https://example.com/hooks/social',
  events: ['post.published', 'post.failed', 'account.expired'],
  accountIds: null,
  isActive: true,
  description: 'Order system',
  status: 'active',
  statusMessage: null,
  createdAt: '2026-01-14T16:20:05.700Z',
} as const;

export const delivery = {
  id: ids.delivery,
  webhookId: ids.webhook,
  eventId: ids.event,
  type: 'post.published',
  status: 'delivered',
  createdAt: '2026-02-06T07:00:02.307Z',
  attempts: [
    {
      at: '2026-02-06T07:00:02.611Z',
      statusCode: 200,
      latencyMs: 143,
      responseStart: '{"received":true}',
      error: null,
    },
  ],
  nextAttemptAt: null,
} as const;

export const automation = {
  id: ids.automation,
  accountId: ids.instagram,
  platformPostId: '17912345678901234',
  postId: null,
  appliesTo: 'post',
  start: { state: 'started', message: null },
  name: 'Recipe of the cinnamon rolls',
  isActive: true,
  keywords: ['recipe', 'rezept'],
  matchMode: 'word',
  typoTolerance: true,
  commentReply: 'We have sent you the recipe!',
  dmMessage: 'Here is the recipe of our cinnamon rolls. Happy baking!',
  buttons: [{ type: 'url', title: 'Open the recipe', url: 'https://bakery.example.com/recipes/rolls' }],
  followGate: null,
  trackLinks: true,
  createdAt: '2026-02-06T07:10:00.000Z',
  updatedAt: '2026-02-06T07:10:00.000Z',
} as const;
