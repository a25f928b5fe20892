import { Stack } from 'aws-cdk-lib';
import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnEventSourceMapping } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { OperatorAlarms } from './alarms.ts';

/** The section of `docs/runbook.md` that the e-mail begins with. */
export const switchedOffHeading = 'Somebody has switched off a function';

/**
 * Tells operators at once if somebody disables or deletes an event source mapping or a rule of this stack, or takes a
 * function's concurrency away. EventBridge receives these calls only if the account has a trail of CloudTrail in the
 * Region; without one, the alarms on silence notice the same later.
 *
 * Call it after the last mapping is created.
 */
export function reportSwitchedOff(stack: Stack, alarms: OperatorAlarms): void {
  const { topic } = alarms;
  if (topic === undefined) return;
  const mappingIds = stack.node
    .findAll()
    .flatMap((each) => (CfnEventSourceMapping.isCfnEventSourceMapping(each) ? each.ref : []));
  // CloudFormation begins the names of functions and rules with the stack's name.
  const ofStack = [{ prefix: `${Stack.of(stack).stackName}-` }];
  const role = createReporter(stack, topic);
  const report = (id: string, source: string, detail: Readonly<Record<string, unknown>>) =>
    reportCall(stack, id, { source, detail, topic, role });
  // The names of Lambda's calls end with the version of its API, such as UpdateEventSourceMapping20150331.
  report('MappingDisabled', 'aws.lambda', {
    eventName: [{ prefix: 'UpdateEventSourceMapping' }],
    requestParameters: { uUID: mappingIds, enabled: [false] },
  });
  report('MappingDeleted', 'aws.lambda', {
    eventName: [{ prefix: 'DeleteEventSourceMapping' }],
    requestParameters: { uUID: mappingIds },
  });
  report('ConcurrencyTaken', 'aws.lambda', {
    eventName: [{ prefix: 'PutFunctionConcurrency' }],
    requestParameters: { functionName: ofStack, reservedConcurrentExecutions: [0] },
  });
  report('RuleDisabled', 'aws.events', {
    eventName: ['DisableRule', 'DeleteRule'],
    requestParameters: { name: ofStack },
  });
}

/** Creates the role with which EventBridge publishes. A topic's policy cannot limit EventBridge to an account, but a role can. */
function createReporter(stack: Stack, topic: ITopic): Role {
  return new Role(stack, 'SwitchedOffReporter', {
    assumedBy: new ServicePrincipal('events.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': stack.account } },
    }),
    inlinePolicies: {
      rights: new PolicyDocument({
        statements: [new PolicyStatement({ actions: ['sns:Publish'], resources: [topic.topicArn] })],
      }),
    },
  });
}

interface ReportProps {
  readonly source: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly topic: ITopic;
  readonly role: Role;
}

function reportCall(scope: Construct, id: string, { source, detail, topic, role }: ReportProps): void {
  const call = EventField.fromPath('$.detail.eventName');
  const caller = EventField.fromPath('$.detail.userIdentity.arn');
  new Rule(scope, id, {
    description: switchedOffHeading,
    eventPattern: {
      source: [source],
      detailType: ['AWS API Call via CloudTrail'],
      // A refused call changed nothing.
      detail: { ...detail, errorCode: [{ exists: false }] },
    },
    targets: [
      new SnsTopic(topic, {
        role: role.withoutPolicyUpdates(),
        message: RuleTargetInput.fromText(
          `${switchedOffHeading}: ${caller} has called ${call} in ${EventField.region}, at ${EventField.time}.`,
        ),
      }),
    ],
  });
}
