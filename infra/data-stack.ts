import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { type ITableV2, Operation, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { alarmOperators, createOperatorTopic } from './constructs/alarms.ts';
import { backUpTable } from './constructs/backup.ts';
import { createDataTable } from './constructs/data-table.ts';
import { MediaStore } from './constructs/media-store.ts';
import { createOriginSecret } from './constructs/origin-secret.ts';
import type { DataResources, QueueAddress } from './constructs/resources.ts';
import { createTokenKey } from './constructs/token-key.ts';
import { createUserPool } from './constructs/user-pool.ts';
import { WorkQueue } from './constructs/work-queue.ts';
import type { WorkerFunction } from './functions/definition.ts';
import { consumerTimeoutSeconds } from './functions/workers.ts';
import type { Stage } from './stages.ts';

/**
 * The resources that hold data and those that several stacks share. It contains three queues: the one for uploaded media,
 * because S3 requires it to exist before the bucket, and those for outgoing and inbound webhooks, because functions of
 * the API send to them too.
 *
 * CloudFormation cannot create a SecureString, so the operator stores each platform's app secret:
 * `aws ssm put-parameter --type SecureString --name /herald/<stage>/platforms/<platform> --value <JSON>`.
 * The stacks only grant functions the right to read these parameters.
 */
export class DataStack extends Stack {
  /**
   * Every value is exported, even if no stack imports it now: CloudFormation refuses to remove an export that another
   * stack still imports, and stacks that import it are deployed after this one.
   */
  readonly resources: DataResources;
  readonly operatorTopic: Topic;
  /** The table that the functions use: the stack's own, or a restored one. */
  readonly table: ITableV2;
  readonly mediaArrivals: WorkQueue;
  readonly webhooks: WorkQueue;
  readonly inbound: WorkQueue;

  constructor(scope: Construct, id: string, { stage, workers }: DataStackProps) {
    super(scope, id, { terminationProtection: stage.keepsData });
    this.operatorTopic = createOperatorTopic(this, stage.operatorEmail);
    const table = createDataTable(this, stage);
    this.table = stage.restoredTable
      ? TableV2.fromTableAttributes(this, 'RestoredTable', {
          tableName: stage.restoredTable.tableName,
          tableStreamArn: stage.restoredTable.streamArn,
        })
      : (table as ITableV2);
    if (stage.backupRegion) backUpTable(this, this.table, { stage, backupRegion: stage.backupRegion });
    this.mediaArrivals = new WorkQueue(this, 'MediaArrived', {
      consumerTimeoutSeconds: consumerTimeoutSeconds(workers, 'mediaArrived'),
      impact: 'Uploads stay pending',
      alarmAfterMinutes: 10,
      topic: this.operatorTopic,
    });
    this.webhooks = new WorkQueue(this, 'Webhook', {
      consumerTimeoutSeconds: consumerTimeoutSeconds(workers, 'webhook'),
      impact: 'Webhooks are late',
      // A message may be sent up to 15 minutes before it is due.
      alarmAfterMinutes: 20,
      topic: this.operatorTopic,
    });
    this.inbound = new WorkQueue(this, 'Inbound', {
      consumerTimeoutSeconds: consumerTimeoutSeconds(workers, 'inbound'),
      impact: 'Comments are not answered',
      alarmAfterMinutes: 5,
      topic: this.operatorTopic,
    });
    const media = new MediaStore(this, 'Media', { stage, arrivals: this.mediaArrivals.queue });
    const tokenKey = createTokenKey(this, stage);
    const userPool = stage.signIn === 'own' ? undefined : createUserPool(this, stage);
    this.resources = {
      tableName: this.exportValue(table.tableName),
      tableArn: this.exportValue(table.tableArn),
      tableStreamArn: this.exportValue(table.tableStreamArn),
      retentionDays: JSON.stringify(stage.retentionDays ?? {}),
      mediaBucketName: this.exportValue(media.bucket.bucketName),
      mediaBucketArn: this.exportValue(media.bucket.bucketArn),
      mediaBucketDomain: this.exportValue(media.bucket.bucketRegionalDomainName),
      mediaBaseUrl: `https://${this.exportValue(media.distribution.distributionDomainName)}`,
      mediaDistributionId: this.exportValue(media.distribution.distributionId),
      mediaDistributionArn: media.distributionArnFrom(this.exportValue(media.distribution.distributionId)),
      tokenKeyId: this.exportValue(tokenKey.keyId),
      tokenKeyArn: this.exportValue(tokenKey.keyArn),
      platformParameterPrefix: `/herald/${stage.name}/platforms`,
      panelOriginSecretArn: this.exportValue(createOriginSecret(this).secretArn),
      signInParameter: `/herald/${stage.name}/sign-in`,
      ...(userPool && {
        userPool: { id: this.exportValue(userPool.userPoolId), arn: this.exportValue(userPool.userPoolArn) },
      }),
      queues: { webhook: this.exportQueue(this.webhooks), inbound: this.exportQueue(this.inbound) },
      // The exports stay, because the stacks that are deployed after this one still import them.
      ...(stage.restoredTable && {
        tableName: stage.restoredTable.tableName,
        tableArn: this.table.tableArn,
        tableStreamArn: stage.restoredTable.streamArn,
      }),
      ...(stage.restoredTokenKeyArn && {
        tokenKeyId: stage.restoredTokenKeyArn,
        tokenKeyArn: stage.restoredTokenKeyArn,
      }),
    };
    this.alarmOnThrottles();
    new StringParameter(this, 'TableNameParameter', {
      parameterName: `/herald/${stage.name}/table-name`,
      stringValue: this.table.tableName,
      description: 'The name of this stage’s table, read by npm run admin',
    });
    new StringParameter(this, 'RetentionParameter', {
      parameterName: `/herald/${stage.name}/retention-days`,
      stringValue: this.resources.retentionDays,
      description: 'How long records of this stage are kept, read by npm run admin',
    });
    new CfnOutput(this, 'TableName', { value: this.table.tableName });
    new CfnOutput(this, 'MediaBucketName', { value: media.bucket.bucketName });
    new CfnOutput(this, 'TokenKeyId', { value: tokenKey.keyId });
    new CfnOutput(this, 'TokenKeyArn', { value: tokenKey.keyArn });
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
      heading: 'Requests to the table are throttled',
      description: 'API calls and background work slow down or fail. First look for one hot key.',
    });
  }
}

export interface DataStackProps {
  readonly stage: Stage;
  /** Must include a consumer for each queue of this stack. */
  readonly workers: readonly WorkerFunction[];
}
