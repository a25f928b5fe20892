import * as z from 'zod';
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
    'The rhythm by which `scheduledFor: "auto"` chooses slots on this account for the calling key.',
  pathParameters: ById,
  replies: { 200: { description: 'The rhythm that was set, or the defaults', body: RhythmReply } },
  refusals: { 404: 'No such account in this workspace that the key may use' },
  rights: { reads: { BatchGetItem: ['WORKSPACE#', 'CALENDAR#'] } },
});

export const setRhythmOperation = operation({
  id: 'setRhythm',
  handler: 'rhythm/set',
  verb: 'rhythm.set',
  method: 'PUT',
  path: '/v1/accounts/{id}/rhythm',
  summary: "Set an account's rhythm",
  description:
    'Applies to the calling key; other keys have their own rhythms. Absent fields get their defaults. Posts that are already scheduled keep their times.',
  pathParameters: ById,
  body: Rhythm,
  replies: { 200: { description: 'The new rhythm', body: RhythmReply } },
  refusals: { 404: 'No such account in this workspace that the key may use' },
  rights: { reads: { ConditionCheckItem: ['WORKSPACE#'] }, writes: { PutItem: ['CALENDAR#'] } },
});
