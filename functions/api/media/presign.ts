import { presignMediaOperation } from '../../../lib/media/operations.ts';
import { presignMedia } from '../../../lib/media/uploads/presign.ts';
import { apiHandler } from '../../middleware/api.ts';
import { clientUploads, signUpload } from '../../wire/aws.ts';
import { mediaBaseUrl } from '../../wire/settings.ts';

/** `POST /v1/media/presign` */
export const build = apiHandler(
  presignMediaOperation,
  { mediaBaseUrl, signUpload, clientUploads },
  async ({ context, body }) => ({
    status: 200,
    body: await presignMedia(context, body),
  }),
);
