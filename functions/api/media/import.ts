import { importMedia } from '../../../lib/media/imports/import-media.ts';
import { importMediaOperation } from '../../../lib/media/operations.ts';
import { toMediaView } from '../../../lib/media/view.ts';
import { apiHandler } from '../../middleware/api.ts';
import { plainHttpHosts } from '../../wire/public-network.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';

/** `POST /v1/media` */
export const build = apiHandler(
  importMediaOperation,
  { mediaBaseUrl, plainHttpHosts },
  async ({ context, body }) => {
    const media = await importMedia(context, body);
    return { status: 202, body: { media: toMediaView(media, context.mediaBaseUrl) } };
  },
);
