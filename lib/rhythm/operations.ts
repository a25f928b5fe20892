import * as z from 'zod';
import { PathId } from '../api-contract/fields.ts';
import { operation } from '../api-contract/operation.ts';
import { Rhythm } from './schemas.ts';

const RhythmReply = z.object({ rhythm: Rhythm });

export const readRhythmOperation = operation({
  id: 'rhythm-read',
  method: 'GET',
  path: '/v1/accounts/{id}/rhythm',
  summary: "Read a channel's rhythm",
  description: 'By what `scheduledFor: "auto"` chooses slots on this channel for the calling key.',
  access: 'key',
  pathParameters: z.object({ id: PathId }),
  replies: { 200: { description: 'What was set, or the defaults', body: RhythmReply } },
  refusals: { 404: 'No such account in this workspace' },
});

export const setRhythmOperation = operation({
  id: 'rhythm-set',
  method: 'PUT',
  path: '/v1/accounts/{id}/rhythm',
  summary: "Set a channel's rhythm",
  description:
    'For the calling key; other keys keep theirs. What is left out has its default. What is scheduled already stays where it is.',
  access: 'key',
  pathParameters: z.object({ id: PathId }),
  body: Rhythm,
  replies: { 200: { description: 'The rhythm as it is now', body: RhythmReply } },
  refusals: { 404: 'No such account in this workspace' },
});
