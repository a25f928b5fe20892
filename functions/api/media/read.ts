import { readMediaOperation } from '../../../lib/media/operations.ts';
import { getMedia } from '../../../lib/media/read.ts';
import { toMediaView } from '../../../lib/media/view.ts';
import { environment } from '../../environment.ts';
import { apiHandler } from '../../middleware/api.ts';

const { MEDIA_BASE_URL } = environment('MEDIA_BASE_URL');

/** `GET /v1/media/{id}` */
export const handler = apiHandler(readMediaOperation, async ({ context, path }) => {
  const media = await getMedia(context, path.id);
  return { status: 200, body: { media: toMediaView(media, MEDIA_BASE_URL) } };
});
