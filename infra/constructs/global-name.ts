import { Aws, Fn, Stack } from 'aws-cdk-lib';
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

/** The same for a resource that a stage keeps when its stack is deleted. */
export const keptGlobalName = (scope: Construct, what: string): string => keptName(globalName(scope, what));

/**
 * Names a resource that a stage keeps when its stack is deleted: a stack that is created again must give it another name, so this
 * one ends with a part of the stack's id, which no other stack has.
 */
export function keptName(name: string): string {
  // arn:aws:cloudformation:<Region>:<account>:stack/<name>/<UUID>
  const uuid = Fn.select(2, Fn.split('/', Aws.STACK_ID));
  return `${name}-${Fn.select(0, Fn.split('-', uuid))}`;
}
