import { deleteMediaOperation } from '../../../lib/media/operations.ts';
import { deleteMedia } from '../../../lib/media/retention/delete.ts';
import { findMediaUsage } from '../../../lib/posts/stored/media-usage.ts';
import { isInHiddenDraft, seesMedia } from '../../../lib/posts/stored/visible-media.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `DELETE /v1/media/{id}` */
export const build = apiHandler(deleteMediaOperation, {}, async ({ context, path }) => {
  await deleteMedia({ ...context, findUsage: findMediaUsage, seesMedia, isInHiddenDraft }, path.id);
  return { status: 200, body: { ok: true } };
});
