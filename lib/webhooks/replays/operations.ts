import * as z from 'zod';
import { operation } from '../../api-contract/operation.ts';
import { ById } from '../../api-contract/shapes.ts';
import { FeedEventType } from '../feed/operations.ts';
import { webhookLimits } from '../schemas.ts';

export const ReplayBody = z
  .object({
    after: z.string().min(1).max(2_000).optional().meta({
      description:
        'Sends the events after this cursor, a `nextCursor` of `GET /v1/events` or of this operation',
    }),
    since: z.iso
      .datetime({ offset: true, error: 'must be an ISO 8601 date-time, such as 2026-03-01T12:00:00Z' })
      .optional()
      .meta({ description: 'Sends the events that were recorded at or after this time' }),
    types: z
      .array(FeedEventType)
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'Only events of these types, of those that the endpoint receives. Default: all' }),
  })
  .meta({ id: 'ReplayEvents' });
export type ReplayBody = z.infer<typeof ReplayBody>;

export const replayOperation = operation({
  id: 'replayEvents',
  handler: 'webhooks/replay',
  verb: 'webhook.replay',
  method: 'POST',
  path: '/v1/webhooks/{id}/replay',
  summary: 'Send an endpoint events of the feed again',
  description: `For an endpoint that is new, was disabled or has lost events: makes a delivery of each event after a cursor or since a time that the endpoint receives, also of those that it has received before. Give either \`after\` or \`since\`. The deliveries are made in the background, oldest first, and never delay new events. One request covers at most ${webhookLimits.eventsPerReplay.toLocaleString('en')} events of the feed; while \`hasMore\` is true, repeat it with \`after\`: the \`nextCursor\`, once the last one has been made.`,
  pathParameters: ById,
  body: ReplayBody,
  replies: {
    202: {
      description: 'The deliveries are being made',
      body: z.object({
        events: z.int().meta({
          description:
            'Number of events of the feed that it covers. The endpoint gets those that it receives',
        }),
        nextCursor: z.string().meta({ description: 'Pass as `after` for what follows' }),
        hasMore: z.boolean().meta({ description: 'True if more events follow already' }),
      }),
    },
  },
  refusals: {
    404: 'No such webhook in this workspace',
    409: 'The endpoint is disabled, its last replay is still being made, or the event feed is off',
    410: 'Events after the cursor or time are not kept any more. `oldestCursor` is the cursor of the oldest that are',
  },
  rights: {
    reads: {
      GetItem: ['WORKSPACE#', 'FEED#'],
      BatchGetItem: ['WORKSPACE#', 'FEED-HEAD#'],
      Query: ['FEED#'],
      ConditionCheckItem: ['WORKSPACE#'],
    },
    writes: { PutItem: ['REPLAY#'] },
  },
});
