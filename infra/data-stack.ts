import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { Operation, type TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { alarmOperators, createOperatorTopic } from './constructs/alarms.ts';
import { createDataTable } from './constructs/data-table.ts';
import { MediaStore } from './constructs/media-store.ts';
import type { DataResources, QueueAddress } from './constructs/resources.ts';
import { createTokenKey } from './constructs/token-key.ts';
import { WorkQueue } from './constructs/work-queue.ts';
import type { WorkerFunction } from './functions/definition.ts';
import { consumerTimeoutSeconds } from './functions/workers.ts';
import type { Stage } from './stages.ts';

/**
 * What must outlive a deployment, and what the other stacks share. The queue of arrived media stands here, because S3
 * wants it to be there before the bucket; those of webhooks, ours and the platforms', because the API's functions send to them, too.
 *
 * CloudFormation cannot make a SecureString, so the operator stores each platform's app secret:
 * `aws ssm put-parameter --type SecureString --name /herald/<stage>/platforms/<platform> --value <JSON>`.
 * The stacks only let functions read those names.
 */
export class DataStack extends Stack {
  /**
   * For the other stacks, each as an export that is always there, whether anything imports it or not: CloudFormation
   * refuses to take back an export as long as a stack that is deployed later still holds on to it.
   */
  readonly resources: DataResources;
  readonly operatorTopic: Topic;
  readonly table: TableV2;
  readonly mediaArrivals: WorkQueue;
  readonly webhooks: WorkQueue;
  readonly inbound: WorkQueue;

  constructor(scope: Construct, id: string, { stage, workers }: DataStackProps) {
    super(scope, id, { terminationProtection: stage.keepsData });
    this.operatorTopic = createOperatorTopic(this, stage.operatorEmail);
    this.table = createDataTable(this, stage);
    this.mediaArrivals = new WorkQueue(this, 'MediaArrived', {
      consumerTimeoutSeconds: consumerTimeoutSeconds(workers, 'mediaArrived'),
      harm: 'Uploads stay pending',
      alarmAfterMinutes: 10,
      topic: this.operatorTopic,
    });
    this.webhooks = new WorkQueue(this, 'Webhook', {
      consumerTimeoutSeconds: consumerTimeoutSeconds(workers, 'webhook'),
      harm: 'Webhooks are late',
      // A message may be sent 15 minutes ahead of its moment.
      alarmAfterMinutes: 20,
      topic: this.operatorTopic,
    });
    this.inbound = new WorkQueue(this, 'Inbound', {
      consumerTimeoutSeconds: consumerTimeoutSeconds(workers, 'inbound'),
      harm: 'Comments are not answered',
      alarmAfterMinutes: 5,
      topic: this.operatorTopic,
    });
    const media = new MediaStore(this, 'Media', { stage, arrivals: this.mediaArrivals.queue });
    const tokenKey = createTokenKey(this, stage);
    this.resources = {
      tableName: this.exportValue(this.table.tableName),
      tableArn: this.exportValue(this.table.tableArn),
      tableStreamArn: this.exportValue(this.table.tableStreamArn),
      mediaBucketName: this.exportValue(media.bucket.bucketName),
      mediaBucketArn: this.exportValue(media.bucket.bucketArn),
      mediaBaseUrl: `https://${this.exportValue(media.distribution.distributionDomainName)}`,
      tokenKeyId: this.exportValue(tokenKey.keyId),
      tokenKeyArn: this.exportValue(tokenKey.keyArn),
      platformParameterPrefix: `/herald/${stage.name}/platforms`,
      queues: { webhook: this.exportQueue(this.webhooks), inbound: this.exportQueue(this.inbound) },
    };
    this.alarmOnThrottles();
    new StringParameter(this, 'TableNameParameter', {
      parameterName: `/herald/${stage.name}/table-name`,
      stringValue: this.table.tableName,
      description: 'Where npm run admin finds the table of this stage',
    });
    new CfnOutput(this, 'TableName', { value: this.table.tableName });
    new CfnOutput(this, 'MediaBucketName', { value: media.bucket.bucketName });
    new CfnOutput(this, 'TokenKeyId', { value: tokenKey.keyId });
  }

  private exportQueue({ queue }: WorkQueue): QueueAddress {
    return { queueUrl: this.exportValue(queue.queueUrl), queueArn: this.exportValue(queue.queueArn) };
  }

  private alarmOnThrottles(): void {
    alarmOperators(this, 'TableThrottles', this.operatorTopic, {
      metric: this.table.metricThrottledRequestsForOperations({
        operations: [
          Operation.GET_ITEM,
          Operation.QUERY,
          Operation.UPDATE_ITEM,
          Operation.TRANSACT_WRITE_ITEMS,
        ],
        period: Duration.minutes(1),
      }),
      above: 10,
      periods: 5,
      heading: 'The table throttles',
      description: 'requests wait or fail. Look for one hot key before anything else.',
    });
  }
}

export interface DataStackProps {
  readonly stage: Stage;
  /** Those that consume its queues are among them. */
  readonly workers: readonly WorkerFunction[];
}
