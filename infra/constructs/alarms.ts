import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { AnyPrincipal, Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { pinLogicalId } from './pin-logical-id.ts';

/** Creates the topic that receives alarms. An e-mail subscription sends nothing until its owner confirms it. */
export function createOperatorTopic(scope: Construct, operatorEmail: string | undefined): Topic {
  const topic = new Topic(scope, 'OperatorTopic');
  pinLogicalId(topic, 'OperatorTopic1876606E');
  if (operatorEmail !== undefined) topic.addSubscription(new EmailSubscription(operatorEmail));
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
  return topic;
}

export interface AlarmProps {
  readonly metric: IMetric;
  /** The alarm fires if the metric is above this value. */
  readonly above: number;
  /** How many consecutive periods the metric must be above the threshold; default 1. */
  readonly periods?: number;
  /** What is failing, for whom. The description starts with it, and `docs/runbook.md` has a section with this heading. */
  readonly heading: string;
  /** The exact condition and where to look first. */
  readonly description: string;
}

/** Creates an alarm that notifies operators when it fires and when it recovers. Missing data counts as healthy. */
export function alarmOperators(scope: Construct, id: string, topic: ITopic, props: AlarmProps): Alarm {
  const alarm = new Alarm(scope, id, {
    metric: props.metric,
    threshold: props.above,
    evaluationPeriods: props.periods ?? 1,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    treatMissingData: TreatMissingData.NOT_BREACHING,
    alarmDescription: `${props.heading}: ${props.description}`,
  });
  const action = new SnsAction(topic);
  alarm.addAlarmAction(action);
  alarm.addOkAction(action);
  return alarm;
}
