import { uploadSigner } from '../../../lib/aws/bucket.ts';
import { presignMediaOperation } from '../../../lib/media/operations.ts';
import { presignMedia } from '../../../lib/media/uploads/presign.ts';
import { environment } from '../../environment.ts';
import { apiHandler } from '../../middleware/api.ts';

const { MEDIA_BASE_URL, MEDIA_BUCKET } = environment('MEDIA_BASE_URL', 'MEDIA_BUCKET');
const signUpload = uploadSigner(MEDIA_BUCKET);

/** `POST /v1/media/presign` */
export const handler = apiHandler(presignMediaOperation, async ({ context, body }) => ({
  status: 200,
  body: await presignMedia({ ...context, mediaBaseUrl: MEDIA_BASE_URL, signUpload }, body),
}));
