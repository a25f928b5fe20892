import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type InboundQueueMessage, packDelivery } from '../../lib/automations/inbound/delivery-body.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import type { Measurement } from '../../lib/metrics/measurements.ts';
import {
  asksForChallenge,
  hasSignature,
  isSignedByPlatform,
  subscriptionChallenge,
} from '../../lib/platforms/instagram/webhook.ts';
import { type Reply, textReply } from '../middleware/reply.ts';
import { routeHandler } from '../middleware/route.ts';
import { inboundQueue } from '../wire/aws.ts';
import { logger } from '../wire/logger.ts';
import { record } from '../wire/metrics.ts';
import { toolsFor } from '../wire/platform-tools.ts';

const refused: Measurement = { name: 'InboundRefused', value: 1, platform: 'instagram' };

/**
 * `GET` and `POST /platforms/instagram/webhook`: Meta's check of the URL, and its webhooks. Only the signature is checked here; a
 * queue keeps the content for a worker. For 36 hours, Meta repeats a request that is not answered with 200.
 *
 * Anybody can call it, so the cost that a stranger can cause is bounded: a request that cannot be Meta's reads nothing, and one
 * that only looks like Meta's reads the parameter from the execution environment's cache.
 */
export const build = routeHandler({ inboundQueue, toolsFor, record }, (dependencies) => {
  const { inboundQueue, toolsFor, record } = dependencies;

  async function verify({ rawQueryString }: APIGatewayProxyEventV2): Promise<Reply> {
    const query = Object.fromEntries(new URLSearchParams(rawQueryString));
    const challenge = asksForChallenge(query)
      ? subscriptionChallenge(query, (await toolsFor('instagram')).app.webhookVerifyToken)
      : undefined;
    if (challenge !== undefined) return textReply(200, challenge);
    logger.warn("a check of the webhook's URL failed");
    record([refused]);
    return textReply(403, 'forbidden');
  }

  async function receive({ body = '', headers, isBase64Encoded }: APIGatewayProxyEventV2): Promise<Reply> {
    const raw = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
    const signature = headers['x-hub-signature-256'];
    if (!hasSignature(signature) || !isSignedByPlatform(raw, signature, await secrets())) {
      record([refused]);
      throw new HeraldError('signature_wrong', 'X-Hub-Signature-256: the signature is wrong or missing');
    }
    const { messages, dropped } = packDelivery(raw.toString('utf8'));
    if (dropped > 0) logger.warn('parts of a delivery were too long and were dropped', { dropped });
    await Promise.all(
      messages.map((each) => inboundQueue.send({ body: each } satisfies InboundQueueMessage)),
    );
    return textReply(200, 'ok');
  }

  async function secrets(): Promise<readonly string[]> {
    const { app } = await toolsFor('instagram');
    return [app.clientSecret, ...(app.metaAppSecret === undefined ? [] : [app.metaAppSecret])];
  }

  return (event) => (event.requestContext.http.method === 'GET' ? verify(event) : receive(event));
});
