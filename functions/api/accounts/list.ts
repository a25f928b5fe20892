import { listAccountsOperation } from '../../../lib/accounts/operations.ts';
import { listAccounts } from '../../../lib/accounts/read.ts';
import { apiHandler } from '../../middleware/api.ts';
import { stageFeatures } from '../../wire/stage-features.ts';

/** `GET /v1/accounts` */
export const build = apiHandler(listAccountsOperation, { stageFeatures }, async ({ context, query }) => ({
  status: 200,
  body: await listAccounts(context, query),
}));
