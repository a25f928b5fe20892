import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { validatePostOperation } from '../../../lib/posts/request/operations.ts';
import { validatePost } from '../../../lib/posts/validate.ts';
import { environment } from '../../environment.ts';
import { apiHandler } from '../../middleware/api.ts';

const { MEDIA_BASE_URL } = environment('MEDIA_BASE_URL');

/** `POST /v1/posts/validate` */
export const handler = apiHandler(validatePostOperation, async ({ context, body }) => {
  const problems = await validatePost({ ...context, mediaBaseUrl: MEDIA_BASE_URL, rulesFor }, body);
  return {
    status: 200,
    body: {
      valid: problems.length === 0,
      problems: problems.map((problem) => ({ accountId: null, platform: null, ...problem })),
    },
  };
});
