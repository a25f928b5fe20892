import * as z from 'zod';
import { Id, limitQuery, Timestamp } from '../../api-contract/fields.ts';
import { operation } from '../../api-contract/operation.ts';
import { ById } from '../../api-contract/shapes.ts';
import { WebhookEventType } from '../schemas.ts';

/** The types of events in the feed. A test event is for one endpoint, and no event of the workspace. */
export const FeedEventType = WebhookEventType.exclude(['webhook.test']).meta({ id: 'FeedEventType' });
export type FeedEventType = z.infer<typeof FeedEventType>;

const isType = (text: string): text is FeedEventType => FeedEventType.safeParse(text).success;

const maxEvents = 500;

/** The `after` that means the present end of the feed. */
export const latest = 'latest';

const ListEventsQuery = z.object({
  after: z.string().min(1).max(2_000).optional().meta({
    description:
      'The `nextCursor` of the response before; `latest` for events from now on. Without it, the list begins with the oldest event that is kept',
  }),
  types: z
    .string()
    .max(1_000)
    .refine((text) => text.split(',').every(isType), {
      error: 'must be types of events, separated by commas, such as post.published,post.failed',
      params: { code: 'field_unknown_value' },
    })
    .transform((text) => text.split(',').filter(isType))
    .optional()
    .meta({
      type: 'string',
      description: 'Only events of these types, separated by commas. Other `types` may use the same cursor',
    }),
  accountId: Id.optional().meta({
    description: 'Only events about this account. An event about a post is about all of its accounts',
  }),
  limit: limitQuery(maxEvents).default(50),
});
export type ListEventsQuery = z.output<typeof ListEventsQuery>;

export const FeedEvent = z
  .object({
    id: z.uuid().meta({ description: 'The same as in the webhook' }),
    type: WebhookEventType,
    createdAt: Timestamp.meta({ description: 'Time of the event, ISO 8601 in UTC' }),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'As in the webhook of this `type`; see Webhooks' }),
    sequence: z.int().meta({
      description:
        'Its place in the feed: 1 for the first event of the workspace, and one more for each further one. Whoever has all up to a number has missed none',
    }),
  })
  .meta({ id: 'FeedEvent' });
export type FeedEvent = z.infer<typeof FeedEvent>;

const isOff = 'The event feed was turned off';

export const listEventsOperation = operation({
  id: 'listEvents',
  handler: 'events/list',
  verb: 'event.read',
  method: 'GET',
  path: '/v1/events',
  summary: 'Read the events of the workspace, oldest first',
  description:
    'The same events as those of the webhooks, for 30 days, unless the operator of the service has set another time. The first request turns the recording on, as does the first webhook; nothing that happened before is in the feed. To read everything, repeat the request with `after`: the `nextCursor` of the response, which is always there, also if nothing is new. A page may be shorter than `limit`, or empty, although more follow: see `hasMore`. A key that is limited to some accounts gets only the events about these.',
  query: ListEventsQuery,
  replies: {
    200: {
      description: 'Events in the order of their `sequence`',
      body: z.object({
        events: z.array(FeedEvent),
        nextCursor: z.string().meta({ description: 'Pass as `after` for what follows' }),
        hasMore: z.boolean().meta({ description: 'True if more events follow already' }),
        recordedSince: Timestamp.meta({ description: 'The feed has every event that happened after this' }),
      }),
    },
  },
  refusals: {
    409: isOff,
    410: 'Events after the cursor are not kept any more. `oldestCursor` is the cursor of the oldest that are',
  },
  rights: {
    reads: {
      GetItem: ['FEED#'],
      BatchGetItem: ['WORKSPACE#', 'FEED-HEAD#', 'EVENT#'],
      Query: ['FEED#'],
    },
    writes: { UpdateItem: ['WORKSPACE#'] },
  },
  timeoutSeconds: 29,
});

export const readEventOperation = operation({
  id: 'getEvent',
  handler: 'events/read',
  verb: 'event.read',
  method: 'GET',
  path: '/v1/events/{id}',
  summary: 'Read one event of the feed',
  description: 'Kept as long as in the list. Events from before the feed was turned on are not in it.',
  pathParameters: ById,
  replies: { 200: { description: 'The event', body: z.object({ event: FeedEvent }) } },
  refusals: { 404: 'The feed has no such event' },
  rights: { reads: { GetItem: ['EVENT#'] } },
});
