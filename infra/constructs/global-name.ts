import { Aws, Fn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * Names a resource of an AWS service with account-wide names, such as CloudFront, so that Herald can be deployed in two Regions
 * of an account. CDK's own names are the same in every Region.
 *
 * @param what a word that distinguishes the resource in its stack
 */
export function globalName(scope: Construct, what: string): string {
  const { stackName, region } = Stack.of(scope);
  return `${stackName}-${what}-${region}`;
}

/** Does the same for a resource that a stage keeps when its stack is deleted. */
export const keptGlobalName = (scope: Construct, what: string): string => keptName(globalName(scope, what));

/**
 * Names a resource that a stage keeps when its stack is deleted: a recreated stack must give it another name, so the name ends
 * with a part of the stack's id, which is unique.
 */
export function keptName(name: string): string {
  // arn:aws:cloudformation:<Region>:<account>:stack/<name>/<UUID>
  const uuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  return `${name}-${Fn.select(0, Fn.split('-', uuid))}`;
}
