import { readAttempt } from '../../../lib/connections/attempts.ts';
import { readAttemptOperation } from '../../../lib/connections/operations.ts';
import { apiHandler } from '../../middleware/api.ts';
import { stageFeatures } from '../../wire/stage-features.ts';

/** `GET /v1/connect/attempts/{state}` */
export const build = apiHandler(readAttemptOperation, { stageFeatures }, async ({ context, path }) => ({
  status: 200,
  body: { attempt: await readAttempt(context, path.state) },
}));
