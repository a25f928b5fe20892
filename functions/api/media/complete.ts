import { completeMediaOperation } from '../../../lib/media/operations.ts';
import { completeParts } from '../../../lib/media/uploads/parts.ts';
import { toMediaView } from '../../../lib/media/view.ts';
import { seesMedia } from '../../../lib/posts/stored/visible-media.ts';
import { apiHandler } from '../../middleware/api.ts';
import { clientUploads, describeObject } from '../../wire/aws.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';

/** `POST /v1/media/{id}/complete` */
export const build = apiHandler(
  completeMediaOperation,
  { mediaBaseUrl, clientUploads, describeObject },
  async ({ context, path }) => {
    const media = await completeParts({ ...context, seesMedia }, path.id);
    return { status: 200, body: { media: toMediaView(media, context.mediaBaseUrl) } };
  },
);
