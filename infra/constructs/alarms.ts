import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmRule,
  ComparisonOperator,
  CompositeAlarm,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { type Construct, Node } from 'constructs';
import type { Stage } from '../stages.ts';
import { createOperatorTopic } from './operator-topic.ts';

/**
 * The alarms that notify together, so that one cause sends one e-mail. `capacity` holds causes: work that AWS really refuses. While it
 * rings, the others are silent: their alarms are most often its consequences.
 *
 * A group that rings sends nothing when another of its alarms joins. So an alarm that needs somebody at once never shares a group
 * with one that may ring for days, such as a sweep that cannot read an item.
 */
const groups = {
  capacity: {
    heading: 'Capacity is used up',
    description: 'Lambda or the table refuses work, so all of Herald may be slow.',
  },
  publishing: {
    heading: 'Publishing is late',
    description: 'customers’ posts go live late, or not at all.',
  },
  requests: {
    heading: 'Requests fail',
    description: 'API clients get errors or wait long, or tracked links fail.',
  },
  background: {
    heading: 'Background work fails',
    description: 'something other than publishing is late or has stopped.',
  },
} as const;

/** A group of alarms that notify together. `none`: the alarm notifies by itself. */
export type AlarmGroup = keyof typeof groups | 'none';

export interface AlarmProps {
  readonly metric: IMetric;
  /** The alarm fires if the metric is above this value. */
  readonly above: number;
  /** The number of consecutive periods in which the metric must be above the threshold; default 1. */
  readonly periods?: number;
  /** The failure and the people affected. The description starts with it, and `docs/runbook.md` has a section with this heading. */
  readonly heading: string;
  /** The exact condition and where to look first. */
  readonly description: string;
  readonly group: AlarmGroup;
  /** True if the alarm also fires when the metric has no data because its source has stopped. By default, no data is healthy. */
  readonly firesOnSilence?: boolean;
}

/**
 * The alarms of one stage: they notify operators when they fire and when they recover. A stage without alarms has an
 * object of this class that creates nothing.
 */
export class OperatorAlarms {
  /** Receives the notifications. Absent if the stage has no alarms. */
  readonly topic: ITopic | undefined;
  private readonly members = new Map<AlarmGroup, { readonly name: string; readonly alarm: Alarm }[]>();

  /** @throws Error that names the field if the stage has alarms and no operator */
  constructor(scope: Construct, stage: Stage) {
    this.topic = stage.hasAlarms ? createOperatorTopic(scope, stage) : undefined;
  }

  /** Creates an alarm. Its name is its path in the stacks; the e-mail shows it. */
  add(scope: Construct, id: string, props: AlarmProps): void {
    if (this.topic === undefined) return;
    const { metric, above, periods = 1, heading, description, group } = props;
    const name = `${Node.of(scope).path}/${id}`.replaceAll('/', '-');
    const alarm = new Alarm(scope, id, {
      alarmName: name,
      metric,
      threshold: above,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: props.firesOnSilence ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
      alarmDescription: `${heading}: ${description}`,
    });
    if (group === 'none') this.notify(alarm, this.topic);
    else this.members.set(group, [...(this.members.get(group) ?? []), { name, alarm }]);
  }

  /** Creates the alarms of the groups, which notify for their members. Call it after the last `add`. */
  compose(scope: Construct): void {
    if (this.topic === undefined) return;
    const capacity = this.addGroup(scope, this.topic, 'capacity');
    this.addGroup(scope, this.topic, 'publishing', capacity);
    this.addGroup(scope, this.topic, 'requests', capacity);
    this.addGroup(scope, this.topic, 'background', capacity);
  }

  private addGroup(
    scope: Construct,
    topic: ITopic,
    name: keyof typeof groups,
    suppressor?: CompositeAlarm,
  ): CompositeAlarm {
    const members = this.members.get(name) ?? [];
    const { heading, description } = groups[name];
    const composite = new CompositeAlarm(scope, `Group-${name}`, {
      compositeAlarmName: `${Node.of(scope).path}-${name}`,
      alarmDescription: `${heading}: ${description} The alarms that have caused this one are named in its state.`,
      // Names instead of references: an export that another stack imports would hinder a release that removes an alarm.
      alarmRule: AlarmRule.fromString(members.map((member) => `ALARM("${member.name}")`).join(' OR ')),
      ...(suppressor && {
        actionsSuppressor: suppressor,
        // The cause may be noticed later than its consequence, and work catches up after it.
        actionsSuppressorWaitPeriod: Duration.minutes(3),
        actionsSuppressorExtensionPeriod: Duration.minutes(5),
      }),
    });
    composite.node.addDependency(...members.map(({ alarm }) => alarm));
    this.notify(composite, topic);
    return composite;
  }

  private notify(alarm: Alarm | CompositeAlarm, topic: ITopic): void {
    const action = new SnsAction(topic);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
  }
}
