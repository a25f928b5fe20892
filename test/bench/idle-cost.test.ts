import { describe, expect, it } from 'vitest';
import { workerFunctions } from '../../infra/functions/workers.ts';
import type { TemplateResource } from '../infra/support/synthesize.ts';
import { idleCost } from './idle-cost/model.ts';

const resource = (Type: string, Properties: unknown = {}, logicalId = 'Any'): TemplateResource => ({
  logicalId,
  Type,
  Properties,
  Metadata: { 'aws:cdk:path': `stack/${logicalId}/Resource` },
});
const costOf = (...resources: TemplateResource[]) =>
  Object.fromEntries(
    idleCost(resources).flatMap(({ what, dollars }) => (dollars > 0 ? [[what, dollars]] : [])),
  );
const queue = { EventSourceArn: 'queue' };

describe('the cost of an idle stage', () => {
  it.each<[string, TemplateResource, string, number]>([
    [
      'an alarm on one metric',
      resource('AWS::CloudWatch::Alarm', { MetricName: 'a' }),
      'alarms, by their metrics',
      0.1,
    ],
    [
      'an alarm on an expression of two metrics',
      resource('AWS::CloudWatch::Alarm', {
        Metrics: [{ Expression: 'a + b' }, { MetricStat: {} }, { MetricStat: {} }],
      }),
      'alarms, by their metrics',
      0.2,
    ],
    ['a composite alarm', resource('AWS::CloudWatch::CompositeAlarm'), 'composite alarms', 0.5],
    ['a dashboard', resource('AWS::CloudWatch::Dashboard'), 'dashboards', 3],
    ['a key', resource('AWS::KMS::Key'), 'KMS keys', 1],
    ['a secret', resource('AWS::SecretsManager::Secret'), 'secrets', 0.4],
    [
      'a table whose throttled keys are kept',
      resource('AWS::DynamoDB::GlobalTable', {
        Replicas: [{ ContributorInsightsSpecification: { Enabled: true, Mode: 'THROTTLED_KEYS' } }],
      }),
      'rules of Contributor Insights',
      1,
    ],
    // 2 pollers, 3 polls a minute each, 43,800 minutes, at 0.4 dollars per million.
    [
      'a polled queue',
      resource('AWS::Lambda::EventSourceMapping', queue),
      'polls of queues, in millions',
      0.10512,
    ],
    [
      'a polled queue with a maximum concurrency',
      resource('AWS::Lambda::EventSourceMapping', { ...queue, ScalingConfig: { MaximumConcurrency: 2 } }),
      'polls of queues, in millions',
      0.2628,
    ],
    [
      'pollers that are always ready, for 730 hours',
      resource('AWS::Lambda::EventSourceMapping', {
        StartingPosition: 'LATEST',
        ProvisionedPollerConfig: { MinimumPollers: 10, MaximumPollers: 28 },
      }),
      'hours of pollers that are always ready',
      67.525,
    ],
  ])('includes %s', (_what, counted, line, dollars) => {
    expect(costOf(counted)).toEqual({ [line]: expect.closeTo(dollars, 10) });
  });

  it('says what of it every account gets for nothing', () => {
    const freeOf = (...resources: TemplateResource[]) =>
      idleCost(resources).reduce((sum, { freeDollars }) => sum + freeDollars, 0);
    const alarms = (count: number) =>
      Array.from({ length: count }, () => resource('AWS::CloudWatch::Alarm', { MetricName: 'a' }));
    expect(freeOf(...alarms(4))).toBeCloseTo(0.4, 10);
    expect(freeOf(...alarms(40))).toBeCloseTo(1, 10);
    const mappings = Array.from({ length: 20 }, () => resource('AWS::Lambda::EventSourceMapping', queue));
    expect(freeOf(...mappings)).toBeCloseTo(0.4, 10);
    expect(freeOf(resource('AWS::KMS::Key'), resource('AWS::CloudWatch::Dashboard'))).toBe(0);
  });

  it.each(workerFunctions.filter(({ trigger }) => trigger.kind === 'rate'))(
    'includes the runs of $name',
    ({ name }) => {
      const rule = resource('AWS::Events::Rule', {
        ScheduleExpression: 'rate(1 minute)',
        Targets: [{ Arn: { 'Fn::GetAtt': [name, 'Arn'] } }],
      });
      const cost = costOf(resource('AWS::Lambda::Function', { MemorySize: 128 }, name), rule);
      expect(cost['their read units, in millions']).toBeGreaterThan(0);
    },
  );

  it('includes the runs of a periodic function', () => {
    const handler = resource('AWS::Lambda::Function', { MemorySize: 512 }, 'sweep');
    const rule = resource('AWS::Events::Rule', {
      ScheduleExpression: 'rate(1 minute)',
      Targets: [{ Arn: { 'Fn::GetAtt': ['sweep', 'Arn'] } }],
    });
    const cost = costOf(handler, rule);
    expect(cost['runs of periodic functions, in millions']).toBeCloseTo(0.0438 * 0.2, 10);
    expect(cost['their GB-s, in millions']).toBeCloseTo(0.0438 * 0.05 * 0.5 * 13.3334, 10);
    expect(cost['their read units, in millions']).toBeCloseTo(0.0438 * 9 * 0.5 * 0.125, 10);
  });

  it('includes nothing for what AWS gives away, such as a stream’s mapping', () => {
    expect(
      costOf(
        resource('AWS::Lambda::EventSourceMapping', { StartingPosition: 'TRIM_HORIZON' }),
        resource('AWS::Budgets::Budget'),
        resource('AWS::Events::Rule', { EventPattern: {} }),
      ),
    ).toEqual({});
  });

  it('is refused for a periodic function whose reads are not known', () => {
    const handler = resource('AWS::Lambda::Function', { MemorySize: 512 }, 'new-sweep');
    const rule = resource('AWS::Events::Rule', {
      ScheduleExpression: 'rate(1 minute)',
      Targets: [{ Arn: { 'Fn::GetAtt': ['new-sweep', 'Arn'] } }],
    });
    expect(() => idleCost([handler, rule])).toThrow('what an idle run of new-sweep reads is not known');
  });
});
