import { type CfnResource, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { tagsOf } from './tags.ts';

/** What the function that empties buckets may do, apart from what the policies of the buckets allow it. */
const logRights = ['logs:CreateLogStream', 'logs:PutLogEvents'];

/**
 * Gives the function with which CDK empties the buckets of a stack (`autoDeleteObjects`) a log group of the stack. By itself it would
 * leave one behind, and could write to every log of the account.
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
  // CDK makes them of plain resources, which its tags do not reach.
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
