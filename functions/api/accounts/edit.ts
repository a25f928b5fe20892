import { editAccount } from '../../../lib/accounts/edit.ts';
import { editAccountOperation } from '../../../lib/accounts/operations.ts';
import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { apiHandler } from '../../middleware/api.ts';
import { stageFeatures } from '../../wire/stage-features.ts';

/** `PATCH /v1/accounts/{id}` */
export const build = apiHandler(editAccountOperation, { stageFeatures }, async ({ context, path, body }) => ({
  status: 200,
  body: { account: await editAccount({ ...context, rulesFor }, path.id, body) },
}));
