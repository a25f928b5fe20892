import {
  CfnCondition,
  CfnOutput,
  CfnParameter,
  Fn,
  type RemovalPolicy,
  Stack,
  type StackProps,
} from 'aws-cdk-lib';
import { BackupVault } from 'aws-cdk-lib/aws-backup';
import { CfnAlias, CfnReplicaKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { copiesVaultName } from './constructs/backup.ts';
import { createCopiesBucket } from './constructs/media-copies.ts';
import { removalPolicyOf } from './constructs/pin-logical-id.ts';
import type { Stage } from './stages.ts';

/** An ARN of a key that does not exist, in the form that CloudFormation requires of the replica's property. */
const noKeyYet = `arn:aws:kms:us-east-1:000000000000:key/mrk-${'0'.repeat(32)}`;

/**
 * A stage's resources in its second Region: the vault and the bucket that receive copies, and a replica of the token key, so that
 * the tokens in a copy of the table can be opened there. Deployed before the data stack, because S3 and AWS Backup refuse a
 * destination that does not exist.
 *
 * The key exists only after the data stack. A second deployment of this stack therefore creates its replica, with the parameter
 * `TokenKeyArn`, which CloudFormation remembers. The local cloud leaves stacks of other Regions out.
 */
export class BackupStack extends Stack {
  constructor(scope: Construct, id: string, { stage, ...props }: StackProps & { readonly stage: Stage }) {
    super(scope, id, { ...props, terminationProtection: stage.keepsData });
    const removalPolicy = removalPolicyOf(stage);
    const vault = new BackupVault(this, 'CopiesVault', {
      backupVaultName: copiesVaultName(stage),
      removalPolicy,
    });
    const bucket = createCopiesBucket(this, stage);
    this.replicateTokenKey(stage, removalPolicy);
    new CfnOutput(this, 'VaultName', { value: vault.backupVaultName });
    new CfnOutput(this, 'MediaCopiesName', { value: bucket.bucketName });
  }

  private replicateTokenKey(stage: Stage, removalPolicy: RemovalPolicy): void {
    const tokenKeyArn = new CfnParameter(this, 'TokenKeyArn', {
      default: noKeyYet,
      description:
        'The output TokenKeyArn of the data stack. With the default, no replica of the key is made',
      allowedPattern: '^arn:[^:]+:kms:[^:]+:[0-9]{12}:key/mrk-[0-9a-f]+$',
    });
    const isKnown = new CfnCondition(this, 'TokenKeyIsKnown', {
      expression: Fn.conditionNot(Fn.conditionEquals(tokenKeyArn.valueAsString, noKeyYet)),
    });
    const replica = new CfnReplicaKey(this, 'TokenKeyReplica', {
      primaryKeyArn: tokenKeyArn.valueAsString,
      description: 'Opens the access tokens of connected accounts after the loss of a Region',
      keyPolicy: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { AWS: `arn:${this.partition}:iam::${this.account}:root` },
            Action: 'kms:*',
            Resource: '*',
          },
        ],
      },
    });
    replica.applyRemovalPolicy(removalPolicy);
    const alias = new CfnAlias(this, 'TokenKeyAlias', {
      // Not the alias of the stage's own key, which is also here if the whole stage is deployed in this Region.
      aliasName: `alias/herald-${stage.name}-tokens-replica`,
      targetKeyId: replica.ref,
    });
    for (const resource of [replica, alias]) resource.cfnOptions.condition = isKnown;
  }
}
