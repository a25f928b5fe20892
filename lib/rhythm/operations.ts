import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';
import { ById } from '../api-contract/shapes.ts';
import { Rhythm } from './schemas.ts';

const RhythmReply = z.object({ rhythm: Rhythm });

export const readRhythmOperation = operation({
  handler: 'rhythm/read',
  method: 'GET',
  path: '/v1/accounts/{id}/rhythm',
  summary: "Read a channel's rhythm",
  description: 'By what `scheduledFor: "auto"` chooses slots on this channel for the calling key.',
  pathParameters: ById,
  replies: { 200: { description: 'What was set, or the defaults', body: RhythmReply } },
  refusals: { 404: 'No such account in this workspace' },
  rights: { table: ['BatchGetItem'] },
});

export const setRhythmOperation = operation({
  handler: 'rhythm/set',
  method: 'PUT',
  path: '/v1/accounts/{id}/rhythm',
  summary: "Set a channel's rhythm",
  description:
    'For the calling key; other keys keep theirs. What is left out has its default. What is scheduled already stays where it is.',
  pathParameters: ById,
  body: Rhythm,
  replies: { 200: { description: 'The rhythm as it is now', body: RhythmReply } },
  refusals: { 404: 'No such account in this workspace' },
  rights: { table: ['ConditionCheckItem', 'PutItem'] },
});
