import { listMediaOperation } from '../../../lib/media/operations.ts';
import { listMedia } from '../../../lib/media/read.ts';
import { toMediaView } from '../../../lib/media/view.ts';
import { environment } from '../../environment.ts';
import { apiHandler } from '../../middleware/api.ts';

const { MEDIA_BASE_URL } = environment('MEDIA_BASE_URL');

/** `GET /v1/media` */
export const handler = apiHandler(listMediaOperation, async ({ context, query }) => {
  const { media, nextCursor } = await listMedia(context, query);
  return { status: 200, body: { media: media.map((file) => toMediaView(file, MEDIA_BASE_URL)), nextCursor } };
});
