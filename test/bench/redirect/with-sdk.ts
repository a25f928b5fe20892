import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../../../functions/environment.ts';
import { redirectHandler } from '../../../functions/follow-link.ts';
import { clickShards } from '../../../lib/links/link-table.ts';
import { clicksKey, linkKey } from '../../../lib/table/keys.ts';
import { openTable } from '../../../lib/table/table.ts';

const { name, client } = openTable(environment('TABLE_NAME').TABLE_NAME);

/** The redirect on the table as all other functions have it: the yardstick. */
export const handler = redirectHandler({
  async readDestination(code) {
    const { Item } = await client.send(
      new GetCommand({
        TableName: name,
        Key: linkKey(code),
        ProjectionExpression: '#url',
        ExpressionAttributeNames: { '#url': 'url' },
      }),
    );
    return Item?.['url'];
  },
  async countClick(code, day) {
    await client.send(
      new UpdateCommand({
        TableName: name,
        Key: clicksKey(code, day, Math.floor(Math.random() * clickShards)),
        UpdateExpression: 'SET kind = :kind ADD clicks :one',
        ExpressionAttributeValues: { ':kind': 'clicks', ':one': 1 },
      }),
    );
  },
});
