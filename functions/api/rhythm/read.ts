import { readRhythmOperation } from '../../../lib/rhythm/operations.ts';
import { readRhythm } from '../../../lib/rhythm/store.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/accounts/{id}/rhythm` */
export const build = apiHandler(readRhythmOperation, {}, async ({ context, path }) => ({
  status: 200,
  body: { rhythm: await readRhythm(context, path.id) },
}));
