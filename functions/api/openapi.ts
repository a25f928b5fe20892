import { openApiDocument } from '../../lib/http/openapi.ts';
import { openApiOperation, operations } from '../../lib/operations.ts';
import { optionSchemas } from '../../lib/platforms/options-registry.ts';
import { environment } from '../environment.ts';
import { apiHandler } from '../middleware/api.ts';

const { PUBLIC_BASE_URL } = environment('PUBLIC_BASE_URL');

let document: ReturnType<typeof openApiDocument> | undefined;

/** `GET /v1/openapi.json` */
export const handler = apiHandler(openApiOperation, async () => {
  document ??= openApiDocument(operations, PUBLIC_BASE_URL, {
    PlatformSpecificData: Object.values(optionSchemas),
  });
  return { status: 200, body: document };
});
