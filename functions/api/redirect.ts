import { createJsonClient } from '../../lib/aws/json-client.ts';
import { LinkTable } from '../../lib/links/link-table.ts';
import { environment } from '../environment.ts';
import { redirectHandler } from '../follow-link.ts';

const { TABLE_NAME, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = environment(
  'AWS_ACCESS_KEY_ID',
  'AWS_REGION',
  'AWS_SECRET_ACCESS_KEY',
  'TABLE_NAME',
);
const { AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL, AWS_SESSION_TOKEN } = process.env;

/** `GET` and `HEAD /r/{code}`, without the SDK (see `docs/decisions/0010-comment-automations.md`). */
export const handler = redirectHandler(
  new LinkTable({
    tableName: TABLE_NAME,
    call: createJsonClient({
      service: 'dynamodb',
      targetPrefix: 'DynamoDB_20120810',
      // The SDK's own variables, so that all functions are pointed elsewhere in one way.
      endpoint:
        AWS_ENDPOINT_URL_DYNAMODB || AWS_ENDPOINT_URL || `https://dynamodb.${AWS_REGION}.amazonaws.com`,
      region: AWS_REGION,
      credentials: {
        accessKeyId: AWS_ACCESS_KEY_ID,
        secretAccessKey: AWS_SECRET_ACCESS_KEY,
        sessionToken: AWS_SESSION_TOKEN,
      },
    }),
    random: Math.random,
  }),
);
