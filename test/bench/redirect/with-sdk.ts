import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { redirectHandler } from '../../../functions/api/follow-link.ts';
import { table } from '../../../functions/wire/aws.ts';
import { log } from '../../../functions/wire/redirect.ts';
import { handlerFactory } from '../../../functions/wire/start.ts';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { clickShards, type LinkStore } from '../../../lib/links/link-table.ts';
import { clicksKey, linkKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';

/** The baseline: the redirect with the SDK's table client, which all other functions use. */
export const build = handlerFactory({ table, log }, ({ table, log }) =>
  redirectHandler({ links: linksOf(table), log }),
);

const linksOf = ({ name, client }: Table): LinkStore => ({
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
  async countClick(code, atMs) {
    await client.send(
      new UpdateCommand({
        TableName: name,
        Key: clicksKey(code, toTimestamp(atMs).slice(0, 10), Math.floor(Math.random() * clickShards)),
        UpdateExpression: 'SET kind = :kind ADD clicks :one',
        ExpressionAttributeValues: { ':kind': 'clicks', ':one': 1 },
      }),
    );
  },
});
