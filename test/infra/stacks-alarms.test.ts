import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { workerFunctions } from '../../infra/functions/workers.ts';
import { findStage } from '../../infra/stages.ts';
import { metricNamespace, metricUnits } from '../../lib/metrics/measurements.ts';
import { platformNames } from '../../lib/platforms/contract/names.ts';
import {
  constructName,
  devWithAlarms,
  production,
  referenced,
  synthesize,
  synthesizeOnce,
  type Templates,
} from './support/synthesize.ts';

interface MetricQuery {
  readonly Expression?: string;
  readonly MetricStat?: { readonly Metric: StoredMetric };
}
interface StoredMetric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: string }[];
}

const root = join(import.meta.dirname, '../..');
const runbook = readFileSync(join(root, 'docs/runbook.md'), 'utf8');
const sections = new Map(
  runbook.split(/^## /m).map((section): [string, string] => [section.split('\n')[0] ?? '', section]),
);

let service: Templates;
beforeAll(() => {
  service = synthesizeOnce();
});

const alarms = () => service.ofType('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
const composites = () =>
  service.ofType('AWS::CloudWatch::CompositeAlarm').map(({ Properties }) => Properties);
const headingOf = ({ AlarmDescription }: { AlarmDescription: string }) =>
  AlarmDescription.split(': ')[0] ?? '';
const membersOf = ({ AlarmRule }: { AlarmRule: string }) =>
  [...AlarmRule.matchAll(/ALARM\("([^"]+)"\)/g)].map(([, name]) => name ?? '');
const alarmNamed = (end: string) => {
  const found = alarms().filter(({ AlarmName }) => AlarmName.endsWith(end));
  expect(found, end).toHaveLength(1);
  return found[0];
};
/** The composite alarm in which an alarm is, by the end of their names. */
const groupOf = (end: string): string =>
  composites()
    .filter((each) => membersOf(each).some((name) => name.endsWith(end)))
    .map(({ AlarmName }) => AlarmName.split('-').at(-1))
    .join();

/** The service's own metrics that alarms read, each with its platform if the alarm names one. */
const ownMetrics = (): StoredMetric[] =>
  alarms()
    .flatMap(({ Metrics = [], Namespace, MetricName, Dimensions }) =>
      Namespace === undefined
        ? Metrics.flatMap(({ MetricStat }: MetricQuery) => MetricStat?.Metric ?? [])
        : [{ Namespace, MetricName, Dimensions }],
    )
    .filter(({ Namespace }) => Namespace === metricNamespace('dev'));

describe('a stage with alarms', () => {
  it.each([
    ['no operator', { operatorEmail: undefined }, /operatorEmail is missing.*production.*-c operatorEmail=/],
    ['an empty operator', { operatorEmail: '' }, /operatorEmail is missing/],
    [
      'an operator without an address',
      { operatorEmail: 'ada' },
      /operatorEmail is not an e-mail address: ada/,
    ],
  ])('cannot be synthesized with %s', (_what, { operatorEmail }, message) => {
    const { operatorEmail: _none, ...stage } = production;
    const changed = operatorEmail === undefined ? stage : { ...stage, operatorEmail };
    expect(() => synthesize({ stage: changed })).toThrow(message);
  });

  it('sends them to its operator', () => {
    const subscribers = service.ofType('AWS::SNS::Subscription').map(({ Properties }) => Properties);
    expect(subscribers).toEqual([
      expect.objectContaining({ Protocol: 'email', Endpoint: devWithAlarms.operatorEmail }),
    ]);
  });

  it('is production', () => {
    expect(findStage('production')).toMatchObject({ hasAlarms: true });
    expect(findStage('production')).not.toHaveProperty('operatorEmail');
  });
});

describe('every alarm', () => {
  it('begins with a heading of the runbook, whose section says who is affected', () => {
    const headings = new Set([...alarms(), ...composites()].map(headingOf));
    expect(headings.size).toBeGreaterThan(20);
    const without = [...headings].filter((heading) => !/^Affected: \S/m.test(sections.get(heading) ?? ''));
    expect(without).toEqual([]);
  });

  it('notifies operators when it fires and when it recovers, by itself or in one group', () => {
    const grouped = composites().flatMap(membersOf);
    expect(new Set(grouped).size).toBe(grouped.length);
    for (const { AlarmName, AlarmActions, OKActions } of [...alarms(), ...composites()]) {
      expect(AlarmActions ?? [], AlarmName).toHaveLength(grouped.includes(AlarmName) ? 0 : 1);
      expect(OKActions).toEqual(AlarmActions);
    }
  });

  it('has a name of its own, which says the stage', () => {
    const names = [...alarms(), ...composites()].map(({ AlarmName }) => AlarmName);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^herald-dev-/);
  });

  it('counts the slowest of a few requests too: CloudWatch would else wait for a thousand of them in each period', () => {
    for (const each of alarms()) expect(each.EvaluateLowSampleCountPercentile).toBeUndefined();
  });

  it('treats missing data as healthy, unless it looks for silence', () => {
    const silent = alarms().filter(({ TreatMissingData }) => TreatMissingData !== 'notBreaching');
    expect(silent.map(({ TreatMissingData }) => TreatMissingData)).toEqual(silent.map(() => 'breaching'));
    expect(silent).toHaveLength(workerFunctions.filter(({ trigger }) => trigger.kind === 'rate').length);
  });

  it('reads at most ten metrics and uses no search, as CloudWatch requires', () => {
    for (const { Metrics = [] } of alarms()) {
      expect(Metrics.filter(({ MetricStat }: MetricQuery) => MetricStat).length).toBeLessThanOrEqual(10);
      expect(JSON.stringify(Metrics)).not.toContain('SEARCH');
    }
  });
});

describe('the groups of alarms', () => {
  it.each([
    ['-Publish-TooOld', 'publishing'],
    ['-GoLiveLate', 'publishing'],
    ['-Overdue', 'publishing'],
    ['-ActionsPutOff', 'background'],
    ['-ImportsPutOff', 'background'],
    ['-relay-behind', 'publishing'],
    ['-relay-silent', 'publishing'],
    ['-publish-target-silent', 'publishing'],
    ['-Webhook-TooOld', 'background'],
    ['-announce-silent', 'background'],
    ['-sweep-fails', 'background'],
    ['-ApiErrors', 'requests'],
    ['-ApiMostlyFails', 'requests'],
    ['-ApiSlow', 'requests'],
    ['-LinksUnreadableAlarm', 'requests'],
    ['-TableThrottles', 'capacity'],
    ['-FunctionThrottles', 'capacity'],
    ['-Concurrency', ''],
    ['-threads-posts-fail', ''],
    ['-DeadLettersNotEmpty', ''],
  ])('have %s in "%s"', (end, group) => {
    expect(groupOf(end)).toBe(group);
  });

  it('name only alarms that exist, at most 100, in a rule of at most 10,240 characters', () => {
    const names = alarms().map(({ AlarmName }) => AlarmName);
    expect(composites()).toHaveLength(4);
    for (const composite of composites()) {
      const members = membersOf(composite);
      expect(members.filter((name) => !names.includes(name))).toEqual([]);
      expect(composite.AlarmRule).toBe(members.map((name) => `ALARM("${name}")`).join(' OR '));
      expect(members.length).toBeLessThanOrEqual(100);
      expect(composite.AlarmRule.length).toBeLessThanOrEqual(10_240);
    }
  });

  it('are created after their members, which they name without a reference', () => {
    for (const { DependsOn = [], Properties } of service.ofType('AWS::CloudWatch::CompositeAlarm')) {
      const inStack = service.stacks['workers']?.filter(
        ({ Type, Properties: { AlarmName } }) =>
          Type === 'AWS::CloudWatch::Alarm' &&
          membersOf(Properties as { AlarmRule: string }).includes(AlarmName),
      );
      expect(DependsOn).toEqual(expect.arrayContaining(inStack?.map(({ logicalId }) => logicalId) ?? []));
    }
  });

  it('keep what needs somebody at once apart from what may ring for days, because a group that rings sends nothing more', () => {
    const periodic = workerFunctions.flatMap(({ name, trigger }) =>
      trigger.kind === 'rate' ? [groupOf(`-${name}-fails`)] : [],
    );
    expect(new Set(periodic)).toEqual(new Set(['background']));
    for (const end of ['-ApiErrors', '-LinksUnreadableAlarm', '-GoLiveLate'])
      expect(groupOf(end)).not.toBe('background');
  });

  it('are silent about consequences while capacity is used up', () => {
    const [capacity] = service
      .ofType('AWS::CloudWatch::CompositeAlarm')
      .filter(({ Properties }) => Properties.AlarmName.endsWith('-capacity'));
    expect(capacity?.Properties).not.toHaveProperty('ActionsSuppressor');
    for (const { AlarmName, ...composite } of composites()) {
      if (AlarmName === capacity?.Properties.AlarmName) continue;
      expect(referenced(composite.ActionsSuppressor)).toBe(capacity?.logicalId);
      expect(composite.ActionsSuppressorWaitPeriod).toBe(180);
      expect(composite.ActionsSuppressorExtensionPeriod).toBe(300);
    }
  });
});

describe('silence', () => {
  it.each(workerFunctions.filter(({ trigger }) => trigger.kind === 'rate').map(({ name }) => name))(
    'of %s raises the alarm that its failures raise',
    (name) => {
      const { trigger } = workerFunctions.find((each) => each.name === name) ?? {};
      const [handler] = service
        .ofType('AWS::Lambda::Function')
        .filter((each) => constructName(each) === name);
      const alarm = alarmNamed(`-${name}-fails`);
      expect(referenced(alarm.Dimensions[0].Value)).toBe(handler?.logicalId);
      // Lambda writes a 0 for each run that succeeds, so the smallest value is above 0 only if all have failed.
      expect(alarm).toMatchObject({
        Namespace: 'AWS/Lambda',
        MetricName: 'Errors',
        Statistic: 'Minimum',
        Threshold: 0,
        ComparisonOperator: 'GreaterThanThreshold',
        EvaluationPeriods: 3,
        TreatMissingData: 'breaching',
        Period: trigger?.kind === 'rate' ? trigger.everyMinutes * 60 : undefined,
      });
    },
  );

  it.each([
    ['publish-target', 'ApproximateNumberOfMessagesVisible'],
    ['relay', 'Invocations'],
    ['announce', 'Invocations'],
  ])('of %s raises an alarm if there is work for it', (name, cause) => {
    const { Metrics } = alarmNamed(`-${name}-silent`);
    const [expression, work, invocations] = Metrics;
    expect(expression.Expression).toBe('IF(FILL(work, 0) > 0 AND FILL(invocations, 0) < 1, 1, 0)');
    expect([work.Id, work.MetricStat.Metric.MetricName]).toEqual(['work', cause]);
    expect([invocations.Id, invocations.MetricStat.Metric.MetricName]).toEqual([
      'invocations',
      'Invocations',
    ]);
    const [handler] = service.ofType('AWS::Lambda::Function').filter((each) => constructName(each) === name);
    expect(referenced(invocations.MetricStat.Metric.Dimensions[0].Value)).toBe(handler?.logicalId);
  });

  it('is told at once if somebody disables or deletes a mapping or a rule, or takes a function’s concurrency', () => {
    const rules = service
      .ofType('AWS::Events::Rule')
      .flatMap(({ Properties }) => Properties.EventPattern ?? []);
    const calls = rules.flatMap(({ source, detail }) =>
      detail.eventName.map((name: string | { prefix: string }) =>
        [source[0], typeof name === 'string' ? name : `${name.prefix}…`].join(' '),
      ),
    );
    expect(calls.sort()).toEqual([
      'aws.events DeleteRule',
      'aws.events DisableRule',
      'aws.lambda DeleteEventSourceMapping…',
      'aws.lambda PutFunctionConcurrency…',
      'aws.lambda UpdateEventSourceMapping…',
    ]);
    const mappings = service.ofType('AWS::Lambda::EventSourceMapping').map(({ logicalId }) => logicalId);
    for (const { detail } of rules) {
      const { uUID, name, functionName } = detail.requestParameters;
      if (uUID) expect(uUID.map(referenced).sort()).toEqual(mappings.toSorted());
      else expect(name ?? functionName).toEqual([{ prefix: 'herald-dev-workers-' }]);
    }
    expect(sections.get('Somebody has switched off a function')).toMatch(/^Affected: /m);
  });
});

describe('the alarm on throttled requests to the table', () => {
  it('counts reads and writes of all operations, on the table and on the index of what is due', () => {
    const { Metrics } = alarmNamed('-TableThrottles');
    const read = Metrics.flatMap(({ MetricStat }: MetricQuery) => {
      if (MetricStat === undefined) return [];
      const { MetricName, Dimensions = [] } = MetricStat.Metric;
      return `${MetricName} ${Dimensions.map(({ Name, Value }) => (Name === 'TableName' ? 'table' : Value)).sort()}`;
    });
    expect(read.sort()).toEqual([
      'ReadThrottleEvents overdue,table',
      'ReadThrottleEvents table',
      'WriteThrottleEvents overdue,table',
      'WriteThrottleEvents table',
    ]);
  });
});

describe('the keys of throttled requests', () => {
  it('are kept for nothing unless the stage says so', () => {
    const [ofDev] = service.ofType('AWS::DynamoDB::GlobalTable');
    expect(JSON.stringify(ofDev?.Properties)).not.toContain('ContributorInsights');
  });
});

describe('the alarms on what customers notice', () => {
  it.each([
    ['-GoLiveLate', { MetricName: 'GoLiveLateness', ExtendedStatistic: 'p99', Threshold: 5_000 }],
    ['-ApiErrors', { MetricName: '5xx', Statistic: 'Sum' }],
    ['-ApiMostlyFails', { MetricName: '5xx', Statistic: 'Average', Threshold: 0.5 }],
    ['-ApiSlow', { MetricName: 'Latency', ExtendedStatistic: 'p99', Threshold: 3_000 }],
    ['-Concurrency', { MetricName: 'ConcurrentExecutions', Statistic: 'Maximum', Threshold: 160 }],
    ['-FunctionThrottles', { Namespace: 'AWS/Lambda', MetricName: 'Throttles', Statistic: 'Sum' }],
  ])('include %s', (end, expected) => {
    expect(alarmNamed(end)).toMatchObject(expected);
  });

  it('count all functions of the account for its limits', () => {
    for (const end of ['-Concurrency', '-FunctionThrottles'])
      expect(alarmNamed(end)).not.toHaveProperty('Dimensions');
  });
});

describe('the budget', () => {
  it('warns the operator of what a month costs', () => {
    const [budget, ...others] = synthesizeOnce('production').ofType('AWS::Budgets::Budget');
    expect(others).toEqual([]);
    expect(budget?.Properties.Budget).toMatchObject({
      BudgetType: 'COST',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: 100, Unit: 'USD' },
    });
    // CloudFormation replaces a budget whose notifications change, such as their address, and AWS refuses a second one of the name.
    expect(budget?.Properties.Budget).not.toHaveProperty('BudgetName');
    const warnings = budget?.Properties.NotificationsWithSubscribers;
    expect(
      warnings.map(
        ({ Notification }: { Notification: { NotificationType: string; Threshold: number } }) =>
          `${Notification.NotificationType} ${Notification.Threshold}`,
      ),
    ).toEqual(['ACTUAL 50', 'ACTUAL 100', 'FORECASTED 100']);
    for (const { Subscribers } of warnings)
      expect(Subscribers).toEqual([{ SubscriptionType: 'EMAIL', Address: production.operatorEmail }]);
    expect(sections.get('The month costs more than planned')).toMatch(/^Affected: /m);
  });

  it('is not there if the stage sets none', () => {
    expect(service.ofType('AWS::Budgets::Budget')).toEqual([]);
  });
});

describe('the service’s own metrics', () => {
  it('raise an alarm for each platform separately if most posts to it fail', () => {
    const platforms = ownMetrics()
      .filter(({ MetricName }) => MetricName === 'DestinationsFailed')
      .map(({ Dimensions = [] }) => Dimensions.find(({ Name }) => Name === 'platform')?.Value);
    expect(platforms.sort()).toEqual([...platformNames].sort());
  });

  it('are read with the names and dimensions that functions write', () => {
    for (const { MetricName, Dimensions = [] } of ownMetrics()) {
      expect(Object.keys(metricUnits)).toContain(MetricName);
      const isPerPlatform = MetricName.startsWith('Destinations') || MetricName === 'PlatformsInTrouble';
      const isPerReason = MetricName === 'ActionsPutOff';
      expect(Dimensions.map(({ Name }) => Name).sort()).toEqual([
        ...(isPerPlatform ? ['platform'] : []),
        ...(isPerReason ? ['reason'] : []),
        'service',
      ]);
    }
  });

  it('raise an alarm for each platform separately, with its name, while it is in trouble', () => {
    for (const platform of platformNames)
      expect(alarmNamed(`-${platform}-in-trouble`)).toMatchObject({
        MetricName: 'PlatformsInTrouble',
        Statistic: 'Maximum',
        Dimensions: expect.arrayContaining([{ Name: 'platform', Value: platform }]),
        Threshold: 0,
        ComparisonOperator: 'GreaterThanThreshold',
        EvaluationPeriods: 1,
        // Longer than the minute of a sweep, so that one outage is one alarm.
        Period: 300,
      });
  });

  it('raise an alarm about replies and messages only for what Instagram does not take', () => {
    expect(alarmNamed('-ActionsPutOff').Dimensions).toContainEqual({
      Name: 'reason',
      Value: 'platform_unavailable',
    });
  });

  /** Metrics that only explain the alarm on another one, by reason. */
  const explains: readonly string[] = ['DestinationsPutOff'];

  it.each(Object.keys(metricUnits))('include %s, which has an alarm and a graph on the dashboard', (name) => {
    const [dashboard] = service.ofType('AWS::CloudWatch::Dashboard');
    if (!explains.includes(name)) expect(ownMetrics().map(({ MetricName }) => MetricName)).toContain(name);
    expect(JSON.stringify(dashboard?.Properties.DashboardBody).includes(name)).toBe(true);
  });
});
