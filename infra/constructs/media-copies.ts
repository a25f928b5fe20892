import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  type LifecycleRule,
  ObjectOwnership,
  StorageClass,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { acknowledgeWildcards } from './acknowledge-wildcards.ts';
import { pinLogicalId, removalPolicyOf } from './pin-logical-id.ts';

/**
 * Returns the name of the copies' bucket, such as `herald-production-media-copies-<account>-<Region>`. Bucket names are global,
 * so it contains the account and the second Region: two stages in two Regions can each copy to the other.
 */
const copiesBucketName = (scope: Construct, { name, backupRegion }: Stage): string =>
  `herald-${name}-media-copies-${Stack.of(scope).account}-${backupRegion}`;

/**
 * The rule that removes old versions. Replication needs versions, but a deleted file must be gone, so its version is removed a
 * day later, in both buckets.
 */
export const versionsEnd: LifecycleRule = {
  id: 'deleted-files',
  noncurrentVersionExpiration: Duration.days(1),
  expiredObjectDeleteMarker: true,
};

/** Creates the bucket in the second Region that receives the copies of public files. Only people read it, to restore files. */
export function createCopiesBucket(scope: Construct, stage: Stage): Bucket {
  const bucket = new Bucket(scope, 'MediaCopies', {
    bucketName: copiesBucketName(scope, stage),
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    versioned: true,
    lifecycleRules: [versionsEnd],
    removalPolicy: removalPolicyOf(stage),
  });
  pinLogicalId(bucket, 'MediaCopies');
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'Only replication writes here, and only operators read, when they restore files.',
  });
  return bucket;
}

/**
 * Copies new public files, and their deletion, to the bucket in the second Region. Uploads that are not yet accepted are not
 * copied: clients can send them again.
 *
 * It uses replication rather than AWS Backup, because a copy arrives within minutes and costs half (decision 53).
 */
export function copyPublicFiles(scope: Construct, bucket: Bucket, stage: Stage): void {
  const copiesArn = `arn:${Stack.of(scope).partition}:s3:::${copiesBucketName(scope, stage)}`;
  const role = new Role(scope, 'Replication', { assumedBy: new ServicePrincipal('s3.amazonaws.com') });
  const wildcardBecause = 'Replication copies every public file.';
  const rights = [
    {
      actions: ['s3:GetReplicationConfiguration', 's3:ListBucket'],
      resources: [bucket.bucketArn],
    },
    {
      actions: ['s3:GetObjectVersionForReplication', 's3:GetObjectVersionAcl', 's3:GetObjectVersionTagging'],
      resources: [bucket.arnForObjects('media/*')],
      wildcardBecause,
    },
    {
      actions: ['s3:ReplicateObject', 's3:ReplicateDelete', 's3:ReplicateTags'],
      resources: [`${copiesArn}/media/*`],
      wildcardBecause,
    },
  ];
  for (const { actions, resources } of rights) role.addToPolicy(new PolicyStatement({ actions, resources }));
  acknowledgeWildcards(role, rights);
  (bucket.node.defaultChild as CfnBucket).replicationConfiguration = {
    role: role.roleArn,
    rules: [
      {
        id: 'public-files',
        status: 'Enabled',
        priority: 1,
        filter: { prefix: 'media/' },
        deleteMarkerReplication: { status: 'Enabled' },
        destination: { bucket: copiesArn, storageClass: StorageClass.INFREQUENT_ACCESS.toString() },
      },
    ],
  };
}
