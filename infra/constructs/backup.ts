import { ArnFormat, Duration, Stack, Validations } from 'aws-cdk-lib';
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Schedule } from 'aws-cdk-lib/aws-events';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { keptName } from './global-name.ts';
import { removalPolicyOf } from './pin-logical-id.ts';

/**
 * The retention of a daily backup and its copy: the same as point-in-time recovery. Data about people who comment is kept for 360
 * days at most, so it is gone from the copies before the 400th day (`docs/privacy.md`).
 */
const kept = Duration.days(35);

/**
 * Returns the name of the vault in the second Region. It is fixed, so that the first Region knows it. It differs from the name of
 * the stage's own vault, because the whole stage can be deployed there too, in parallel or after its Region is lost.
 */
export const copiesVaultName = ({ name }: Pick<Stage, 'name'>): string => `herald-${name}-copies`;

/**
 * Backs the table up every day and copies each backup to the vault in the second Region, for the loss of a whole Region.
 * Otherwise point-in-time recovery is the better source: it loses minutes, a daily copy up to a day.
 */
export function backUpTable(
  scope: Construct,
  table: ITableV2,
  { stage, backupRegion }: { readonly stage: Stage; readonly backupRegion: string },
): void {
  const name = `herald-${stage.name}`;
  const vault = new BackupVault(scope, 'BackupVault', {
    backupVaultName: keptName(name),
    removalPolicy: removalPolicyOf(stage),
  });
  const copiesArn = Stack.of(scope).formatArn({
    service: 'backup',
    region: backupRegion,
    resource: 'backup-vault',
    resourceName: copiesVaultName(stage),
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
  const plan = new BackupPlan(scope, 'BackupPlan', {
    backupPlanName: name,
    backupVault: vault,
    backupPlanRules: [
      new BackupPlanRule({
        ruleName: 'daily',
        scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
        startWindow: Duration.hours(1),
        completionWindow: Duration.hours(8),
        deleteAfter: kept,
        copyActions: [
          {
            destinationBackupVault: BackupVault.fromBackupVaultArn(scope, 'CopiesVault', copiesArn),
            deleteAfter: kept,
          },
        ],
      }),
    ],
  });
  const role = new Role(scope, 'BackupRole', {
    assumedBy: new ServicePrincipal('backup.amazonaws.com'),
    managedPolicies: [
      ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSBackupServiceRolePolicyForBackup'),
    ],
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
    reason:
      'AWS maintains the rights of AWS Backup, which only AWS Backup can use. The plan selects one table.',
  });
  plan.addSelection('Table', {
    resources: [BackupResource.fromArn(table.tableArn)],
    role,
    disableDefaultBackupPolicy: true,
  });
}
