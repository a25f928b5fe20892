import { Stack } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { AnyPrincipal, Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';

/** Where alarms go. An e-mail subscription waits until its owner confirms it. */
export function createOperatorTopic(scope: Construct, operatorEmail: string | undefined): Topic {
  const topic = new Topic(scope, 'OperatorTopic');
  if (operatorEmail !== undefined) topic.addSubscription(new EmailSubscription(operatorEmail));
  // A topic's first policy takes the place of the one that lets its own account publish: CloudWatch must be named.
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
  /** Goes off when the metric is above it. */
  readonly above: number;
  /** Periods of the metric in a row; default 1. */
  readonly periods?: number;
  /** Who is hurt: the heading in `docs/runbook.md` that says what to do, and the first words of the e-mail. */
  readonly heading: string;
  /** What exactly is wrong and where to look first: the rest of it. */
  readonly description: string;
}

/** An alarm to the operators, and the word that it is over. No data means nothing happened, which is well. */
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
