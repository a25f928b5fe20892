import { listAccounts } from '../../../lib/accounts/index.ts';
import { listAccountsOperation } from '../../../lib/accounts/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/accounts` */
export const handler = apiHandler(listAccountsOperation, async ({ context, query }) => ({
  status: 200,
  body: await listAccounts(context, query),
}));
