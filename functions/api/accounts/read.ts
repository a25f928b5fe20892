import { readAccountOperation } from '../../../lib/accounts/operations.ts';
import { readAccount } from '../../../lib/accounts/read.ts';
import { apiHandler } from '../../middleware/api.ts';
import { stageFeatures } from '../../wire/stage-features.ts';

/** `GET /v1/accounts/{id}` */
export const build = apiHandler(readAccountOperation, { stageFeatures }, async ({ context, path }) => ({
  status: 200,
  body: { account: await readAccount(context, path.id) },
}));
