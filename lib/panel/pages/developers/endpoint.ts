import type { listWebhooksOperation } from '../../../webhooks/endpoints/operations.ts';
import { useGet } from '../../api/hooks.ts';
import type { ReplyOf } from '../../api/operation-types.ts';

export type Endpoint = ReplyOf<typeof listWebhooksOperation>['webhooks'][number];
export type Subscription = Endpoint['events'][number];
export type EventType = Exclude<Subscription, '*'>;

/** The paths whose results a change of an endpoint makes out of date. */
export const endpointPaths = ['/v1/webhooks'];

/** All endpoints of the workspace, oldest first. */
export const useEndpoints = () => useGet<typeof listWebhooksOperation>('/v1/webhooks');

/** The program of `docs/webhooks.md`, which a test compares. */
export const verificationSnippet = `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isFromHerald(rawBody, signatureHeader, secret) {
  if (typeof rawBody !== 'string' && !ArrayBuffer.isView(rawBody)) return false; // parsed, or absent
  if (typeof signatureHeader !== 'string' || typeof secret !== 'string' || secret === '') return false;
  const parts = signatureHeader.split(',').map((part) => part.split('='));
  const t = parts.find(([name]) => name === 't')?.[1];
  if (!(Math.abs(Date.now() / 1000 - Number(t)) <= 300)) return false; // more than five minutes old: a replay
  const expected = createHmac('sha256', secret).update(\`\${t}.\`).update(rawBody).digest();
  return parts.some(([name, hex = '']) => {
    const given = Buffer.from(hex, 'hex');
    return name === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}`;
