import { storePreviewOperation } from '../../../lib/media/operations.ts';
import { storePreview } from '../../../lib/media/preview.ts';
import { toMediaView } from '../../../lib/media/view.ts';
import { seesMedia } from '../../../lib/posts/stored/visible-media.ts';
import { apiHandler } from '../../middleware/api.ts';
import { putNewObject } from '../../wire/aws.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';

/** `PUT /v1/media/{id}/preview` */
export const build = apiHandler(
  storePreviewOperation,
  { mediaBaseUrl, putNewObject },
  async ({ context, path, body }) => {
    const media = await storePreview({ ...context, seesMedia }, path.id, body.data);
    return { status: 200, body: { media: toMediaView(media, context.mediaBaseUrl) } };
  },
);
