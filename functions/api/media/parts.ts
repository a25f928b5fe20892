import { listMediaPartsOperation } from '../../../lib/media/operations.ts';
import { listParts } from '../../../lib/media/uploads/parts.ts';
import { seesMedia } from '../../../lib/posts/stored/visible-media.ts';
import { apiHandler } from '../../middleware/api.ts';
import { clientUploads } from '../../wire/aws.ts';

/** `GET /v1/media/{id}/parts` */
export const build = apiHandler(listMediaPartsOperation, { clientUploads }, async ({ context, path }) => ({
  status: 200,
  body: await listParts({ ...context, seesMedia }, path.id),
}));
