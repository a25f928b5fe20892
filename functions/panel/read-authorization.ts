import { describeAuthorization } from '../../lib/people/grants/consent.ts';
import { readAuthorizationOperation } from '../../lib/people/grants/operations.ts';
import { sessionHandler } from '../middleware/api.ts';
import { fetchClientDocument } from '../wire/public-network.ts';
import { publicBaseUrl } from '../wire/settings.ts';

/** `GET /panel/authorization` */
export const build = sessionHandler(
  readAuthorizationOperation,
  { fetchClientDocument, publicBaseUrl },
  async ({ context, query }) => ({ status: 200, body: await describeAuthorization(context, query) }),
);
