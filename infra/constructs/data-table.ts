import {
  AttributeType,
  Billing,
  ContributorInsightsMode,
  ProjectionType,
  StreamViewType,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { type IndexShape, indexes, tableShape } from '../../lib/table/schema.ts';
import type { Stage } from '../stages.ts';
import { pinLogicalId } from './pin-logical-id.ts';
import { removalPolicyOf } from './removal-policy.ts';

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
    ...(stage.recordsThrottledKeys && {
      // Only throttled keys: every request to any other key would cost.
      contributorInsightsSpecification: { enabled: true, mode: ContributorInsightsMode.THROTTLED_KEYS },
    }),
    deletionProtection: stage.keepsData,
    removalPolicy: removalPolicyOf(stage),
  });
  pinLogicalId(table, 'Table');
  return table;
}

function stringKey(name: string) {
  return { name, type: AttributeType.STRING };
}
