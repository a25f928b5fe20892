import { deleteMedia } from '../../../lib/media/index.ts';
import { deleteMediaOperation } from '../../../lib/media/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `DELETE /v1/media/{id}` */
export const handler = apiHandler(deleteMediaOperation, async ({ context, path }) => {
  await deleteMedia(context, path.id);
  return { status: 200, body: { ok: true } };
});
