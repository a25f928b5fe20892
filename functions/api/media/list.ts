import { listMediaOperation } from '../../../lib/media/operations.ts';
import { listMedia } from '../../../lib/media/read.ts';
import { toMediaView } from '../../../lib/media/view.ts';
import { seesMedia } from '../../../lib/posts/stored/visible-media.ts';
import { apiHandler } from '../../middleware/api.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';

/** `GET /v1/media` */
export const build = apiHandler(listMediaOperation, { mediaBaseUrl }, async ({ context, query }) => {
  const { media, nextCursor } = await listMedia({ ...context, seesMedia }, query);
  return {
    status: 200,
    body: { media: media.map((file) => toMediaView(file, context.mediaBaseUrl)), nextCursor },
  };
});
