import { Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * Names a resource of a service whose names are those of the whole account, such as CloudFront, so that two Regions of an account
 * can each have the service. CDK's own names are the same in every Region.
 *
 * @param what distinguishes the resource in its stack
 */
export function globalName(scope: Construct, what: string): string {
  const { stackName, region } = Stack.of(scope);
  return `${stackName}-${what}-${region}`;
}
