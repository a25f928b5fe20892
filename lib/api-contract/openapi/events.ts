import * as z from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';

export interface DescribedEvent {
  readonly summary: string;
  readonly description?: string;
  /** What the envelope carries as `data`. */
  readonly data: z.ZodType;
}

const signatureForm = '^t=\\d+(,v1=[0-9a-f]{64}){1,2}$';

/** The headers of every delivery. */
const headers = z.object({
  'X-Service-Signature': z.string().meta({
    pattern: signatureForm,
    description:
      "`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, its key the endpoint's whole secret (`whsec_…`). For 24 hours after a rotation there are two `v1=`, of the new and the old secret: accept the request if one is right. Refuse a `t` more than five minutes old",
    example: 't=1772366400,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  }),
  'X-Service-Event-Id': z.string().meta({ format: 'uuid', description: "The envelope's `id`" }),
  'X-Service-Delivery-Id': z.string().meta({
    format: 'uuid',
    description: 'The delivery in the log of the endpoint; the same in all its attempts',
  }),
});

/** The section `webhooks` of the document: one POST for each type of event. */
export function describeEvents(events: Readonly<Record<string, DescribedEvent>>): ZodOpenApiPathsObject {
  return Object.fromEntries(
    Object.entries(events).map(([type, { summary, description, data }]) => [
      type,
      {
        post: {
          operationId: `event-${type.replace('.', '-')}`,
          summary,
          ...(description && { description }),
          security: [],
          requestParams: { header: headers },
          requestBody: {
            required: true,
            content: { 'application/json': { schema: envelope(type, data) } },
          },
          responses: {
            '2XX': { description: 'Delivered. Answer within 10 seconds' },
            '410': { description: 'You want no more: the endpoint is disabled at once' },
            default: {
              description:
                'Not delivered. It is sent again after about 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 3 h, 6 h, 12 h and 24 h, or later where `Retry-After` asks for it',
            },
          },
        },
      },
    ]),
  );
}

const envelope = (type: string, data: z.ZodType) =>
  z.object({
    id: z.uuid().meta({ description: 'Of the event: the same in all attempts and at all endpoints' }),
    type: z.literal(type),
    createdAt: z.string().meta({ format: 'date-time', description: 'When it happened, ISO 8601 in UTC' }),
    data,
  });
