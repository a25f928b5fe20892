import { setRhythmOperation } from '../../../lib/rhythm/operations.ts';
import { setRhythm } from '../../../lib/rhythm/store.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `PUT /v1/accounts/{id}/rhythm` */
export const build = apiHandler(setRhythmOperation, {}, async ({ context, path, body }) => ({
  status: 200,
  body: { rhythm: await setRhythm(context, path.id, body) },
}));
