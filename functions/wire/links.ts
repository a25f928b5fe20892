import { createJsonClient } from '../../lib/aws/json-client.ts';
import { type LinkStore, LinkTable } from '../../lib/links/link-table.ts';
import type { Wire } from './start.ts';

/** The links in the table, without the SDK (see `docs/decisions/0010-comment-automations.md`). */
export const links: Wire<LinkStore> = (environment) => {
  const region = environment('AWS_REGION');
  // The SDK's own variables, so that all functions are pointed elsewhere in one way.
  const elsewhere = environment('AWS_ENDPOINT_URL_DYNAMODB', '') || environment('AWS_ENDPOINT_URL', '');
  return new LinkTable({
    tableName: environment('TABLE_NAME'),
    call: createJsonClient({
      service: 'dynamodb',
      targetPrefix: 'DynamoDB_20120810',
      endpoint: elsewhere || `https://dynamodb.${region}.amazonaws.com`,
      region,
      credentials: {
        accessKeyId: environment('AWS_ACCESS_KEY_ID'),
        secretAccessKey: environment('AWS_SECRET_ACCESS_KEY'),
        sessionToken: environment('AWS_SESSION_TOKEN', ''),
      },
    }),
    random: Math.random,
  });
};
