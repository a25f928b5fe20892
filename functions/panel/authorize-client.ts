import { authorizeClient } from '../../lib/people/grants/consent.ts';
import { authorizeClientOperation } from '../../lib/people/grants/operations.ts';
import { apiHandler } from '../middleware/api.ts';
import { fetchClientDocument } from '../wire/public-network.ts';
import { publicBaseUrl } from '../wire/settings.ts';

/** `POST /panel/authorization` */
export const build = apiHandler(
  authorizeClientOperation,
  { fetchClientDocument, publicBaseUrl },
  async ({ context, body }) => ({ status: 201, body: await authorizeClient(context, body) }),
);
