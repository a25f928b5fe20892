import * as z from 'zod';
import { limitQuery, Timestamp } from '../api-contract/fields.ts';
import { operation } from '../api-contract/operation.ts';
import { ById } from '../api-contract/shapes.ts';
import { Rhythm } from './schemas.ts';

const RhythmReply = z.object({ rhythm: Rhythm });

export const readRhythmOperation = operation({
  id: 'getRhythm',
  handler: 'rhythm/read',
  verb: 'rhythm.read',
  method: 'GET',
  path: '/v1/accounts/{id}/rhythm',
  summary: "Read an account's rhythm",
  description:
    'The rhythm by which `scheduledFor: "auto"` chooses slots on this account for the calling key. In the panel, all people of a workspace share one.',
  pathParameters: ById,
  replies: { 200: { description: 'The rhythm that was set, or the defaults', body: RhythmReply } },
  refusals: { 404: 'No such account in this workspace that the key may use' },
  rights: { reads: { BatchGetItem: ['WORKSPACE#', 'CALENDAR#'] } },
});

export const listSlotsOperation = operation({
  id: 'listSlots',
  handler: 'rhythm/list-slots',
  verb: 'rhythm.read',
  method: 'GET',
  path: '/v1/accounts/{id}/slots',
  summary: 'List the next free slots of an account',
  description:
    'The times that the next posts of the calling key, or of the panel, with `scheduledFor: "auto"` on this account alone would get, one after the other. They are not reserved: another post may take one at any moment. A post with media may get a later one, because its preparation takes time.',
  pathParameters: ById,
  query: z.object({
    count: limitQuery(50).default(10).meta({ description: 'The most slots to return' }),
  }),
  replies: {
    200: {
      description: 'The slots, earliest first; fewer than `count` if no more are free within 90 days',
      body: z.object({
        timezone: z.string().meta({ description: 'The time zone of the rhythm' }),
        slots: z.array(
          z
            .object({
              at: Timestamp,
              local: z.string().meta({ description: 'The same time in `timezone`, with its offset' }),
            })
            .meta({ id: 'Slot' }),
        ),
      }),
    },
  },
  refusals: { 404: 'No such account in this workspace that the key may use' },
  rights: { reads: { BatchGetItem: ['WORKSPACE#', 'CALENDAR#'], Query: ['CALENDAR#'] } },
});

export const setRhythmOperation = operation({
  id: 'setRhythm',
  handler: 'rhythm/set',
  verb: 'rhythm.set',
  method: 'PUT',
  path: '/v1/accounts/{id}/rhythm',
  summary: "Set an account's rhythm",
  description:
    'Applies to the calling key; other keys have their own rhythms, and the people who use the panel share one. Replaces the whole rhythm: fields that are absent or null get their defaults, whatever they were before. Posts that are already scheduled keep their times.',
  pathParameters: ById,
  body: Rhythm,
  replies: { 200: { description: 'The new rhythm', body: RhythmReply } },
  refusals: { 404: 'No such account in this workspace that the key may use' },
  rights: { reads: { ConditionCheckItem: ['WORKSPACE#'] }, writes: { PutItem: ['CALENDAR#'] } },
});
