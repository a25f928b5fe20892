import { metricsEvent } from './metrics.ts';
import {
  account,
  automation,
  delivery,
  expiredAccount,
  failedPost,
  failedTarget,
  ids,
  listedPost,
  listedPublishedPost,
  postAtRisk,
  publishedTarget,
  removedTarget,
  webhook,
} from './things.ts';

const started = {
  ...delivery,
  status: 'pending',
  attempts: [],
  nextAttemptAt: '2026-02-06T11:20:00.000Z',
} as const;

const recorded = {
  id: ids.event,
  type: 'post.published',
  createdAt: '2026-02-06T07:00:02.307Z',
  data: { post: listedPublishedPost },
  sequence: 41,
} as const;
const feedCursor = 'WyIyMDI2LTAxLTE0VDE2OjIwOjA1LjcwMFoiLDQxLCIiXQ.Zm9vZCBpcyBiZXN0';

/** Examples of endpoints for webhooks, of their deliveries, and of the event feed. */
export const examples = {
  createWebhook: {
    request: { url: webhook.url, events: webhook.events, description: webhook.description },
    responses: {
      201: { webhook: { ...webhook, secret: 'whsec_Zm9vZCBpcyBiZXN0IHdoZW4gaXQgaXMgd2FybQ' }, warnings: [] },
    },
  },
  listWebhooks: { responses: { 200: { webhooks: [webhook], nextCursor: null } } },
  getWebhook: { responses: { 200: { webhook } } },
  updateWebhook: {
    request: { isActive: false },
    responses: { 200: { webhook: { ...webhook, isActive: false, status: 'disabled' }, warnings: [] } },
  },
  deleteWebhook: { responses: { 200: { ok: true } } },
  rotateWebhookSecret: {
    responses: {
      200: { webhook: { ...webhook, secret: 'whsec_YSBuZXcgc2VjcmV0IGZvciBhIG5ldyBtb250aA' } },
    },
  },
  testWebhook: { responses: { 202: { delivery: { ...started, type: 'webhook.test' } } } },
  listWebhookDeliveries: { responses: { 200: { deliveries: [delivery], nextCursor: null } } },
  listDeliveries: { responses: { 200: { deliveries: [delivery], nextCursor: null } } },
  redeliverEvent: { responses: { 202: { delivery: { ...started, attempts: delivery.attempts } } } },
  redeliverFailedEvents: {
    request: { since: '2026-02-05T00:00:00Z' },
    responses: { 202: { redelivered: 12, nextCursor: null, warnings: [] } },
  },
  replayEvents: {
    request: { since: '2026-02-05T00:00:00Z', types: ['post.published', 'post.failed'] },
    responses: { 202: { events: 40, nextCursor: feedCursor, hasMore: false, warnings: [] } },
  },
  listEvents: {
    responses: {
      200: {
        events: [recorded],
        nextCursor: feedCursor,
        hasMore: false,
        recordedSince: '2026-01-14T16:20:05.700Z',
      },
      410: { oldestCursor: feedCursor },
    },
  },
  getEvent: { responses: { 200: { event: recorded } } },
} as const;

const comment = { id: '18029384756102938', text: 'Recipe please!', username: 'ann.bakes' } as const;

const ofTarget = {
  postId: listedPost.id,
  externalId: listedPost.externalId,
  metadata: listedPost.metadata,
  tags: listedPost.tags,
} as const;

/** An example of the data of each webhook event. */
export const eventExamples = {
  'post.scheduled': { post: listedPost },
  'post.published': { post: listedPublishedPost },
  'post.partial': {
    post: { ...listedPublishedPost, status: 'partial', platforms: [publishedTarget, failedTarget] },
  },
  'post.at_risk': { post: postAtRisk },
  'post.risk_cleared': { post: listedPost },
  'post.target.published': { ...ofTarget, target: publishedTarget },
  'post.target.failed': { ...ofTarget, target: failedTarget },
  'post.target.removed': { ...ofTarget, target: removedTarget },
  'post.failed': { post: failedPost },
  'post.metrics': metricsEvent,
  'account.expiring': { account },
  'account.expired': { account: expiredAccount },
  'account.connected': { account },
  'account.disconnected': { account: { ...account, isActive: false } },
  'platform.version.ending': {
    platform: 'instagram',
    version: 'v25.0',
    endsOn: '2028-07-29',
    accountIds: [ids.instagram],
  },
  'comment.received': {
    accountId: ids.instagram,
    platformPostId: automation.platformPostId,
    commentId: comment.id,
    text: comment.text,
    username: comment.username,
    at: '2026-02-06T09:12:40.000Z',
    automationId: ids.automation,
  },
  'dm.received': {
    accountId: ids.instagram,
    senderId: '6483920175628394',
    text: 'Do you have rolls left?',
    at: '2026-02-06T09:15:02.118Z',
  },
  'webhook.test': { webhookId: ids.webhook },
} as const;
