import { openApiDocument } from '../../lib/api-contract/openapi/document.ts';
import { operationExamples } from '../../lib/api-contract/openapi/examples/all.ts';
import { eventExamples } from '../../lib/api-contract/openapi/examples/webhooks.ts';
import { documentedOperations } from '../../lib/operations.ts';
import { optionSchemas } from '../../lib/platforms/registry/options.ts';
import { eventDescriptions } from '../../lib/webhooks/events/event-data.ts';

/** The OpenAPI document without its servers, which each deployment adds. The bundle contains it ready-made. */
export default openApiDocument({
  operations: documentedOperations,
  knownForms: { PlatformSpecificData: Object.values(optionSchemas) },
  events: eventDescriptions,
  examples: operationExamples,
  eventExamples,
});
