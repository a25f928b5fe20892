import { openApiDocument } from '../../lib/api-contract/openapi/document.ts';
import { openApiOperation } from '../../lib/api-contract/service-operations.ts';
import { documentedOperations } from '../../lib/operations.ts';
import { optionSchemas } from '../../lib/platforms/registry/options.ts';
import { eventDescriptions } from '../../lib/webhooks/events/event-data.ts';
import { apiHandler } from '../middleware/api.ts';
import { publicBaseUrl } from '../wire/settings.ts';

let document: ReturnType<typeof openApiDocument> | undefined;

/** `GET /v1/openapi.json` */
export const build = apiHandler(openApiOperation, { publicBaseUrl }, async ({ context }) => {
  document ??= openApiDocument({
    operations: documentedOperations,
    baseUrl: context.publicBaseUrl,
    knownForms: { PlatformSpecificData: Object.values(optionSchemas) },
    events: eventDescriptions,
  });
  return { status: 200, body: document };
});
