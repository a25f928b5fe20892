import { type CfnResource, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { tagsOf } from './tags.ts';

/** The rights of the function that empties buckets, in addition to those that the buckets' policies give it. */
const logRights = ['logs:CreateLogStream', 'logs:PutLogEvents'];

/**
 * Gives CDK's function that empties a stack's buckets (`autoDeleteObjects`) a log group of the stack. By default it would leave
 * one behind, and could write to every log of the account.
 */
export function keepEmptierTidy(scope: Construct, stage: Stage): void {
  const stack = Stack.of(scope);
  const provider = stack.node.tryFindChild('Custom::S3AutoDeleteObjectsCustomResourceProvider');
  const [role, handler] = ['Role', 'Handler'].map((id) => provider?.node.tryFindChild(id) as CfnResource);
  if (!role || !handler) throw new Error('CDK names the function that empties buckets in another way');
  const log = new LogGroup(stack, 'EmptierLog', {
    retention: stage.logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  // CDK creates them as plain resources, which its tags do not reach.
  for (const resource of [role, handler]) resource.addPropertyOverride('Tags', tagsOf(stage));
  handler.addPropertyOverride('LoggingConfig', { LogGroup: log.logGroupName });
  role.addPropertyDeletionOverride('ManagedPolicyArns');
  role.addPropertyOverride('Policies', [
    {
      PolicyName: 'rights',
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: logRights, Resource: log.logGroupArn }],
      },
    },
  ]);
}
