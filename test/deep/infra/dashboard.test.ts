import { expect, it } from 'vitest';
import { devWithAlarms, synthesize } from '../../infra/support/synthesize.ts';

it('the dashboard is not there in a stage without alarms, because it costs three dollars', () => {
  const bare = synthesize({ stage: { ...devWithAlarms, hasAlarms: false } });
  bare.remove();
  expect(bare.ofType('AWS::CloudWatch::Dashboard')).toEqual([]);
});
