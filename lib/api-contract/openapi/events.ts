import * as z from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';

export interface DescribedEvent {
  readonly summary: string;
  readonly description?: string;
  /** The schema of the envelope's `data`. */
  readonly data: z.ZodType;
}

const signatureForm = '^t=\\d+(,v1=[0-9a-f]{64}){1,2}$';

/** The headers of every delivery. */
const headers = z.object({
  'X-Service-Signature': z.string().meta({
    pattern: signatureForm,
    description:
      "`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<raw body>`. The HMAC key is the endpoint's whole signing secret (`whsec_…`). For 24 hours after a rotation there are two `v1=`, one for the new and one for the old secret: accept the request if either is right. Reject a `t` more than five minutes old",
    example: 't=1772366400,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  }),
  'X-Service-Event-Id': z.string().meta({ format: 'uuid', description: "The envelope's `id`" }),
  'X-Service-Delivery-Id': z.string().meta({
    format: 'uuid',
    description: "The delivery's id in the endpoint's log; the same in all its attempts",
  }),
});

/** Returns the callbacks of an operation if its body has the `url` to which events are sent. */
export const callbacksTo = (anyEvent: z.ZodType) => ({
  event: {
    '{$request.body#/url}': {
      post: {
        operationId: 'onEvent',
        tags: ['Webhooks'],
        summary: 'An event that the endpoint subscribes to',
        description: 'One of the events that are listed under Webhooks, by its `type`.',
        security: [],
        requestParams: { header: headers },
        requestBody: { required: true, content: { 'application/json': { schema: anyEvent } } },
        responses,
      },
    },
  },
});

/** Returns the operation id of an event, from its type: `onPostPublished`. */
const idOf = (type: string) => `on${nameOf(type)}`;

/** Returns `PostAtRisk` for `post.at_risk`. */
const nameOf = (type: string) => type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Builds the section `webhooks` of the document, one POST per event type, and the schema of any event.
 *
 * @param examples examples of the events' data, by type
 */
export function describeEvents(
  events: Readonly<Record<string, DescribedEvent>>,
  examples: Readonly<Record<string, object>>,
): { readonly webhooks: ZodOpenApiPathsObject; readonly anyEvent?: z.ZodType } {
  const envelopes = Object.entries(events).map(([type, event]) => ({
    type,
    ...event,
    envelope: envelopeOf(type, event.data),
  }));
  const webhooks = Object.fromEntries(
    envelopes.map(({ type, summary, description = summary, envelope }) => [
      type,
      {
        post: {
          operationId: idOf(type),
          tags: ['Webhooks'],
          summary,
          description,
          security: [],
          requestParams: { header: headers },
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: envelope,
                ...(examples[type] && { example: envelopeExample(type, examples[type]) }),
              },
            },
          },
          responses,
        },
      },
    ]),
  );
  const [first, ...others] = envelopes.map(({ envelope }) => envelope);
  if (!first) return { webhooks };
  const anyEvent = z
    .discriminatedUnion('type', [first, ...others])
    .meta({ id: 'WebhookEvent', description: 'Any event, by its `type`. More types may be added' });
  return { webhooks, anyEvent };
}

const responses = {
  '2XX': { description: 'Delivered. Answer within 10 seconds' },
  '410': { description: 'You want no more events: the endpoint is disabled immediately' },
  default: {
    description:
      'Not delivered. The service retries after about 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 3 h, 6 h, 12 h and 24 h, or later if `Retry-After` asks for it',
  },
};

const envelopeOf = (type: string, data: z.ZodType) =>
  z
    .object({
      id: z.uuid().meta({ description: "The event's id: the same in all attempts and at all endpoints" }),
      type: z.literal(type),
      createdAt: z.string().meta({ format: 'date-time', description: 'Time of the event, ISO 8601 in UTC' }),
      data,
    })
    .meta({ id: `${nameOf(type)}Event` });

const envelopeExample = (type: string, data: object) => ({
  id: '019c2f47-2c11-7b8a-a0e6-d95f4073c1a8',
  type,
  createdAt: '2026-02-06T07:00:02.307Z',
  data,
});
