import { beginConnection } from '../../../lib/connections/begin.ts';
import { beginConnectionOperation } from '../../../lib/connections/operations.ts';
import { authorizationFor } from '../../../lib/platforms/registry/authorizations.ts';
import { apiHandler } from '../../middleware/api.ts';
import { toolsFor } from '../../wire/platform-tools.ts';
import { publicBaseUrl } from '../../wire/settings.ts';
import { stageFeatures } from '../../wire/stage-features.ts';

/** `POST /v1/connect/{platform}` */
export const build = apiHandler(
  beginConnectionOperation,
  { publicBaseUrl, toolsFor, stageFeatures },
  async ({ context, path, body }) => ({
    status: 201,
    body: await beginConnection({ ...context, authorizationFor }, path.platform, body),
  }),
);
