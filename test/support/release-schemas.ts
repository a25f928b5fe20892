import * as z from 'zod';
import { InboundQueueMessage } from '../../lib/automations/inbound/delivery-body.ts';
import { AutomationMessage } from '../../lib/automations/schemas.ts';
import { ImportMessage } from '../../lib/media/imports/schemas.ts';
import { RenditionMessage } from '../../lib/media/renditions/schemas.ts';
import { ChainMessage } from '../../lib/posts/stored/chain-schemas.ts';
import { PublishMessage } from '../../lib/publishing/message.ts';
import { DistantWake } from '../../lib/publishing/relay/keep-schedule.ts';
import { WebhookMessage } from '../../lib/webhooks/schemas.ts';
import { kindsWithSchema } from './stored-kinds.ts';

/** Parsers of the messages of each queue that functions send to. */
export const messageSchemas: Readonly<Record<string, z.ZodType>> = {
  publish: PublishMessage,
  upload: PublishMessage,
  distantWake: DistantWake,
  chain: ChainMessage,
  webhook: WebhookMessage,
  slowWebhook: WebhookMessage,
  inbound: InboundQueueMessage,
  automation: AutomationMessage,
  import: ImportMessage,
  renderMedia: RenditionMessage,
};

/** Forms that a release can read, as JSON Schema: stored items by kind, messages by queue. */
export interface ReadableForms {
  readonly items: Readonly<Record<string, object>>;
  readonly messages: Readonly<Record<string, object>>;
}

/** Returns the forms that today's code can read. Unknown attributes are allowed, as its parsers ignore them. */
export function readableForms(): ReadableForms {
  const jsonSchema = (schema: z.ZodType): object =>
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' });
  return {
    items: Object.fromEntries(kindsWithSchema.map(([kind, { schema }]) => [kind, jsonSchema(schema)])),
    messages: Object.fromEntries(
      Object.entries(messageSchemas).map(([queue, schema]) => [queue, jsonSchema(schema)]),
    ),
  };
}
