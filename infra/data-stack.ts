import { CfnOutput, Stack } from 'aws-cdk-lib';
import { type ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { OperatorAlarms } from './constructs/alarms.ts';
import { backUpTable } from './constructs/backup.ts';
import { warnOfSpend } from './constructs/budget.ts';
import { alarmCapacity } from './constructs/capacity-alarms.ts';
import { createDataTable } from './constructs/data-table.ts';
import { MediaStore } from './constructs/media-store.ts';
import { createOriginSecrets } from './constructs/origin-secret.ts';
import { pinLogicalId } from './constructs/pin-logical-id.ts';
import type { DataResources, QueueAddress } from './constructs/resources.ts';
import { createTokenKey } from './constructs/token-key.ts';
import { createUserPool } from './constructs/user-pool.ts';
import { WorkQueue } from './constructs/work-queue.ts';
import type { WorkerFunction } from './functions/definition.ts';
import { consumerTimeoutSeconds } from './functions/workers.ts';
import { environmentOf, type Stage } from './stages.ts';

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
  /** The table that the functions use: the stack's own, or a restored one. */
  readonly table: ITableV2;
  readonly alarms: OperatorAlarms;
  readonly mediaArrivals: WorkQueue;
  readonly webhooks: WorkQueue;
  readonly inbound: WorkQueue;

  constructor(scope: Construct, id: string, { stage, workers }: DataStackProps) {
    super(scope, id, { env: environmentOf(stage), terminationProtection: stage.keepsData });
    this.alarms = new OperatorAlarms(this, stage);
    warnOfSpend(this, stage);
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
      stage,
      group: 'background',
      alarms: this.alarms,
    });
    this.webhooks = new WorkQueue(this, 'Webhook', {
      consumerTimeoutSeconds: consumerTimeoutSeconds(workers, 'webhook'),
      impact: 'Webhooks are late',
      // A message may be sent up to 15 minutes before it is due.
      alarmAfterMinutes: 20,
      stage,
      group: 'background',
      alarms: this.alarms,
    });
    this.inbound = new WorkQueue(this, 'Inbound', {
      consumerTimeoutSeconds: consumerTimeoutSeconds(workers, 'inbound'),
      impact: 'Comments are not answered',
      alarmAfterMinutes: 5,
      stage,
      group: 'background',
      alarms: this.alarms,
    });
    const media = new MediaStore(this, 'Media', { stage, arrivals: this.mediaArrivals.queue });
    const tokenKey = createTokenKey(this, stage);
    // The exports of an earlier one stay until no stack imports them.
    const originSecrets = createOriginSecrets(this, stage).map(({ secretArn, digest }) => ({
      panelOriginSecretArn: this.exportValue(secretArn),
      panelOriginSecretDigest: this.exportValue(digest),
    }));
    const originSecret = originSecrets.at(-1);
    if (originSecret === undefined) throw new Error('there is no origin secret');
    const userPool = stage.signIn === 'own' ? undefined : createUserPool(this, stage);
    // If they were protected from deletion, they would stop the rollback of a failed first deployment. Resources that may fail,
    // such as CloudFront in a new account, come first.
    if (stage.keepsData)
      for (const kept of [table, ...(userPool ? [userPool] : [])]) kept.node.addDependency(media);
    const mediaHost = this.exportValue(media.distribution.distributionDomainName);
    this.resources = {
      tableName: this.exportValue(table.tableName),
      tableArn: this.exportValue(table.tableArn),
      tableStreamArn: this.exportValue(table.tableStreamArn),
      retentionDays: JSON.stringify(stage.retentionDays ?? {}),
      mediaBucketName: this.exportValue(media.bucket.bucketName),
      mediaBucketArn: this.exportValue(media.bucket.bucketArn),
      mediaBucketDomain: this.exportValue(media.bucket.bucketRegionalDomainName),
      mediaBaseUrl: `https://${stage.mediaDomain?.name ?? mediaHost}`,
      mediaDistributionId: this.exportValue(media.distribution.distributionId),
      mediaDistributionArn: media.distributionArnFrom(this.exportValue(media.distribution.distributionId)),
      tokenKeyId: this.exportValue(tokenKey.keyId),
      tokenKeyArn: this.exportValue(tokenKey.keyArn),
      sharesTokenKeys: stage.sharesTokenKeys ?? false,
      platformParameterPrefix: `/herald/${stage.name}/platforms`,
      ...originSecret,
      signInParameter: `/herald/${stage.name}/sign-in`,
      panelUrlParameter: `/herald/${stage.name}/panel-url`,
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
    // The dashboard shows them by name, and a stage can turn it off.
    for (const { queue, deadLetters } of [this.mediaArrivals, this.webhooks, this.inbound])
      for (const { queueName } of [queue, deadLetters]) this.exportValue(queueName);
    alarmCapacity(this, { table: this.table, stage, alarms: this.alarms });
    const tableName = new StringParameter(this, 'TableNameParameter', {
      parameterName: `/herald/${stage.name}/table-name`,
      stringValue: this.table.tableName,
      description: 'The name of this stage’s table, read by npm run admin',
    });
    pinLogicalId(tableName, 'TableNameParameter8411BB4B');
    const retention = new StringParameter(this, 'RetentionParameter', {
      parameterName: `/herald/${stage.name}/retention-days`,
      stringValue: this.resources.retentionDays,
      description: 'Days for which records of this stage are kept, read by npm run admin',
    });
    pinLogicalId(retention, 'RetentionParameter');
    new CfnOutput(this, 'TableName', { value: this.table.tableName });
    // Not the exported value: a stack cannot import from itself.
    const mediaDomain = stage.mediaDomain?.name ?? media.distribution.distributionDomainName;
    new CfnOutput(this, 'MediaUrl', { value: `https://${mediaDomain}` });
    new CfnOutput(this, 'MediaBucketName', { value: media.bucket.bucketName });
    new CfnOutput(this, 'TokenKeyId', { value: tokenKey.keyId });
    new CfnOutput(this, 'TokenKeyArn', { value: tokenKey.keyArn });
  }

  private exportQueue({ queue }: WorkQueue): QueueAddress {
    return { queueUrl: this.exportValue(queue.queueUrl), queueArn: this.exportValue(queue.queueArn) };
  }
}

export interface DataStackProps {
  readonly stage: Stage;
  /** Must include a consumer for each queue of this stack. */
  readonly workers: readonly WorkerFunction[];
}
