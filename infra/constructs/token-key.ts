import { RemovalPolicy } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { pinLogicalId } from './pin-logical-id.ts';

/** The key that seals platform tokens. Without it every account has to be connected again. */
export function createTokenKey(scope: Construct, stage: Stage): Key {
  const key = new Key(scope, 'TokenKey', {
    description: 'Seals the access tokens of connected accounts',
    alias: `herald-${stage.name}-tokens`,
    enableKeyRotation: true,
    removalPolicy: stage.keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  pinLogicalId(key, 'TokenKey');
  return key;
}
