import { openApiDocument } from '../../lib/api-contract/openapi/document.ts';
import { openApiOperation } from '../../lib/api-contract/service-operations.ts';
import { documentedOperations } from '../../lib/operations.ts';
import { optionSchemas } from '../../lib/platforms/registry/options.ts';
import { eventDescriptions } from '../../lib/webhooks/events/event-data.ts';
import { environment } from '../environment.ts';
import { apiHandler } from '../middleware/api.ts';

const { PUBLIC_BASE_URL } = environment('PUBLIC_BASE_URL');

let document: ReturnType<typeof openApiDocument> | undefined;

/** `GET /v1/openapi.json` */
export const handler = apiHandler(openApiOperation, async () => {
  document ??= openApiDocument({
    operations: documentedOperations,
    baseUrl: PUBLIC_BASE_URL,
    knownForms: { PlatformSpecificData: Object.values(optionSchemas) },
    events: eventDescriptions,
  });
  return { status: 200, body: document };
});
