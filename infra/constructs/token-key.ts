import { Duration } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { pinLogicalId, removalPolicyOf } from './pin-logical-id.ts';

/**
 * Creates the key that encrypts platform tokens and webhook signing secrets. If it is lost, every account must be connected again
 * and every signing secret rotated.
 *
 * It is a multi-Region key, so that a replica in another Region can open values that it has sealed. That cannot be changed later:
 * CloudFormation would replace the key (decision 53).
 */
export function createTokenKey(scope: Construct, stage: Stage): Key {
  const key = new Key(scope, 'TokenKey', {
    description: 'Seals the access tokens of connected accounts',
    alias: `herald-${stage.name}-tokens`,
    enableKeyRotation: true,
    multiRegion: true,
    // The time for which a deleted key can be recovered: KMS's maximum or minimum.
    pendingWindow: Duration.days(stage.keepsData ? 30 : 7),
    removalPolicy: removalPolicyOf(stage),
  });
  pinLogicalId(key, 'TokenKey');
  return key;
}
