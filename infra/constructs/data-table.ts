import {
  AttributeType,
  Billing,
  type CfnGlobalTable,
  ProjectionType,
  StreamViewType,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { type IndexShape, indexes, tableShape } from '../../lib/table/schema.ts';
import type { Stage } from '../stages.ts';
import { pinLogicalId, removalPolicyOf } from './pin-logical-id.ts';

/** Creates the service's one table. Keys and indexes come from `lib/table/schema.ts`, which the code reads too. */
export function createDataTable(scope: Construct, stage: Stage): TableV2 {
  const table = new TableV2(scope, 'Table', {
    partitionKey: stringKey(tableShape.partitionKey),
    sortKey: stringKey(tableShape.sortKey),
    globalSecondaryIndexes: Object.values(indexes).map((index: IndexShape) => ({
      indexName: index.indexName,
      partitionKey: stringKey(index.partitionKey),
      sortKey: stringKey(index.sortKey),
      projectionType: ProjectionType[index.projection],
    })),
    billing: Billing.onDemand(),
    timeToLiveAttribute: tableShape.timeToLive,
    dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: stage.keepsData,
    removalPolicy: removalPolicyOf(stage),
  });
  pinLogicalId(table, 'Table');
  if (stage.recordsThrottledKeys) recordThrottledKeys(table);
  return table;
}

/**
 * Records the keys of throttled requests only, because each recorded event costs. The construct's own property would also record
 * those of each index, for a dollar each; a hot key of an index is also a hot key of the table.
 */
function recordThrottledKeys(table: TableV2): void {
  const resource = table.node.defaultChild as CfnGlobalTable;
  resource.addPropertyOverride('Replicas.0.ContributorInsightsSpecification', {
    Enabled: true,
    Mode: 'THROTTLED_KEYS',
  });
}

function stringKey(name: string) {
  return { name, type: AttributeType.STRING };
}
