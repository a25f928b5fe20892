import { readMediaOperation } from '../../../lib/media/operations.ts';
import { getMedia } from '../../../lib/media/read.ts';
import { toMediaView } from '../../../lib/media/view.ts';
import { seesMedia } from '../../../lib/posts/stored/visible-media.ts';
import { apiHandler } from '../../middleware/api.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';

/** `GET /v1/media/{id}` */
export const build = apiHandler(readMediaOperation, { mediaBaseUrl }, async ({ context, path }) => {
  const media = await getMedia({ ...context, seesMedia }, path.id);
  return { status: 200, body: { media: toMediaView(media, context.mediaBaseUrl) } };
});
