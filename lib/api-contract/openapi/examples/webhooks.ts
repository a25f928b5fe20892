import { delivery, webhook } from './things.ts';

const started = {
  ...delivery,
  status: 'pending',
  attempts: [],
  nextAttemptAt: '2026-02-06T11:20:00.000Z',
} as const;

/** Examples of endpoints for webhooks, and of their deliveries. */
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
} as const;
