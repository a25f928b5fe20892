import { RemovalPolicy } from 'aws-cdk-lib';
import type { Stage } from '../stages.ts';

/**
 * Returns the removal policy of a resource that holds data. If the deployment that creates it fails, it is deleted in every
 * stage: it holds nothing yet, and the deployment can be repeated.
 */
export function removalPolicyOf({ keepsData }: Stage): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}
