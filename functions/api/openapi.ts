import { withTimesAhead } from '../../lib/api-contract/openapi/example-times.ts';
import { serversAt } from '../../lib/api-contract/openapi/servers.ts';
import { openApiOperation } from '../../lib/api-contract/service-operations.ts';
import { apiHandler } from '../middleware/api.ts';
import { publicBaseUrl } from '../wire/settings.ts';
import document from './openapi.built.ts';

/** `GET /v1/openapi.json` */
export const build = apiHandler(openApiOperation, { publicBaseUrl }, async ({ context }) => ({
  status: 200,
  body: {
    ...document,
    servers: serversAt(context.publicBaseUrl),
    paths: withTimesAhead(document.paths ?? {}, context.now),
  },
}));
