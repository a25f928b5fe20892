import { claimAttempt } from '../../../lib/connections/claim.ts';
import { claimAttemptOperation } from '../../../lib/connections/operations.ts';
import { authorizationFor } from '../../../lib/platforms/registry/authorizations.ts';
import { apiHandler } from '../../middleware/api.ts';
import { vault } from '../../wire/aws.ts';
import { reportWarning } from '../../wire/logger.ts';
import { toolsFor } from '../../wire/platform-tools.ts';
import { stageFeatures } from '../../wire/stage-features.ts';

/** `POST /v1/connect/attempts/{state}/claim` */
export const build = apiHandler(
  claimAttemptOperation,
  { toolsFor, vault, stageFeatures },
  async ({ context, path, body }) => {
    const ports = { ...context, authorizationFor, warn: reportWarning };
    return { status: 200, body: { attempt: await claimAttempt(ports, path.state, body.code) } };
  },
);
