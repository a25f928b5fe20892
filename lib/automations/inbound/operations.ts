import * as z from 'zod';
import { operation } from '../../api-contract/operation.ts';

const path = '/platforms/instagram/webhook';
const bodyType = 'text/plain';

export const verifyPlatformWebhookOperation = operation({
  id: 'verifyPlatformWebhook',
  handler: 'platform-webhook',
  method: 'GET',
  path,
  summary: "Meta's verification of the webhook address",
  description:
    'https://developers.facebook.com/docs/graph-api/webhooks/getting-started#verification-requests',
  access: 'public',
  query: z.object({
    'hub.mode': z.string().optional(),
    'hub.verify_token': z.string().optional(),
    'hub.challenge': z.string().optional(),
  }),
  replies: {
    200: { description: 'The challenge, unchanged', body: z.string(), bodyType },
    403: { description: 'The verify token is wrong', body: z.string(), bodyType },
  },
  rights: { platformSecrets: 'instagram' },
});

export const platformWebhookOperation = operation({
  id: 'receivePlatformWebhook',
  handler: 'platform-webhook',
  method: 'POST',
  path,
  summary: 'Receive webhooks from Instagram',
  description:
    'Comments and messages of connected accounts. Acknowledged immediately and processed through a queue. Signed JSON that Herald does not understand is acknowledged too.',
  access: 'public',
  headers: z.object({
    'X-Hub-Signature-256': z.string().optional().meta({
      description: '`sha256=<hex>`: HMAC-SHA256 of the raw body, keyed by the app secret',
    }),
  }),
  body: z.unknown().meta({ description: 'https://developers.facebook.com/docs/instagram-platform/webhooks' }),
  replies: { 200: { description: 'Accepted', body: z.string(), bodyType } },
  refusals: { 401: 'The signature is wrong or missing', 500: 'The delivery was not accepted: send it again' },
  rights: { platformSecrets: 'instagram', sends: ['inbound'] },
});
