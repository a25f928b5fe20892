import { Stack } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Stage } from '../stages.ts';
import { pinLogicalId } from './pin-logical-id.ts';

/**
 * Returns the address that receives a stage's alarms.
 *
 * @throws Error that names the field if the stage has none, or if it is not an address
 */
export function requireOperatorEmail({ name, operatorEmail }: Stage): string {
  if (operatorEmail === undefined || operatorEmail === '') {
    throw new Error(
      `operatorEmail is missing: the stage ${name} has alarms, and nobody would receive them. Set it for the stage in the settings file (docs/deploy.md), or pass -c operatorEmail=<address>`,
    );
  }
  if (!/^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(operatorEmail))
    throw new Error(`operatorEmail is not an e-mail address: ${operatorEmail}`);
  return operatorEmail;
}

/**
 * Creates the topic that receives alarms. An e-mail subscription sends nothing until its owner confirms it.
 *
 * @returns the topic by its name. A reference would be an export, which the other stacks would still import when the alarms are
 *   turned off, so that AWS would refuse to delete it. CloudWatch does not check that an alarm's action exists:
 *   https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-actions.html
 */
export function createOperatorTopic(scope: Construct, stage: Stage): ITopic {
  const topicName = `herald-${stage.name}-operators`;
  const topic = new Topic(scope, 'OperatorTopic', { topicName });
  pinLogicalId(topic, 'OperatorTopic1876606E');
  topic.addSubscription(new EmailSubscription(requireOperatorEmail(stage)));
  // The first statement replaces the default policy, which lets the topic's account publish, so CloudWatch needs its own.
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AlarmsOfThisAccount',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'NoPlainText',
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { Bool: { 'aws:SecureTransport': 'false' } },
    }),
  );
  const topicArn = Stack.of(scope).formatArn({ service: 'sns', resource: topicName });
  return Topic.fromTopicArn(scope, 'OperatorTopicByName', topicArn);
}
