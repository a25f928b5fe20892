import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import middy from '@middy/core';
import { z } from 'zod';

/**
 * The baseline: a handler that is not optimized for cold starts, with the document client, the default credential chain,
 * middy with four middlewares and `import { z }`. It is bundled without our plugins.
 */
const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

const Body = z.object({ id: z.string().min(1), times: z.int().positive().default(1) });

export const handler = middy<{ body: string }>()
  .use({ before: () => undefined })
  .use({ before: () => undefined })
  .use({ after: () => undefined })
  .use({ onError: () => undefined })
  .handler(async ({ body }) => {
    const { id, times } = Body.parse(JSON.parse(body));
    const Key = { pk: id, sk: id };
    await client.send(new GetCommand({ TableName: 'items', Key }));
    return client.send(
      new UpdateCommand({
        TableName: 'items',
        Key,
        UpdateExpression: 'ADD times :times',
        ExpressionAttributeValues: { ':times': times },
      }),
    );
  });
