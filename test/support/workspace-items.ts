import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Table } from '../../lib/table/table.ts';

/** Everything that the table has of a workspace, in a stable order. */
export async function itemsOf(table: Table, workspaceId: string): Promise<readonly unknown[]> {
  const FilterExpression = 'workspaceId = :workspaceId OR contains(pk, :workspaceId)';
  const ExpressionAttributeValues = { ':workspaceId': workspaceId };
  const { Items = [] } = await table.client.send(
    new ScanCommand({ TableName: table.name, FilterExpression, ExpressionAttributeValues }),
  );
  return Items.toSorted((left, right) =>
    `${left['pk']} ${left['sk']}` < `${right['pk']} ${right['sk']}` ? -1 : 1,
  );
}
