import { expect, it } from 'vitest';
import { findStage } from '../../../infra/stages.ts';
import { production, synthesize } from '../../infra/support/synthesize.ts';

it('a stage without alarms, such as dev, has nothing that costs what alarms cost', () => {
  const dev = synthesize({ stage: findStage('dev') });
  dev.remove();
  for (const type of ['Alarm', 'CompositeAlarm', 'Dashboard'])
    expect(dev.ofType(`AWS::CloudWatch::${type}`)).toEqual([]);
  for (const type of ['AWS::SNS::Topic', 'AWS::Budgets::Budget', 'AWS::Logs::MetricFilter'])
    expect(dev.ofType(type)).toEqual([]);
});

it('the keys of throttled requests are kept for the table if the stage says so', () => {
  const kept = synthesize({ stage: { ...production, recordsThrottledKeys: true } });
  kept.remove();
  const [table] = kept.ofType('AWS::DynamoDB::GlobalTable');
  expect(table?.Properties.Replicas[0].ContributorInsightsSpecification).toEqual({
    Enabled: true,
    Mode: 'THROTTLED_KEYS',
  });
  expect(JSON.stringify(table?.Properties).match(/ContributorInsights/g)).toHaveLength(1);
});

it('the budget has the amount of the settings', () => {
  const { ofType, remove } = synthesize({ stage: { ...production, monthlyBudgetDollars: 250 } });
  remove();
  expect(ofType('AWS::Budgets::Budget').map(({ Properties }) => Properties.Budget)).toEqual([
    expect.objectContaining({ BudgetLimit: { Amount: 250, Unit: 'USD' } }),
  ]);
});
