import { readCreatorInfo } from '../../../lib/accounts/ask-platform.ts';
import { readCreatorInfoOperation } from '../../../lib/accounts/operations.ts';
import { creatorInfoReaderFor } from '../../../lib/platforms/registry/creator-infos.ts';
import { apiHandler } from '../../middleware/api.ts';
import { accountTokens } from '../../wire/account-ports.ts';
import { vault } from '../../wire/aws.ts';
import { toolsFor } from '../../wire/platform-tools.ts';

/** `GET /v1/accounts/{id}/creator-info` */
export const build = apiHandler(readCreatorInfoOperation, { toolsFor, vault }, async ({ context, path }) => {
  const tokens = accountTokens(context);
  const ports = {
    creatorInfoReaderFor,
    accessToken: tokens.accessToken.bind(tokens),
  };
  return { status: 200, body: { creatorInfo: await readCreatorInfo({ ...context, ...ports }, path.id) } };
});
