import { beginConnection } from '../../../lib/connections/begin.ts';
import { beginConnectionOperation } from '../../../lib/connections/operations.ts';
import { authorizationFor } from '../../../lib/platforms/registry/authorizations.ts';
import { environment } from '../../environment.ts';
import { apiHandler } from '../../middleware/api.ts';
import { platformTools } from '../../platform-tools.ts';

const { PUBLIC_BASE_URL } = environment('PUBLIC_BASE_URL');
const ports = { publicBaseUrl: PUBLIC_BASE_URL, authorizationFor, toolsFor: platformTools() };

/** `POST /v1/connect/{platform}` */
export const handler = apiHandler(beginConnectionOperation, async ({ context, path, body }) => ({
  status: 201,
  body: await beginConnection({ ...context, ...ports }, path.platform, body),
}));
