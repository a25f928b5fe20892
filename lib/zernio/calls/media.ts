import { presignMediaOperation } from '../../media/operations.ts';
import { fieldsOf, ok, type ZernioCall } from '../call.ts';

const presign: ZernioCall = {
  name: 'getMediaPresignedUrl',
  route: 'POST /v1/media/presign',
  operations: [presignMediaOperation],
  run: async ({ call }, request) => {
    const grant = await call(presignMediaOperation, { body: fieldsOf(request) });
    const { uploadUrl, publicUrl, expiresIn, mediaId } = grant;
    return ok({ uploadUrl, publicUrl, key: mediaId, expiresIn });
  },
};

export const mediaCalls: readonly ZernioCall[] = [presign];
